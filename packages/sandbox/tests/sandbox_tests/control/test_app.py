"""Control over HTTP: who may use it, and which requests it refuses."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.control.commands import COMMANDS

SESSIONS = "/v3/organizations/org-acme/sessions"


def as_admin(sandbox: Sandbox) -> dict[str, str]:
    return {"Authorization": f"Bearer {sandbox.token}"}


async def test_the_index_lists_every_address(http: httpx.AsyncClient) -> None:
    addresses = (await http.get("/_sandbox")).json()["addresses"]
    assert {(each["method"], each["path"]) for each in addresses} == {(each.method, each.path) for each in COMMANDS}


async def test_every_address_without_a_body_responds_without_a_credential(http: httpx.AsyncClient) -> None:
    await http.post("/_sandbox/snapshots/mine")
    gets = [each.path.replace("{name}", "mine") for each in COMMANDS if each.method == "GET"]
    assert {path: (await http.get(path)).status_code for path in gets} == dict.fromkeys(gets, 200)


async def test_control_is_in_no_journal_and_meets_no_fault(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    fault = sandbox.faults.add(status=503, times=None)
    assert [(await http.get(path)).status_code for path in ("/_sandbox", "/_sandbox/nothing", "/")] == [200, 404, 200]
    assert (len(sandbox.journal), fault.met) == (0, 0)


async def test_no_response_shows_a_credential_or_a_secret(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_credential("quite-unlike-the-others")
    sandbox.add_session(title=f"token {sandbox.token}")
    sandbox.add_session(title="token quite-unlike-the-others")
    secret = {"name": "KEY", "type": "key-value", "value": "hunter2"}
    await http.post("/v3/organizations/org-acme/secrets", json=secret, headers=as_admin(sandbox))
    await http.get(f"{SESSIONS}/svc_else?token=hunter2&note={sandbox.admin_key}", headers=as_admin(sandbox))
    await http.post("/_sandbox/faults", json={"status": 503, "body": {"detail": sandbox.viewer_token}})
    await http.post("/_sandbox/snapshots/mine")
    gets = [each.path.replace("{name}", "mine") for each in COMMANDS if each.method == "GET"]
    responses = "".join([(await http.get(path)).text for path in [*gets, f"/_sandbox/{sandbox.token}"]])
    hidden = [*sandbox.accounts.by_token, "hunter2", "svc_else"]
    assert [each for each in hidden if each in responses] == []


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "detail"),
    [
        ("GET", "/_sandbox/jornal", None, 404, "there is no /_sandbox/jornal; did you mean '/_sandbox/journal'?"),
        ("PATCH", "/_sandbox/clock", None, 405, "/_sandbox/clock takes GET or POST, not PATCH"),
        ("POST", "/", None, 405, "/ takes GET or HEAD, not POST"),
        ("GET", "/_sandbox/journal?after=x", None, 400, "the query.after: must be the number of a request, not 'x'"),
        ("GET", "/_sandbox/journal?since=1", None, 400, "the query: there is no 'since'; known: after"),
        ("POST", "/_sandbox/clock", None, 400, "the body: must be of type object, not null"),
        ("POST", "/_sandbox/clock", {}, 400, 'must have either "advance", such as {"hours": 1}, or "to"'),
        (
            "POST",
            "/_sandbox/clock",
            {"advance": {"hour": 1}},
            400,
            "advance: there is no 'hour'; did you mean 'hours'?",
        ),
        ("POST", "/_sandbox/clock", {"advance": {"hours": "1"}}, 400, 'hours: must be of type number, not "1"'),
        ("POST", "/_sandbox/clock", {"advance": {"hours": -1}}, 400, "the clock does not go back"),
        ("POST", "/_sandbox/clock", {"advance": {"days": 1e15}}, 400, "the clock cannot go as far as"),
        ("POST", "/_sandbox/clock", {"to": "2030-01-01"}, 400, "must have a timezone"),
        ("POST", "/_sandbox/clock", {"to": "soon"}, 400, "'soon'"),
        (
            "POST",
            "/_sandbox/faults",
            {"operation": "sessions.lst", "drop": True},
            400,
            "no operation 'sessions.lst'; did",
        ),
        ("POST", "/_sandbox/faults", {"status": "503"}, 400, "status must be between 400 and 599, not '503'"),
        ("POST", "/_sandbox/faults", {"status": 200}, 400, "status must be between 400 and 599, not 200"),
        ("POST", "/_sandbox/faults", {"stauts": 503}, 400, "there is no 'stauts'; did you mean 'status'?"),
        (
            "POST",
            "/_sandbox/faults",
            {"status": 429, "retry_after": "1\r\nX: y"},
            400,
            "that a header can hold",
        ),
        ("PUT", "/_sandbox/rate-limit", {"burst": 1}, 400, "the body: 'per_second' is missing"),
        ("PUT", "/_sandbox/rate-limit", {"per_second": 0}, 400, "per_second must be positive"),
        ("PUT", "/_sandbox/rate-limit", {"per_second": 5e-324}, 400, "per_second must be positive"),
        ("PUT", "/_sandbox/rate-limit", {"per_second": 1e308}, 400, "per_second must be positive"),
        ("POST", "/_sandbox/clock", {"to": "9999-12-31T23:59:59Z"}, 400, "the clock cannot go as far as"),
        ("POST", "/_sandbox/clock", {"to": "0001-01-01T00:00:00+14:00"}, 400, "the clock cannot go as far as"),
        ("POST", "/_sandbox/clock", {"advance": {"seconds": 10**4000}}, 400, "the clock cannot go as far as"),
        ("POST", "/_sandbox/faults", {"latency": 1e300}, 400, "latency must be a number of seconds"),
        ("POST", "/_sandbox/snapshots/" + "x" * 201, None, 400, "must have at most 200 characters, not 201"),
        (
            "POST",
            "/_sandbox/operations/enterprise.queue.get/accept",
            {"parameters": ["x" * 201]},
            400,
            "at most 200 names",
        ),
        ("PUT", "/_sandbox/rate-limit", {"per_second": 1, "clock": "wall"}, 400, 'must be one of "real", "sandbox"'),
        (
            "POST",
            "/_sandbox/snapshots/x/restore",
            None,
            404,
            "there is no snapshot 'x'; known: beginning; take it with",
        ),
        ("GET", "/_sandbox/snapshots/x/diff", None, 404, "there is no snapshot 'x'"),
        (
            "POST",
            "/_sandbox/snapshots/beginning",
            None,
            400,
            "is the snapshot that a reset restores; take another name",
        ),
        ("PUT", "/_sandbox/snapshots/beginning", {}, 400, "is the snapshot that a reset restores; take another name"),
        ("PUT", "/_sandbox/snapshots/x", None, 400, "the state: must be of type object, not null"),
        ("PUT", "/_sandbox/snapshots/x", {"version": 1}, 400, "the state: 'now' is missing"),
        ("PUT", "/_sandbox/snapshots/x", {"version": 2}, 400, "the state"),
        ("GET", "/_sandbox/snapshots/beginnin", None, 404, "did you mean 'beginning'?"),
        ("POST", "/_sandbox/reviews/settle", {"status": "done"}, 400, "status must be one of running, completed"),
        ("POST", "/_sandbox/reviews/settle", {"state": "x"}, 400, "there is no 'state'; did you mean 'status'?"),
        ("POST", "/_sandbox/sessions/assistant-9/suspend", None, 404, "there is no session 'assistant-9'"),
        ("GET", "/_sandbox/state?x=1", None, 400, "the query: GET /_sandbox/state takes none"),
        ("POST", "/_sandbox/reset", {"x": 1}, 400, "the body: POST /_sandbox/reset takes none"),
        ("PUT", "/_sandbox/rate-limit", {"per_second": 1, "burst": 10**400}, 400, "numbers that a float can hold"),
        ("POST", "/_sandbox/operations/x.y/accept", {"parameters": []}, 404, "there is no operation 'x.y'"),
        ("POST", "/_sandbox/operations/enterprise.queue.get/require", {"level": "x"}, 400, "level: must be one of"),
        ("POST", "/_sandbox/credentials/remove", {"token": ["svc_x"]}, 400, "the body.token: must be of type string"),
        ("PUT", "/_sandbox/settings", {}, 400, "'org_group_limits_enabled' is missing"),
        ("POST", "/_sandbox/faults", {"status": 500, "drop": True}, 400, "not status and drop: add a fault for each"),
        ("POST", "/_sandbox/faults", {"drop": True, "retry_after": 1}, 400, "retry_after needs a status"),
        ("POST", "/_sandbox/seed", {"sesions": []}, 400, "there is no 'sesions'; did you mean 'sessions'?"),
        ("POST", "/_sandbox/seed", [], 400, "the seed: must be of type object, not []"),
    ],
)
async def test_an_invalid_request_is_refused_with_the_reason(
    http: httpx.AsyncClient, method: str, path: str, body: Any, status: int, detail: str
) -> None:
    response = await http.request(method, path, content=None if body is None else json.dumps(body))
    assert (response.status_code, response.headers["Content-Type"]) == (status, "application/problem+json")
    assert detail in response.json()["detail"]


@pytest.mark.parametrize(
    "content",
    [b"{", b"\xff", b'{"per_second": NaN}', b'{"per_second": 1e999}', b'{"burst": 1, "burst": 2}', b"[" * 100_000],
)
async def test_a_body_that_is_not_json_is_refused(http: httpx.AsyncClient, content: bytes) -> None:
    response = await http.put("/_sandbox/rate-limit", content=content)
    assert (response.status_code, response.json()["detail"][:21]) == (400, "the body is not JSON:")


@pytest.mark.parametrize(
    ("origin", "status"), [("http://evil.example", 403), ("null", 403), ("http://sandbox.invalid", 200)]
)
async def test_a_page_of_another_origin_controls_nothing(http: httpx.AsyncClient, origin: str, status: int) -> None:
    assert (await http.post("/_sandbox/reset", headers={"Origin": origin})).status_code == status


@pytest.mark.parametrize(
    ("host", "status"),
    [("localhost:{}", 200), ("127.0.0.1:{}", 200), ("[::1]:{}", 200), ("a.localhost", 200), ("evil.example:{}", 403)],
)
def test_on_a_port_only_local_host_names_are_accepted(address: str, host: str, status: int) -> None:
    """A page whose host name resolves to this machine (DNS rebinding) has the same origin."""
    name = host.format(address.rpartition(":")[2])
    headers = {"Host": name, "Origin": f"http://{name}"}
    assert httpx.post(f"{address}/_sandbox/reset", headers=headers).status_code == status


@pytest.mark.parametrize(
    ("path", "body", "most"),
    [
        ("/_sandbox/faults", {"status": 503}, "there are 3 faults; remove them"),
        ("/_sandbox/snapshots/{}", None, "there are 3 snapshots; replace one"),
    ],
)
async def test_what_is_added_over_http_is_bounded(
    http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, path: str, body: Any, most: str
) -> None:
    monkeypatch.setattr("agent_session_platform_sandbox.control.commands.MAX_FAULTS", 3)
    monkeypatch.setattr("agent_session_platform_sandbox.control.commands.MAX_SNAPSHOTS", 3)
    responses = [await http.post(path.format(number), json=body) for number in range(4)]
    assert (responses[-1].status_code, most in responses[-1].json()["detail"]) == (400, True)


async def test_a_long_text_is_not_repeated_in_a_refusal(http: httpx.AsyncClient) -> None:
    response = await http.post("/_sandbox/seed", json={"s" * 1_000_000: []})
    assert (response.status_code, len(response.content) < 5000) == (400, True)
