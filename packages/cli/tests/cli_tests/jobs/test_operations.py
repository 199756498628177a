"""The operations of each job, and their names."""

from __future__ import annotations

import pytest
from agent_session_platform import AgentPlatform, operations
from agent_session_platform_cli import jobs
from agent_session_platform_cli.call.command import OperationGroup

from cli_tests.commands.test_completion import completed
from cli_tests.conftest import Asp

PLATFORM = AgentPlatform("https://platform.invalid", "svc_nobody")
SCOPES = {"organization": PLATFORM.organization("org-a"), "enterprise": PLATFORM.enterprise}


@pytest.mark.parametrize(
    ("command", "word"),
    [
        (jobs.wait_command, "wait"),
        (jobs.follow_command, "follow"),
        (jobs.export_command, "list"),
        (jobs.changes_command, "list"),
    ],
    ids=["wait", "follow", "export", "changes"],
)
def test_every_method_of_the_facade_is_a_command(command: OperationGroup, word: str) -> None:
    places = {(each.scope, each.resource) for each in operations}
    methods = {
        (scope, resource, name)
        for scope, resource in places
        for name in dir(getattr(SCOPES[scope], resource))
        if name == word or name.startswith(f"{word}_")
    }
    found = command.operations.values()
    assert {(each.scope, each.resource, each.verb if word == "list" else each.job) for each in found} == methods


@pytest.mark.parametrize(
    ("job", "names"),
    [
        ("wait", ["organization.sessions.get", "get_organization_session", "organization.sessions"]),
        ("follow", ["enterprise.sessions.list_messages", "enterprise.sessions.messages"]),
        ("export", ["organization.sessions.list", "organization.sessions"]),
    ],
)
def test_an_operation_has_its_name_of_asp_call_also_without_the_verb(offline: Asp, job: str, names: list[str]) -> None:
    shown = {offline(job, name, "--help").stdout for name in (*names, "")}
    assert len(shown) == 2


def test_the_names_are_completed_and_then_the_options_of_the_operation(offline: Asp) -> None:
    assert completed(offline, "export", "organization.sessions.list_m") == ["organization.sessions.list_messages"]
    assert completed(offline, "export", "organization.sessions.list", "--ori") == ["--origins"]
