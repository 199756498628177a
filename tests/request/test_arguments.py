"""Arguments are checked before anything is sent."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from agent_session_platform import UNSET, AgentPlatform, InvalidArgumentError
from agent_session_platform._api import Parameter
from agent_session_platform.request.arguments import check_argument

FIRST = Parameter("first", "query", kind="integer", minimum=1, maximum=200)
TAGS = Parameter("tags", "body", kind="array", nullable=True)
WHEN = Parameter("scheduled_at", "body", kind="date-time")


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        (FIRST, 500, "first must be between 1 and 200, not 500"),
        (FIRST, 10**60, "first must be between 1 and 200, not an integer of many digits"),
        (FIRST, True, "first must be an integer, not True"),
        (Parameter("archive", "query", kind="boolean"), "yes", "archive must be a boolean, not str"),
        (Parameter("origins", "query", kind="array"), "api", r"origins must be a list, not str; write it in brackets"),
        (Parameter("name", "body", kind="string"), 7, "name must be a string, not int"),
        (Parameter("name", "body", kind="integer"), "x" * 500, "name must be an integer, not str$"),
        (Parameter("least", "body", kind="number", minimum=0), -1, "least must be at least 0$"),
        (Parameter("most", "body", kind="number", maximum=9), 10, "most must be at most 9$"),
        (WHEN, datetime(2026, 12, 1), "scheduled_at must have a timezone; add one"),
        (Parameter("day", "body", kind="date"), datetime(2026, 12, 1), "day must be a date or ISO 8601 text, not"),
        (Parameter("first", "query", required=True), None, "first must be given, not None"),
    ],
)
def test_a_value_that_the_contract_does_not_allow_is_refused(parameter: Parameter, value: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        check_argument(parameter, value)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        (FIRST, 200),
        (TAGS, None),
        (TAGS, ("a",)),
        (TAGS, UNSET),
        (WHEN, datetime(2026, 12, 1, tzinfo=UTC)),
        (Parameter("anything", "query"), 1.5),
        (Parameter("ratio", "body", kind="number"), 1),
    ],
)
def test_a_value_that_the_contract_allows_passes(parameter: Parameter, value: Any) -> None:
    check_argument(parameter, value)


async def test_a_list_checks_its_arguments_when_it_is_made(platform: AgentPlatform) -> None:
    """It raises where it is called, not where it is read; the error is also a ValueError."""
    with pytest.raises(ValueError, match="first must be between 1 and 200, not 500"):
        platform.organization("org-acme").sessions.list(first=500)
    lists: Any = platform.enterprise.sessions
    with pytest.raises(InvalidArgumentError, match="which is an org_id"):
        lists.list_messages("org-acme")


@pytest.mark.parametrize(
    ("method", "path", "query", "message"),
    [
        ("GET", "v3/x", None, "path must begin with one slash"),
        ("GET", "//elsewhere.example/x", None, "path must begin with one slash and name no host"),
        ("GET", "/v3/x?first=1", None, r"pass query=\{...\}"),
        ("GET", "/v3/../x", None, "path must be percent-encoded"),
        ("GET", "/v3/a/%2e%2e/z", None, "path must be percent-encoded"),
        ("GET", "/v3/\ud800", None, "path must be percent-encoded"),
        ("GE T", "/v3/x", None, "method must be an HTTP method"),
    ],
)
async def test_a_raw_request_that_is_not_complete_is_refused(
    platform: AgentPlatform, method: Any, path: Any, query: Any, message: str
) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        await platform.request(method, path, query=query)


@pytest.fixture
def sent() -> list[str]:
    """Return the paths that were sent."""
    return []


@pytest.fixture
def mocked(sent: list[str]) -> AgentPlatform:
    """Make a client of a server that keeps the paths."""

    def respond(request: httpx.Request) -> httpx.Response:
        sent.append(request.url.path)
        return httpx.Response(200, json={"session_id": "assistant-1"})

    return AgentPlatform("https://platform.example.com", "svc_ids", transport=httpx.MockTransport(respond))


@pytest.mark.parametrize(
    ("given", "written"), [("assistant-7", "assistant-7"), ("7", "assistant-7"), ("a-b", "assistant-a-b")]
)
async def test_a_session_id_without_its_prefix_gets_it(
    mocked: AgentPlatform, sent: list[str], given: str, written: str
) -> None:
    """Part Endpoints, Conventions: `assistant_id` is the session id with that prefix."""
    await mocked.organization("org-acme").sessions.get(given)
    assert sent == [f"/v3/organizations/org-acme/sessions/{written}"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda platform: platform.organization("org-acme").sessions.get("org-acme"),
            "assistant_id must be an id that begins with 'assistant-', not 'org-acme', which is an org_id",
        ),
        (lambda platform: platform.organization("org-acme").sessions.get(""), "assistant_id must be an id, not ''"),
        (
            lambda platform: platform.enterprise.repositories.list_index_status("assistant-1"),
            "org_id must be an id that begins with 'org-', not 'assistant-1'",
        ),
    ],
)
async def test_an_id_of_another_kind_is_refused(
    mocked: AgentPlatform, sent: list[str], call: Any, message: str
) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        await call(mocked)
    assert sent == []
