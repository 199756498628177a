"""The catalogue of operations."""

from __future__ import annotations

import pytest
from agent_session_platform import operations


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
