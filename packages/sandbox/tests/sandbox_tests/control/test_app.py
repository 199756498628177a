"""Control over HTTP: who may use it, and which requests it refuses."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.control import COMMANDS

from sandbox_tests.plain_http import send

SESSIONS = "/v3/organizations/org-acme/sessions"
GETS = ["/_sandbox" + each.path.replace("{name}", "mine") for each in COMMANDS if each.method == "GET"]
REQUIRE = "/_sandbox/operations/enterprise.queue.get/require"


async def test_the_index_lists_every_address(http: httpx.AsyncClient) -> None:
    addresses = (await http.get("/_sandbox")).json()["addresses"]
    listed = {(each["method"], each["path"]) for each in addresses if each["does"]}
    assert listed == {(each.method, "/_sandbox" + each.path) for each in COMMANDS}


async def test_every_address_without_a_body_responds_without_a_credential(http: httpx.AsyncClient) -> None:
    await http.post("/_sandbox/snapshots/mine")
    assert {path: (await http.get(path)).status_code for path in GETS} == dict.fromkeys(GETS, 200)


async def test_control_is_in_no_journal_and_meets_no_fault(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    fault = sandbox.faults.add(status=503, times=None)
    assert [(await http.get(path)).status_code for path in ("/_sandbox", "/_sandbox/nothing", "/")] == [200, 404, 200]
    assert (len(sandbox.journal), fault.met) == (0, 0)


async def test_no_response_shows_a_credential_or_a_secret(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_credential("quite-unlike-the-others")
    sandbox.add_session(title=f"token {sandbox.token}")
    sandbox.add_session(title="token quite-unlike-the-others")
    secret = {"name": "KEY", "type": "key-value", "value": "hunter2"}
    await send(sandbox, "POST", "/v3/organizations/org-acme/secrets", json=secret)
    await send(sandbox, "GET", f"{SESSIONS}/svc_else?token=hunter2&note={sandbox.admin_key}")
    await http.post("/_sandbox/faults", json={"status": 503, "body": {"detail": sandbox.viewer_token}})
    await http.post("/_sandbox/snapshots/mine")
    responses = "".join([(await http.get(path)).text for path in [*GETS, "/", f"/_sandbox/{sandbox.token}"]])
    hidden = [*sandbox.accounts.by_token, "hunter2", "svc_else"]
    assert [each for each in hidden if each in responses] == []


@pytest.mark.parametrize(
    ("request_line", "body", "status", "detail"),
    [
        ("GET /_sandbox/jornal", None, 404, "there is no /_sandbox/jornal; did you mean '/_sandbox/journal'?"),
        ("PATCH /_sandbox/clock", None, 405, "it takes GET, HEAD, POST"),
        ("POST /", None, 405, "it takes GET, HEAD"),
        ("GET /_sandbox/journal?after=x", None, 400, "'x' does not match"),
        ("GET /_sandbox/journal?since=1", None, 400, "there is no 'since'; known: after"),
        ("POST /_sandbox/seed", [], 400, "must be of type object, not []"),
        ("POST /_sandbox/seed", {"sesions": []}, 400, "there is no 'sesions'; did you mean 'sessions'?"),
        ("POST /_sandbox/clock", None, 400, 'must have either "advance", such as {"hours": 1}, or "to"'),
        ("POST /_sandbox/clock", {"advance": {"hours": "1"}}, 400, 'hours: must be of type number, not "1"'),
        ("POST /_sandbox/clock", {"advance": {"seconds": 10**4000}}, 400, "the clock cannot go as far as"),
        ("POST /_sandbox/clock", {"to": "0001-01-01T00:00:00+14:00"}, 400, "the clock cannot go as far as"),
        ("POST /_sandbox/faults", {"operation": "sessions.lst", "drop": True}, 404, "no operation 'sessions.lst'; did"),
        ("POST /_sandbox/faults", {"status": "503"}, 400, 'status: must be of type integer or null, not "503"'),
        ("PUT /_sandbox/settings", {"rate_limit": {"burst": 1}}, 400, "'per_second' is missing"),
        ("PUT /_sandbox/settings", {"rate_limit": {"per_second": 1, "burst": 10**400}}, 400, "burst must be between"),
        ("PUT /_sandbox/settings", {"rate_limit": {"per_second": 1, "clock": "wall"}}, 400, 'one of "real", "sandbox"'),
        ("PUT /_sandbox/settings", {"session_capacity": -1}, 400, "-1 is less than the minimum of 0"),
        ("PUT /_sandbox/settings", {"org_group_limits_enabled": 1}, 400, "must be of type boolean, not 1"),
        ("POST /_sandbox/operations/x.y/accept", {"parameters": []}, 404, "there is no operation 'x.y'"),
        (f"POST {REQUIRE}", {"level": "x"}, 400, "level must be one of"),
        ("POST /_sandbox/snapshots/x/restore", None, 404, "no snapshot 'x'; known: beginning"),
        ("GET /_sandbox/snapshots/x/diff", None, 404, "no snapshot 'x'"),
        ("POST /_sandbox/snapshots/beginning", None, 400, "a reset restores; take another name"),
        ("PUT /_sandbox/snapshots/beginning", {"version": 1}, 400, "a reset restores; take another name"),
        ("PUT /_sandbox/snapshots/x", None, 400, "the request: {}"),
        ("PUT /_sandbox/snapshots/x", {"version": 1}, 400, "the state: 'now' is missing"),
        ("POST /_sandbox/reviews/settle", {"status": "done"}, 400, "status must be one of running, completed"),
        ("POST /_sandbox/credentials/remove", {"token": ["svc_x"]}, 400, "token: must be of type string"),
        ("POST /_sandbox/sessions/assistant-9/suspend", None, 404, "there is no session 'assistant-9'"),
        ("PATCH /_sandbox/sessions/assistant-9", {}, 404, "'assistant-9'; did you mean 'assistant-1'?"),
        ("PATCH /_sandbox/sessions/assistant-1", {"session_id": "x"}, 400, "is set by the sandbox; leave it out"),
        ("POST /_sandbox/sessions/assistant-1/messages", {"text": "x", "sorce": "y"}, 400, "did you mean 'source'?"),
        ("POST /_sandbox/sessions/assistant-1/plan", {"text": "x"}, 400, "'after' is missing"),
        ("POST /_sandbox/sessions/assistant-1/plan", {"after": 1e300, "text": "x"}, 400, "before the clock does"),
        ("PUT /_sandbox/script", {"turns": [{}]}, 400, "must have a text or fields"),
    ],
)
async def test_an_invalid_request_is_refused_with_the_reason(
    sandbox: Sandbox, http: httpx.AsyncClient, request_line: str, body: Any, status: int, detail: str
) -> None:
    sandbox.add_session()
    method, path = request_line.split()
    response = await http.request(method, path, content=None if body is None else json.dumps(body))
    assert (response.status_code, response.headers["Content-Type"]) == (status, "application/problem+json")
    assert detail in response.json()["detail"]


@pytest.mark.parametrize("content", [b"{", b"\xff", b'{"x": 1, "x": 2}', b"[" * 100_000])
async def test_a_body_that_is_not_json_is_refused(http: httpx.AsyncClient, content: bytes) -> None:
    assert (await http.patch("/_sandbox/sessions/assistant-1", content=content)).status_code == 400


@pytest.mark.parametrize(
    ("origin", "status"), [("http://evil.example", 403), ("null", 403), ("http://sandbox.invalid", 200)]
)
async def test_a_page_of_another_origin_controls_nothing(http: httpx.AsyncClient, origin: str, status: int) -> None:
    assert (await http.post("/_sandbox/reset", headers={"Origin": origin})).status_code == status


async def test_a_long_text_is_not_repeated_in_a_refusal(http: httpx.AsyncClient) -> None:
    response = await http.post("/_sandbox/seed", json={"s" * 1_000_000: []})
    assert (response.status_code, len(response.content) < 5000) == (400, True)
