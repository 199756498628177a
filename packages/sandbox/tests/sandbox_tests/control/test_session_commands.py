"""Commands for sessions, the script of the assistant and the capacity."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from agent_session_platform_sandbox import Sandbox

SESSIONS = "/v3/organizations/org-acme/sessions"


def as_admin(sandbox: Sandbox) -> dict[str, str]:
    return {"Authorization": f"Bearer {sandbox.token}"}


async def shown(sandbox: Sandbox, http: httpx.AsyncClient, session_id: str) -> Any:
    """Return a session as the API shows it."""
    return (await http.get(f"{SESSIONS}/{session_id}", headers=as_admin(sandbox))).json()


async def texts(sandbox: Sandbox, http: httpx.AsyncClient, session_id: str) -> list[str]:
    """Return the texts of the messages of a session."""
    listed = (await http.get(f"{SESSIONS}/{session_id}/messages", headers=as_admin(sandbox))).json()
    return [each["message"] for each in listed["items"]]


async def test_a_session_of_any_organization_is_suspended(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    session_id = sandbox.add_session("org-globex")
    assert (await http.post(f"/_sandbox/sessions/{session_id}/suspend")).json() == {"suspended": session_id}
    found = await http.get(f"/v3/organizations/org-globex/sessions/{session_id}", headers=as_admin(sandbox))
    assert found.json()["status"] == "suspended"


async def test_members_of_a_session_are_set(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    session_id = sandbox.add_session()
    await http.patch(f"/_sandbox/sessions/{session_id}", json={"status": "ready", "self": 1, "text": None})
    found = await shown(sandbox, http, session_id)
    assert (found["status"], found["self"], found["text"]) == ("ready", 1, None)


async def test_a_session_is_removed(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    session_id = sandbox.add_session()
    assert (await http.delete(f"/_sandbox/sessions/{session_id}")).json() == {"removed": session_id}
    assert (await shown(sandbox, http, session_id))["status"] == 404


async def test_a_message_is_added(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    session_id = sandbox.add_session()
    body = {"text": "Hello", "source": "slack", "fields": {"thread": "t-1"}}
    added = (await http.post(f"/_sandbox/sessions/{session_id}/messages", json=body)).json()
    assert (added["message"], added["source"], added["thread"]) == ("Hello", "slack", "t-1")


async def test_a_plan_over_tcp_happens_when_the_clock_is_moved_there(sandbox: Sandbox, address: str) -> None:
    session_id = sandbox.add_session()
    async with httpx.AsyncClient(base_url=address) as http:
        body = {"after": 60, "text": "Done.", "fields": {"status": "ready"}}
        await http.post(f"/_sandbox/sessions/{session_id}/plan", json=body)
        before = (await shown(sandbox, http, session_id))["status"]
        await http.post("/_sandbox/clock", json={"advance": {"minutes": 1}})
        after = (await shown(sandbox, http, session_id))["status"]
        assert (before, after, await texts(sandbox, http, session_id)) == ("running", "ready", ["Done."])


async def test_turns_of_a_script_are_taken_over_tcp_when_the_clock_is_moved_there(
    sandbox: Sandbox, address: str
) -> None:
    turns = [{"text": "On my way."}, {"after": 60, "text": "Done.", "fields": {"status": "ready"}}]
    async with httpx.AsyncClient(base_url=address) as http:
        await http.put("/_sandbox/script", json={"turns": turns})
        made = (await http.post(SESSIONS, json={"prompt": "Fix it"}, headers=as_admin(sandbox))).json()
        before = await texts(sandbox, http, made["session_id"])
        await http.post("/_sandbox/clock", json={"advance": {"minutes": 1}})
        after = await texts(sandbox, http, made["session_id"])
    assert (before, after) == (["Fix it", "On my way."], ["Fix it", "On my way.", "Done."])


async def test_a_script_is_removed(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    await http.put("/_sandbox/script", json={"turns": [{"text": "Done."}]})
    await http.delete("/_sandbox/script")
    await http.post(SESSIONS, json={"prompt": "Fix it"}, headers=as_admin(sandbox))
    assert await texts(sandbox, http, "assistant-1") == ["Fix it"]


async def test_a_capacity_is_set(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    await http.put("/_sandbox/session-capacity", json={"sessions": 0, "retry_after": 30})
    refused = await http.post(SESSIONS, json={}, headers=as_admin(sandbox))
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "30")


async def test_a_capacity_is_shown(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.session_capacity = 5
    assert (await http.get("/_sandbox/session-capacity")).json() == {"sessions": 5, "retry_after": None}


async def test_a_capacity_is_removed(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.session_capacity, sandbox.capacity_retry_after = 5, 30
    removed = (await http.delete("/_sandbox/session-capacity")).json()
    assert (removed, sandbox.session_capacity) == ({"sessions": None, "retry_after": None}, None)


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "detail"),
    [
        ("PATCH", "sessions/assistant-9", {}, 404, "there is no session 'assistant-9'; did you mean 'assistant-1'?"),
        ("DELETE", "sessions/assistant-9", None, 404, "there is no session 'assistant-9'"),
        ("PATCH", "sessions/assistant-1", {"session_id": "x"}, 400, "session_id is set by the sandbox; leave it out"),
        ("PATCH", "sessions/assistant-1", None, 400, "the body: must be of type object, not null"),
        ("POST", "sessions/assistant-1/messages", {"text": "x", "sorce": "y"}, 400, "did you mean 'source'?"),
        ("POST", "sessions/assistant-1/plan", {"text": "x"}, 400, "'after' is missing"),
        ("POST", "sessions/assistant-1/plan", {"after": 5}, 400, "must have a text or fields"),
        ("POST", "sessions/assistant-1/plan", {"after": 5, "fields": {"text": "x"}}, 400, "leave it out"),
        ("POST", "sessions/assistant-1/plan", {"after": 1e300, "text": "x"}, 400, "before the clock does"),
        ("PUT", "script", {"turns": [{}]}, 400, "must have a text or fields"),
        ("PUT", "script", {"turns": [{"text": "x", "after": -1}]}, 400, "not -1"),
        ("PUT", "session-capacity", {"sessions": -1}, 400, "not -1"),
    ],
)
async def test_an_invalid_command_is_refused_with_the_reason(
    sandbox: Sandbox, http: httpx.AsyncClient, method: str, path: str, body: Any, status: int, detail: str
) -> None:
    sandbox.add_session()
    refused = await http.request(method, f"/_sandbox/{path}", json=body)
    assert (refused.status_code, detail in refused.json()["detail"]) == (status, True), refused.json()["detail"]
