"""Sessions and messages of an organization."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    NotFoundError,
)
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.plain_http import send
from sandbox_tests.timeline import HOURLY, START_SESSION

ORGANIZATION = "/v3/organizations/org-acme"
SESSIONS = f"{ORGANIZATION}/sessions"
SESSION = f"{SESSIONS}/assistant-1"
ENTERPRISE_SESSION = "/v3/enterprise/sessions/assistant-1"
MESSAGES = f"{SESSION}/messages"


@pytest.mark.parametrize("archive", [True, False])
async def test_only_terminating_with_archive_also_archives(sandbox: Sandbox, org: Any, archive: bool) -> None:
    session_id = sandbox.add_session()
    await org.sessions.terminate(session_id, archive=archive)
    assert (await org.sessions.get(session_id)).is_archived is archive


async def test_sessions_are_filtered_by_origin(sandbox: Sandbox, org: Any) -> None:
    for origin in ("api", "slack", "jira"):
        sandbox.add_session(origin=origin)
    assert {session.origin async for session in org.sessions.list(origins=["api", "jira"])} == {"api", "jira"}


async def test_organizations_do_not_see_each_others_sessions(sandbox: Sandbox, platform: AgentPlatform) -> None:
    session_id = sandbox.add_session("org-globex")
    with pytest.raises(NotFoundError):
        await platform.organization("org-acme").sessions.get(session_id)


@pytest.mark.parametrize("archive", ["1", "yes", "True", "", "fals"])
async def test_an_invalid_archive_is_refused_and_nothing_is_terminated(sandbox: Sandbox, archive: str) -> None:
    sandbox.add_session()
    refused = await send(sandbox, "DELETE", f"{SESSION}?archive={archive}")
    assert (refused.status_code, refused.json()["errors"][0]["loc"]) == (422, ["query", "archive"])
    assert (await send(sandbox, "GET", SESSION)).json()["status"] == "running"


@pytest.mark.parametrize("path", [MESSAGES, f"{ENTERPRISE_SESSION}/messages"])
@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "body.message: must be text"),
        (b"{}", "body.message: must be text"),
        (b'{"mesage": "Hello"}', "body.message: must be text; the body has 'mesage', did you mean 'message'?"),
        (b'{"message": null}', "body.message: must be text"),
        (b'"Hello"', "body: must be an object"),
    ],
)
async def test_a_message_without_text_is_refused(sandbox: Sandbox, path: str, body: bytes, message: str) -> None:
    sandbox.add_session()
    refused = await send(sandbox, "POST", path, content=body)
    assert (refused.status_code, refused.json()["detail"]) == (422, message)
    assert (await send(sandbox, "GET", MESSAGES)).json()["items"] == []


@pytest.mark.parametrize("action", ["archive", "insights/generate"])
@pytest.mark.parametrize("session", [SESSION, ENTERPRISE_SESSION])
async def test_an_array_is_refused_where_any_object_is_accepted(sandbox: Sandbox, session: str, action: str) -> None:
    sandbox.add_session()
    assert (await send(sandbox, "POST", f"{session}/{action}", content=b"[1]")).status_code == 422
    assert (await send(sandbox, "POST", f"{session}/{action}", content=b"{}")).is_success


@pytest.mark.parametrize("body", [{"title": 5}, {"tags": "nightly"}, {"tags": [1]}])
async def test_invalid_members_of_a_session_are_refused(sandbox: Sandbox, body: dict[str, Any]) -> None:
    assert (await send(sandbox, "POST", f"{ORGANIZATION}/sessions", json=body)).status_code == 422


async def create(sandbox: Sandbox, org_id: str = "org-acme") -> Any:
    """Create a session, and return the response."""
    return await send(sandbox, "POST", f"/v3/organizations/{org_id}/sessions", json={"prompt": "Fix it"})


async def test_a_session_beyond_the_capacity_is_refused(sandbox: Sandbox, org: Any) -> None:
    sandbox.session_capacity = 1
    assert [(await create(sandbox)).status_code for _ in range(2)] == [200, 429]
    assert [(await create(sandbox, "org-globex")).status_code for _ in range(2)] == [200, 429]
    refused = await send(sandbox, "POST", "/v3/enterprise/sessions", json={"org_id": "org-acme"})
    assert (refused.status_code, refused.json()["detail"]) == (
        429,
        "org-acme has 1 open sessions, and capacity for 1: this is a limit of capacity and not of the rate of "
        "requests; archive or terminate a session first",
    )
    assert (await send(sandbox, "POST", SESSIONS, json={"title": 5})).status_code == 422
    assert len(await org.sessions.list().collect()) == 1


@pytest.mark.parametrize(("seconds", "header"), [(30, "30"), (1.5, "1.5"), (0, "0"), (None, None)])
async def test_the_refusal_may_have_a_retry_after(sandbox: Sandbox, seconds: float | None, header: str | None) -> None:
    sandbox.session_capacity, sandbox.capacity_retry_after = 0, seconds
    assert (await create(sandbox)).headers.get("Retry-After") == header


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", f"{SESSION}/archive", 200),
        ("DELETE", SESSION, 200),
        ("DELETE", f"/_sandbox{SESSION.removeprefix(ORGANIZATION)}", 200),
        ("GET", SESSION, 429),
    ],
)
async def test_a_session_that_is_archived_terminated_or_removed_frees_its_place(
    sandbox: Sandbox, method: str, path: str, status: int
) -> None:
    sandbox.session_capacity = 1
    await create(sandbox)
    assert (await send(sandbox, method, path)).is_success
    assert (await create(sandbox)).status_code == status


@pytest.mark.parametrize("status", ["suspended", "finished"])
async def test_a_session_in_any_other_state_keeps_its_place(sandbox: Sandbox, status: str) -> None:
    sandbox.session_capacity = 1
    sandbox.add_session(status=status)
    assert (await create(sandbox)).status_code == 429


async def test_a_session_of_an_automation_is_started_beyond_the_capacity(sandbox: Sandbox, org: Any) -> None:
    sandbox.session_capacity = 0
    sandbox.add_automation(trigger=HOURLY, action=START_SESSION)
    sandbox.clock.advance(hours=1)
    assert len(await org.sessions.list().collect()) == 1
