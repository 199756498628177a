"""The catalogue of operations."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

import attrs
import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError, catalogue, operations


@pytest.mark.parametrize(
    ("write", "reader"),
    [
        ("organization.sessions.create", "organization.sessions.list"),
        ("organization.sessions.archive", "organization.sessions.get"),
        ("organization.schedules.update", "organization.schedules.get"),
        ("enterprise.idp_groups.create", "enterprise.idp_groups.list"),
        # The contract has no operation that lists reviews.
        ("enterprise.reviews.create", None),
    ],
)
def test_the_operation_that_reads_what_a_write_changes_is_found(write: str, reader: str | None) -> None:
    found = operations.reader_of(operations[write])
    assert (found and found.name) == reader


def test_an_operation_whose_ids_a_write_lacks_does_not_read_it() -> None:
    update = operations["organization.schedules.update"]
    path = update.path.rpartition("/")[0] + "/import"
    assert operations.reader_of(attrs.evolve(update, method="POST", path=path)) is None


async def test_the_operation_of_every_method_is_found(platform: AgentPlatform) -> None:
    scopes = {"enterprise": platform.enterprise, "organization": platform.organization("org-acme")}
    for operation in operations:
        scope, _, method = operation.name.partition(".")
        assert operations.of(attrgetter(method)(scopes[scope])) is operation


@pytest.mark.parametrize(
    ("give", "shown"),
    [
        (lambda platform: platform.request, "AgentPlatform.request"),
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


@pytest.mark.parametrize("session_id", ["assistant-1", "1"])
async def test_a_source_has_ids_with_their_prefix(session_id: str, platform: AgentPlatform) -> None:
    method = platform.organization("org-acme").sessions.list_messages
    expected = "organization.sessions.list_messages(org_id='org-acme', assistant_id='assistant-1')"
    assert method(session_id).source == expected
    assert operations.source_of(partial(method, session_id)) == expected
    assert operations.source_of(partial(method, assistant_id=session_id)) == expected


async def test_partials_with_attributes_and_around_each_other_are_looked_through(platform: AgentPlatform) -> None:
    method = platform.enterprise.sessions.list_messages
    inner = partial(method, "1")
    inner.__dict__["name"] = "mine"
    for each in (inner, partial(inner), partial(inner, first=5)):
        assert operations.source_of(each) == "enterprise.sessions.list_messages(assistant_id='assistant-1')"
        assert operations.of(each).name == "enterprise.sessions.list_messages"
        operations.check_arguments(each, {"first": 2})


async def test_a_source_without_its_path_arguments_is_refused(platform: AgentPlatform) -> None:
    method = platform.enterprise.sessions.list_messages
    with pytest.raises(InvalidArgumentError, match=r"needs assistant_id; pass it with functools\.partial"):
        operations.source_of(method)
    with pytest.raises(InvalidArgumentError, match="cannot be called with these arguments: .*many positional"):
        operations.source_of(partial(method, "1", "red"))  # type: ignore[call-arg]  # the mistake
    with pytest.raises(InvalidArgumentError, match="list_messages takes no argument 'color'"):
        operations.source_of(partial(method, "1", color="red"))  # type: ignore[arg-type]  # the mistake


async def test_the_operation_of_a_job_is_the_one_that_it_polls(platform: AgentPlatform) -> None:
    org = platform.organization("org-acme")
    assert operations.of(org.sessions.wait) is operations["organization.sessions.get"]
    assert operations.of(org.sessions.follow_messages) is operations["organization.sessions.list_messages"]
    assert operations.of(org.audit_logs.follow) is operations["organization.audit_logs.list"]


def test_the_path_of_a_wildcard_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """No path of this contract has a wildcard, but a private build may have such paths."""
    get = operations["organization.sessions.get"]
    path = attrs.evolve(get.parameters[0], name="path", location="path", wildcard=True)
    files = attrs.evolve(get, id="files", path="/v3/files/{path}", parameters=(path,))
    monkeypatch.setitem(catalogue.OPERATIONS, "files", files)
    assert operations.find("GET", "/v3/files/a/b.txt") is files
    assert operations.find("GET", "/v3/organizations/org-acme/sessions/a/b") is None
