"""Something to look at: sessions, users, blueprints and repositories, the same ones each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .state import User

if TYPE_CHECKING:
    from .platform import Sandbox

TASKS = ("Fix the flaky test", "Upgrade the linter", "Triage new issues", "Write release notes", "Speed up the build")
ORIGINS = ("webapp", "slack", "api", "linear", "jira")
NAMES = ("Ada", "Grace", "Edsger", "Barbara", "Donald")


def seed(sandbox: Sandbox, sessions: int) -> None:
    """Put *sessions* sessions into the first organization, and a few of everything else."""
    for number in range(sessions):
        sandbox.add_session(
            title=f"{TASKS[number % len(TASKS)]} #{number + 1}",
            origin=ORIGINS[number % len(ORIGINS)],
            acus_consumed=round(0.25 * (number % 40), 2),
            tags=["nightly"] if number % 3 == 0 else [],
        )
    for number, name in enumerate(NAMES, start=1):
        email = f"{name.lower()}@example.com"
        sandbox.add_user(User(f"user-{number}", email, name, organizations=frozenset({"org-acme"})))
    for repository in ("acme/shop", "acme/website"):
        sandbox.add_blueprint(repo_name=repository)
        sandbox.add_repository(repository)
