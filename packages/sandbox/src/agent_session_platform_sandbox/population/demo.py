"""Demo data: the same sessions, users and repositories each time."""

from __future__ import annotations

from ..state import User
from .population import ORGANIZATIONS, Population

TASKS = ("Fix the flaky test", "Upgrade the linter", "Triage new issues", "Write release notes", "Speed up the build")
ORIGINS = ("webapp", "slack", "api", "linear", "jira")
NAMES = ("Ada", "Grace", "Edsger", "Barbara", "Donald")


def add_demo(population: Population, sessions: int) -> None:
    """Add sessions to the first organization, and a few users, blueprints and repositories.

    Args:
        population: The sandbox.
        sessions: Number of sessions to add.
    """
    for number in range(sessions):
        population.add_session(
            title=f"{TASKS[number % len(TASKS)]} #{number + 1}",
            origin=ORIGINS[number % len(ORIGINS)],
            acus_consumed=round(0.25 * (number % 40), 2),
            tags=["nightly"] if number % 3 == 0 else [],
        )
    for number, name in enumerate(NAMES, start=1):
        email = f"{name.lower()}@example.com"
        population.add_user(User(f"user-{number}", email, name, organizations=frozenset({ORGANIZATIONS[0]})))
    for repository in ("acme/shop", "acme/website"):
        population.add_blueprint(repo_name=repository)
        population.add_repository(repository)
