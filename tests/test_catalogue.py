"""The catalogue of operations."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError, operations


@pytest.mark.parametrize(
    ("write", "reader"),
    [
        ("organization.sessions.create", "organization.sessions.list"),
        ("organization.sessions.send_message", "organization.sessions.list_messages"),
        ("organization.sessions.archive", "organization.sessions.get"),
        ("organization.schedules.update", "organization.schedules.get"),
        ("enterprise.idp_groups.create", "enterprise.idp_groups.list"),
        # The contract has no operation that lists them.
        ("enterprise.reviews.create", None),
        ("enterprise.git_permissions.update", None),
    ],
)
def test_the_operation_that_reads_what_a_write_changes_is_found(write: str, reader: str | None) -> None:
    found = operations.reader_of(operations[write])
    assert (found and found.name) == reader


def facade(platform: AgentPlatform, name: str) -> Any:
    """Return the method of an operation."""
    scope, resource, verb = name.split(".")
    resources = platform.enterprise if scope == "enterprise" else platform.organization("org-acme")
    return getattr(getattr(resources, resource), verb)


async def test_the_operation_of_every_method_is_found(platform: AgentPlatform) -> None:
    found = [operations.of(facade(platform, each.name)) for each in operations]
    assert found == list(operations)


@pytest.mark.parametrize(
    ("give", "shown"),
    [
        (lambda platform: platform.request, "AgentPlatform.request"),
        (lambda platform: platform.organization, "AgentPlatform.organization"),
        (lambda platform: platform.enterprise.sessions, "api.sessions.EnterpriseSessions"),
        (lambda platform: platform.enterprise.sessions.__repr__, "__repr__"),
        (lambda platform: type(platform.enterprise.sessions).list, "EnterpriseSessions.list"),
        (lambda platform: "organization.sessions.list", "str"),
        (lambda platform: print, "print"),
    ],
)
async def test_what_is_no_method_of_an_operation_is_refused(platform: AgentPlatform, give: Any, shown: str) -> None:
    with pytest.raises(InvalidArgumentError, match=f"such as org.sessions.list, not .*{shown}"):
        operations.of(give(platform))


def test_a_class_of_a_user_that_has_the_name_of_a_resource_is_refused() -> None:
    class OrganizationSessions:
        __module__ = "sessions"

        def list(self) -> None: ...

    with pytest.raises(InvalidArgumentError):
        operations.of(OrganizationSessions().list)
