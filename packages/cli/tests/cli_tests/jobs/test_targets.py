"""What the jobs can be done with, as the catalogue says."""

from __future__ import annotations

from agent_session_platform import AgentPlatform, operations
from agent_session_platform_cli.jobs.targets import followed, listed, waited

PLATFORM = AgentPlatform("https://platform.invalid", "svc_nobody")
SCOPES = {"organization": PLATFORM.organization("org-a"), "enterprise": PLATFORM.enterprise}


def methods(word: str) -> set[tuple[str, str, str]]:
    """Return the methods of the facade whose names begin with a word."""
    places = {(each.scope, each.resource) for each in operations}
    return {
        (scope, resource, name)
        for scope, resource in places
        for name in dir(getattr(SCOPES[scope], resource))
        if name == word or name.startswith(f"{word}_")
    }


def test_every_wait_of_the_facade_is_a_command() -> None:
    assert {(each.scope, each.resource, each.job) for each in waited().values()} == methods("wait")
    assert "organization.sessions" in waited()


def test_every_follower_of_the_facade_is_a_command() -> None:
    assert {(each.scope, each.resource, each.job) for each in followed().values()} == methods("follow")
    assert {"organization.audit_logs", "enterprise.sessions.messages"} <= {*followed()}


def test_every_list_of_the_facade_can_be_exported() -> None:
    assert {(each.scope, each.resource, each.verb) for each in listed().values()} == methods("list")
    assert {each.name for each in operations if each.paginated and each.method == "GET"} <= {*listed()}
