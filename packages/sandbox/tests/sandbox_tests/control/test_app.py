"""Control over HTTP: its commands, who may use them, and which requests are refused."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.control import COMMANDS

from sandbox_tests.plain_http import PR, SESSIONS, send

GETS = ["/_sandbox" + each.path.replace("{name}", "mine") for each in COMMANDS if each.method == "GET"]
OPERATION = "/_sandbox/operations/enterprise.queue.get"
NONE: dict[str, list[str]] = {"added": [], "removed": [], "changed": []}


async def test_the_index_lists_every_address(http: httpx.AsyncClient) -> None:
    addresses = (await http.get("/_sandbox")).json()["addresses"]
    listed = {(each["method"], each["path"]) for each in addresses if each["does"]}
    assert listed == {(each.method, "/_sandbox" + each.path) for each in COMMANDS}


async def test_control_is_in_no_journal_and_meets_no_fault(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    fault = sandbox.faults.add(status=503, times=None)
    assert [(await http.get(path)).status_code for path in ("/_sandbox", "/_sandbox/nothing", "/")] == [200, 404, 200]
    assert (len(sandbox.journal), fault.met) == (0, 0)


async def test_no_address_needs_or_shows_a_credential(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_credential("quite-unlike-the-others")
    sandbox.add_session(title=f"token {sandbox.token}")
    sandbox.add_session(title="token quite-unlike-the-others")
    secret = {"name": "KEY", "type": "key-value", "value": "hunter2"}
    await send(sandbox, "POST", "/v3/organizations/org-acme/secrets", json=secret)
    await send(sandbox, "GET", f"{SESSIONS}/svc_else_9f86d081884c?token=hunter2&note={sandbox.admin_key}")
    await http.post("/_sandbox/faults", json={"status": 503, "body": {"detail": sandbox.viewer_token}})
    await http.post("/_sandbox/snapshots/mine")
    responses = [await http.get(path) for path in [*GETS, "/"]]
    assert {response.status_code for response in responses} == {200}
    responses.append(await http.get(f"/_sandbox/{sandbox.token}"))
    hidden = [*sandbox.accounts.by_token, "hunter2", "svc_else"]
    assert [each for each in hidden if any(each in response.text for response in responses)] == []


@pytest.mark.parametrize(
    ("request_line", "body", "status", "detail"),
    [
        ("GET /_sandbox/jornal", None, 404, "there is no /_sandbox/jornal; did you mean '/_sandbox/journal'?"),
        ("PATCH /_sandbox/clock", None, 405, "it takes GET, HEAD, POST"),
        ("POST /", None, 405, "it takes GET, HEAD"),
        ("GET /_sandbox/journal?after=x", None, 400, "'x' does not match"),
        ("GET /_sandbox/journal?since=1", None, 400, "there is no 'since'; known: after"),
        ("POST /_sandbox/seed", [], 400, "must be of type object, not []"),
        ("POST /_sandbox/clock", None, 400, 'must have either "advance", such as {"hours": 1}, or "to"'),
        ("POST /_sandbox/clock", {"advance": {"hours": "1"}}, 400, 'hours: must be of type number, not "1"'),
        ("POST /_sandbox/clock", {"advance": {"seconds": 10**4000}}, 400, "the clock cannot go as far as"),
        ("POST /_sandbox/faults", {"operation": "sessions.lst", "drop": True}, 404, "no operation 'sessions.lst'; did"),
        ("PUT /_sandbox/settings", {"rate_limit": {"per_second": 1, "burst": 10**400}}, 400, "burst must be between"),
        ("PUT /_sandbox/settings", {"rate_limit": {"per_second": 1, "clock": "wall"}}, 400, 'one of "real", "sandbox"'),
        (f"POST {OPERATION}/require", {"level": "x"}, 400, "level must be one of"),
        ("POST /_sandbox/snapshots/x/restore", None, 404, "no snapshot 'x'; known: beginning"),
        ("POST /_sandbox/snapshots/beginning", None, 400, "a reset restores; take another name"),
        ("PUT /_sandbox/snapshots/x", None, 400, "the request: {}"),
        ("POST /_sandbox/reviews/settle", {"status": "pending"}, 400, "status must be one of running, completed"),
        ("PATCH /_sandbox/sessions/assistant-9", {}, 404, "'assistant-9'; did you mean 'assistant-1'?"),
        ("POST /_sandbox/sessions/assistant-1/messages", {"text": "x", "sorce": "y"}, 400, "did you mean 'source'?"),
        ("POST /_sandbox/sessions/assistant-1/plan", {"after": 1e300, "text": "x"}, 400, "beyond the end of the clock"),
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


async def test_a_body_that_is_not_json_is_refused(http: httpx.AsyncClient) -> None:
    assert (await http.patch("/_sandbox/sessions/assistant-1", content=b"[" * 100_000)).status_code == 400


async def test_a_long_text_is_not_repeated_in_a_refusal(http: httpx.AsyncClient) -> None:
    response = await http.post("/_sandbox/seed", json={"s" * 1_000_000: []})
    assert (response.status_code, len(response.content) < 5000) == (400, True)


class Control:
    """A client of the commands, which expects that they succeed, and of the API."""

    def __init__(self, http: httpx.AsyncClient, sandbox: Sandbox) -> None:
        self.http = http
        self.headers = {"Authorization": f"Bearer {sandbox.token}"}

    async def __call__(self, method: str, path: str, body: Any = None) -> Any:
        response = await self.http.request(method, f"/_sandbox/{path}", json=body)
        assert response.is_success, response.text
        return response.json()

    async def api(self, method: str = "GET", path: str = SESSIONS, body: Any = None, **settings: Any) -> httpx.Response:
        return await self.http.request(method, path, **{"headers": self.headers, "json": body, **settings})

    async def session(self, session_id: str) -> tuple[str, list[str]]:
        """Return the status of a session, and its messages."""
        shown = (await self.api(path=f"{SESSIONS}/{session_id}")).json()
        messages = (await self.api(path=f"{SESSIONS}/{session_id}/messages")).json()["items"]
        return shown["status"], [each["message"] for each in messages]


@pytest.fixture
def control(http: httpx.AsyncClient, sandbox: Sandbox) -> Control:
    """The commands, and the API."""
    return Control(http, sandbox)


async def test_a_fault_is_added_met_listed_and_removed(control: Control) -> None:
    body = {"operation": "organization.sessions.list", "status": 429, "retry_after": 7, "body": {"detail": "slowly"}}
    assert (await control("POST", "faults", body))["unused"] is True
    refused = await control.api()
    assert (refused.status_code, refused.headers["Retry-After"], refused.json()["detail"]) == (429, "7", "slowly")
    [fault] = (await control("GET", "faults"))["faults"]
    assert (fault["operation"], fault["met"], fault["unused"]) == ("organization.sessions.list", 1, False)
    await control("DELETE", "faults")
    assert await control("GET", "faults") == {"faults": []}


async def test_a_rate_limit_is_set_shown_and_removed(control: Control) -> None:
    assert (await control("GET", "settings"))["rate_limit"] is None
    limit = {"per_second": 1000, "burst": 1, "retry_after": "seconds"}
    shown = await control("PUT", "settings", {"rate_limit": {**limit, "clock": "sandbox"}})
    assert shown["rate_limit"] == {**limit, "refused": 0}
    assert [(await control.api()).status_code for _ in range(2)] == [200, 429]
    assert (await control("GET", "settings"))["rate_limit"]["refused"] == 1
    await control("POST", "clock", {"advance": {"seconds": 0.001}})
    assert [(await control.api()).status_code for _ in range(2)] == [200, 429]
    await control("PUT", "settings", {"rate_limit": None})
    assert (await control.api()).status_code == 200


async def test_capacity_and_group_limits_are_set_and_shown(control: Control) -> None:
    before = {"session_capacity": None, "capacity_retry_after": None, "org_group_limits_enabled": True}
    after = {"session_capacity": 0, "capacity_retry_after": 30, "org_group_limits_enabled": False}
    assert (await control("GET", "settings")).items() >= before.items()
    for name, value in after.items():
        assert (await control("PUT", "settings", {name: value}))[name] == value
    assert (await control("GET", "settings")).items() >= after.items()
    assert (await control.api("POST", body={})).headers["Retry-After"] == "30"
    assert (await control.api(path="/v3/enterprise/org-group-limits")).status_code == 403
    await control("PUT", "settings", {"session_capacity": None})
    assert (await control.api("POST", body={})).is_success


async def test_what_an_operation_requires_and_accepts_is_changed(control: Control, sandbox: Sandbox) -> None:
    headers = {"Authorization": f"Bearer {sandbox.viewer_token}"}
    path = "/v3/enterprise/queue?status=running"
    statuses = [(await control.api(path=path, headers=headers)).status_code]
    await control("POST", "operations/enterprise.queue.get/require", {"permissions": ["ViewOrgSessions"]})
    statuses.append((await control.api(path=path, headers=headers)).status_code)
    await control("POST", "operations/enterprise.queue.get/accept", {"parameters": ["status"]})
    statuses.append((await control.api(path=path, headers=headers)).status_code)
    assert statuses == [403, 422, 200]


async def test_a_credential_is_removed_and_not_shown(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_credential("svc_expiring")
    for status in (200, 404):
        response = await http.post("/_sandbox/credentials/remove", json={"token": "svc_expiring"})
        assert (response.status_code, "svc_expiring" in response.text) == (status, False)


async def test_a_session_is_changed_suspended_and_removed(control: Control, sandbox: Sandbox) -> None:
    session_id = sandbox.add_session()
    changed = await control("PATCH", f"sessions/{session_id}", {"status": "ready", "self": 1, "text": None})
    assert (changed["status"], changed["self"], changed["text"]) == ("ready", 1, None)
    await control("POST", f"sessions/{session_id}/suspend")
    body = {"text": "Hello", "source": "slack", "fields": {"thread": "t-1"}}
    added = await control("POST", f"sessions/{session_id}/messages", body)
    assert (added["message"], added["source"], added["thread"]) == ("Hello", "slack", "t-1")
    assert await control.session(session_id) == ("suspended", ["Hello"])
    await control("DELETE", f"sessions/{session_id}")
    assert (await control.api(path=f"{SESSIONS}/{session_id}")).status_code == 404


async def test_plans_and_scripts_happen_when_the_clock_is_moved_there(control: Control, sandbox: Sandbox) -> None:
    planned = sandbox.add_session()
    turn = {"after": 60, "text": "Done.", "fields": {"status": "ready"}}
    await control("POST", f"sessions/{planned}/plan", turn)
    await control("PUT", "script", {"turns": [{"text": "On my way."}, turn]})
    scripted = (await control.api("POST", body={"prompt": "Fix it"})).json()["session_id"]
    assert await control.session(scripted) == ("running", ["Fix it", "On my way."])
    moved = await control("POST", "clock", {"advance": {"minutes": 1}})
    assert moved == {"now": "2026-11-01T00:01:00+00:00", "ticks": False}
    assert await control.session(planned) == ("ready", ["Done."])
    assert await control.session(scripted) == ("ready", ["Fix it", "On my way.", "Done."])


async def test_a_script_has_rules_and_late_turns(control: Control) -> None:
    rules = [
        {"contains": ["docs"], "turns": [{"text": "Also the examples?", "fields": {"status": "question"}}]},
        {"turns": [{"text": "Done.", "fields": {"status": "ready"}, "late": 5}]},
    ]
    await control("PUT", "script", {"rules": rules})
    asks, is_late = [
        (await control.api("POST", body={"prompt": text})).json()["session_id"] for text in ("The DOCS", "Fix it")
    ]
    assert await control.session(asks) == ("question", ["The DOCS", "Also the examples?"])
    assert await control.session(is_late) == ("running", ["Fix it"])
    await control("POST", "clock", {"advance": {"seconds": 5}})
    assert await control.session(is_late) == ("ready", ["Fix it", "Done."])


async def test_a_script_is_removed(control: Control) -> None:
    for turns in ([{"text": "On my way."}], None):
        await control("PUT", "script", {"turns": turns})
    made = (await control.api("POST", body={"prompt": "Fix it"})).json()
    assert await control.session(made["session_id"]) == ("running", ["Fix it"])


async def test_the_clock_is_moved_to_a_time(control: Control) -> None:
    moved = await control("POST", "clock", {"to": "2030-01-01T00:00:00Z"})
    assert moved["now"] == "2030-01-01T00:00:00+00:00"


@pytest.mark.parametrize(("name", "sent"), [("my one", "my one"), ("a/diff", "a%2Fdiff")])
async def test_a_snapshot_is_taken_and_restored(control: Control, sandbox: Sandbox, name: str, sent: str) -> None:
    await control("POST", f"snapshots/{sent}")
    assert await control("GET", "snapshots") == {"snapshots": ["beginning", name]}
    sandbox.add_session()
    assert await control("GET", f"snapshots/{sent}/diff") == NONE | {"added": ["sessions/org-acme/assistant-1"]}
    await control("POST", f"snapshots/{sent}/restore")
    assert await control("GET", f"snapshots/{sent}/diff") == NONE


async def test_a_snapshot_moves_to_another_sandbox_without_its_credentials(control: Control, sandbox: Sandbox) -> None:
    sandbox.add_session(title="Kept")
    await control("POST", "snapshots/mine")
    document = await control("GET", "snapshots/mine")
    other = Sandbox()
    other.add_credential("svc_there")
    async with httpx.AsyncClient(transport=other.transport(), base_url=other.base_url) as there:
        await Control(there, other)("PUT", "snapshots/theirs", document)
        await Control(there, other)("POST", "snapshots/theirs/restore")
    async with other.client("svc_there") as platform:
        assert [each.title async for each in platform.organization().sessions.list()] == ["Kept"]
    assert "accounts" not in document


async def test_the_state_counts_records_and_deleted_ones_separately(control: Control, sandbox: Sandbox) -> None:
    for title in ("First", "Second"):
        sandbox.add_session(title=title)
    sandbox.state.collection("blueprints")[sandbox.add_blueprint()].deleted = True
    assert (await control("GET", "state"))["collections"] == [
        {"name": "blueprints", "count": 0, "deleted": 1, "newest": []},
        {"name": "sessions/org-acme", "count": 2, "deleted": 0, "newest": ["Second", "First"]},
    ]


async def test_the_journal_continues_after_a_number_and_after_it_was_cleared(control: Control) -> None:
    for _ in range(2):
        await control.api()
    found = await control("GET", "journal?after=1")
    shown = [(each["number"], each["operation"], each["status"]) for each in found["entries"]]
    assert (shown, found["last"]) == ([(2, "organization.sessions.list", 200)], 2)
    permissions = await control("GET", "journal/permissions")
    assert permissions["organization"] == {"ViewOrgSessions": ["organization.sessions.list"]}
    await control("DELETE", "journal")
    await control.api()
    found = await control("GET", "journal?after=2")
    assert ([each["number"] for each in found["entries"]], found["last"], found["cleared"]) == ([3], 3, 1)


async def test_reviews_are_settled(control: Control) -> None:
    await control.api("POST", "/v3/enterprise/pr-reviews", {"pr_url": PR})
    settled = await control("POST", "reviews/settle", {"status": "errored"})
    assert [(each["pr_number"], each["status"]) for each in settled] == [(7, "errored")]
    assert await control("POST", "reviews/settle") == []


async def test_the_assumptions_are_listed(control: Control, sandbox: Sandbox) -> None:
    listed = await control("GET", "assumptions")
    assert [each["gap"] for each in listed["assumptions"]] == [each.gap for each in sandbox.assumptions]
    assert [each["gap"] for each in listed["open_gaps"]] == [each.gap for each in sandbox.open_gaps]


async def test_a_credential_cannot_be_added_over_http(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.snapshots.take("mine")
    state = sandbox.snapshots.document("mine") | {"accounts": {"svc_added": {"kind": "serviceUser"}}}
    seed = {"sessions": [{}], "credentials": [{"token": "svc_added"}]}
    refused = [
        await http.post("/_sandbox/seed", json=seed),
        await http.put("/_sandbox/snapshots/theirs", json=state),
    ]
    for response in refused:
        assert (response.status_code, "svc_added" in response.text) == (400, False)
        assert "credentials are added in Python only, with sandbox.add_credential" in response.json()["detail"]
    assert (sandbox.snapshots.names, sandbox.snapshots.diff("mine")) == (["beginning", "mine"], NONE)


REFUSED_HALFWAY: list[tuple[str, str, Any]] = [
    ("PUT", "settings", {"org_group_limits_enabled": False, "session_capacity": 3, "rate_limit": {"per_second": 0}}),
    ("PUT", "settings", {"session_capacity": 3, "capacity_retry_after": -1}),
    ("PUT", "settings", {"capacity_retry_after": 3, "rate_limit": {"per_second": 1}, "session_capacity": "x"}),
    ("PUT", "settings", {"rate_limit": {"per_second": 1}, "session_capacity": -1}),
    ("PUT", "script", {"turns": [{"text": "x"}, {"text": "y", "after": 1e12}]}),
    ("PUT", "script", {"turns": [{"text": "x"}, {"text": "y", "after": 6e9}]}),
    ("PUT", "script", {"turns": [{"text": "x"}, {"fields": {"statsu": "ready"}}]}),
    ("PUT", "script", {"turns": ["x"], "rules": [{"turns": ["y"]}]}),
    ("PUT", "script", {"rules": [{"turns": ["x"]}, {"number": 0, "turns": ["y"]}]}),
    ("PUT", "script", {"rules": [{"turns": ["x"]}, {"turns": [{"text": "y", "after": 6e9}]}]}),
    ("PUT", "script", {}),
    ("POST", "seed", {"sessions": [{}, {"titel": "x"}]}),
    ("POST", "seed", {"organizations": [{"org_id": "org-x"}], "users": [{"user_id": "u", "organizations": ["org-y"]}]}),
    ("POST", f"{OPERATION[10:]}/require", {"permissions": ["X"], "level": "x"}),
    ("POST", f"{OPERATION[10:]}/require", {"level": "enterprise", "kinds": ["x"]}),
    ("POST", f"{OPERATION[10:]}/accept", {"parameters": ["x", 1]}),
    ("POST", "faults", {"status": 503, "retry_after": "\u00e9"}),
    ("POST", "clock", {"advance": {"hours": 1, "minutes": -90}}),
    ("POST", "clock", {"advance": {"hours": 1}, "to": "2027-01-01T00:00:00Z"}),
    ("PATCH", "sessions/assistant-1", {"title": "After", "status": 3}),
    ("PATCH", "sessions/assistant-1", {"title": "After", "session_id": "mine"}),
    ("POST", "sessions/assistant-1/messages", {"text": "x", "fields": {"created_at": "now"}}),
    ("POST", "sessions/assistant-1/plan", {"after": 1, "text": "x", "fields": {"status": 3}}),
    ("POST", "reviews/settle", {"status": "pending"}),
    ("PATCH", "sessions/assistant-1?title=After", {"status": "ready"}),
    ("PUT", "settings?session_capacity=1&session_capacity=2", None),
]


@pytest.mark.parametrize(("method", "path", "body"), REFUSED_HALFWAY)
async def test_a_command_that_is_refused_has_changed_nothing(
    sandbox: Sandbox, http: httpx.AsyncClient, control: Control, method: str, path: str, body: Any
) -> None:
    sandbox.add_session(title="Before")
    sandbox.snapshots.take()

    async def state() -> list[Any]:
        shown = [await control("GET", name) for name in ("settings", "faults", "clock", "snapshots/default/diff")]
        made = await control.api("POST", body={"prompt": "x"})
        listed = await control.api(path=f"{SESSIONS}?first=1&x=1")
        await control("POST", "snapshots/default/restore")
        return [*shown, made.status_code, listed.status_code, sandbox.state.script]

    before = await state()
    refused = await http.request(method, f"/_sandbox/{path}", json=body)
    assert refused.status_code == 400
    assert await state() == before


async def test_arguments_in_two_places_are_refused(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    refused = await http.post("/_sandbox/clock?to=2027-01-01T00:00:00Z", json={"to": "2028-01-01T00:00:00Z"})
    assert refused.json()["detail"] == "the arguments are in the query and in the body; send them in one of the two"
    assert (await http.post("/_sandbox/clock?to=2027-01-01T00:00:00Z")).is_success
    assert sandbox.clock().year == 2027


async def test_a_turn_after_the_end_of_the_clock_is_never_taken(control: Control) -> None:
    """It was possible when the script was set, and the clock has moved since then."""
    await control("PUT", "script", {"turns": [{"text": "Soon."}, {"text": "Late.", "after": 3e9}]})
    await control("POST", "clock", {"to": "2190-01-01T00:00:00Z"})
    made = await control.api("POST", body={"prompt": "Fix it"})
    assert await control.session(made.json()["session_id"]) == ("running", ["Fix it", "Soon."])
