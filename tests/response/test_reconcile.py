"""The error of a write with an unknown outcome names the operation that reads the state."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime

import pytest
from agent_session_platform import operations
from agent_session_platform.response.reconcile import reader_of, unknown_outcome

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("write", "read"),
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
def test_the_operation_that_reads_the_state_is_found(write: str, read: str | None) -> None:
    reader = reader_of(operations[write])
    assert (reader and reader.name) == read


def test_the_message_says_when_it_was_sent_and_what_to_read() -> None:
    error = unknown_outcome(operations["organization.sessions.create"], NOON, "the exchange broke off")
    assert str(error) == (
        "organization.sessions.create: the exchange broke off; the write, sent at 2026-11-20T12:00:00Z, may have been "
        "carried out and was not sent again: read the state with organization.sessions.list before you repeat it"
    )


def test_without_a_reader_the_message_says_what_to_look_for() -> None:
    error = unknown_outcome(operations["enterprise.reviews.create"], NOON, "the exchange broke off")
    assert "read the state of what it would have changed before you repeat it" in str(error)


def test_the_error_pickles_with_its_reader() -> None:
    error = unknown_outcome(operations["organization.sessions.create"], NOON, "the exchange broke off")
    again = pickle.loads(pickle.dumps(error))
    assert (again.reader, again.sent_at) == (error.reader, NOON)
