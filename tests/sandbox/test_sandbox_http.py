"""The sandbox under control over HTTP: its commands, its seeds, its page and its process."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform.sandbox import RateLimit, Sandbox
from agent_session_platform.sandbox.__main__ import main
from agent_session_platform.sandbox.control.commands import COMMANDS

from tests.servers.browser import CHROMIUM

SESSIONS = "/v3/organizations/org-acme/sessions"
INJECTION = "<img src=x onerror=alert(1)></script><b>bold</b>"


@pytest.fixture
async def http(sandbox: Sandbox) -> AsyncIterator[httpx.AsyncClient]:
    """A plain HTTP client of the sandbox, in process, without a credential."""
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url) as client:
        yield client


def as_admin(sandbox: Sandbox) -> dict[str, str]:
    return {"Authorization": f"Bearer {sandbox.token}"}


async def test_the_index_lists_every_address(http: httpx.AsyncClient) -> None:
    addresses = (await http.get("/_sandbox")).json()["addresses"]
    assert {(each["method"], each["path"]) for each in addresses} == {(each.method, each.path) for each in COMMANDS}


async def test_every_address_without_a_body_answers_without_a_credential(http: httpx.AsyncClient) -> None:
    await http.post("/_sandbox/snapshots/mine")
    gets = [each.path.replace("{name}", "mine") for each in COMMANDS if each.method == "GET"]
    assert {path: (await http.get(path)).status_code for path in gets} == dict.fromkeys(gets, 200)


async def test_control_is_in_no_journal_and_meets_no_fault(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    fault = sandbox.faults.add(status=503, times=None)
    assert [(await http.get(path)).status_code for path in ("/_sandbox", "/_sandbox/nothing", "/")] == [200, 404, 200]
    assert (len(sandbox.journal), fault.met) == (0, 0)


async def test_the_state_counts_what_there_is(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_session(title="First")
    sandbox.add_session(title="Second")
    state = (await http.get("/_sandbox/state")).json()
    assert state["families"] == {"sessions": 2}
    assert state["collections"] == [
        {"name": "sessions/org-acme", "count": 2, "deleted": 0, "newest": ["Second", "First"]}
    ]


async def test_deleted_things_are_counted_apart(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    blueprint = sandbox.add_blueprint()
    sandbox.state.collection("blueprints")[blueprint].deleted = True
    [collection] = (await http.get("/_sandbox/state")).json()["collections"]
    assert (collection["count"], collection["deleted"], collection["newest"]) == (0, 1, [])


async def test_the_journal_goes_on_after_a_number(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    for _ in range(2):
        await http.get(SESSIONS, headers=as_admin(sandbox))
    answer = (await http.get("/_sandbox/journal?after=1")).json()
    assert [(each["number"], each["operation"], each["status"]) for each in answer["entries"]] == [
        (2, "organization.sessions.list", 200)
    ]
    assert answer["last"] == 2


async def test_a_journal_that_was_cleared_says_so_and_counts_on(http: httpx.AsyncClient) -> None:
    await http.get(SESSIONS)
    assert (await http.delete("/_sandbox/journal")).json() == {"entries": [], "last": 1, "cleared": 1}
    await http.get(SESSIONS)
    answer = (await http.get("/_sandbox/journal?after=1")).json()
    assert ([each["number"] for each in answer["entries"]], answer["last"], answer["cleared"]) == ([2], 2, 1)


async def test_no_answer_shows_a_credential_or_a_secret(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_credential("quite-unlike-the-others")
    sandbox.add_session(title=f"told {sandbox.token}")
    sandbox.add_session(title="told quite-unlike-the-others")
    secret = {"name": "KEY", "type": "key-value", "value": "hunter2"}
    await http.post("/v3/organizations/org-acme/secrets", json=secret, headers=as_admin(sandbox))
    await http.get(f"{SESSIONS}/svc_else?token=hunter2&note={sandbox.admin_key}", headers=as_admin(sandbox))
    await http.post("/_sandbox/faults", json={"status": 503, "body": {"detail": sandbox.viewer_token}})
    await http.post("/_sandbox/snapshots/mine")
    gets = [each.path.replace("{name}", "mine") for each in COMMANDS if each.method == "GET"]
    answers = "".join([(await http.get(path)).text for path in [*gets, f"/_sandbox/{sandbox.token}"]])
    hidden = [*sandbox.accounts.by_token, "hunter2", "svc_else"]
    assert [each for each in hidden if each in answers] == []


async def test_the_page_shows_no_credential(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_session(title=f"told {sandbox.token}")
    assert sandbox.token not in (await http.get("/")).text


@pytest.mark.parametrize(
    ("body", "now"),
    [
        ({"advance": {"hours": 1}}, "2026-11-01T01:00:00+00:00"),
        ({"advance": {"days": 1, "seconds": 0.5}}, "2026-11-02T00:00:00.500000+00:00"),
        ({"to": "2030-01-01T00:00:00Z"}, "2030-01-01T00:00:00+00:00"),
    ],
)
async def test_the_clock_moves(http: httpx.AsyncClient, body: dict[str, Any], now: str) -> None:
    assert (await http.post("/_sandbox/clock", json=body)).json() == {"now": now, "ticks": False}


async def test_what_is_due_is_done(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    trigger = {"type": "schedule:recurring", "rrule": "FREQ=HOURLY"}
    sandbox.add_automation(trigger=trigger, action={"type": "start_session", "prompt": "Triage"})
    await http.post("/_sandbox/clock", json={"advance": {"hours": 3}})
    assert (await http.get("/_sandbox/state")).json()["families"]["sessions"] == 3


async def test_a_fault_is_added_met_and_listed(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    body = {"operation": "organization.sessions.list", "status": 429, "retry_after": 7, "body": {"detail": "slowly"}}
    added = await http.post("/_sandbox/faults", json=body)
    assert (added.status_code, added.json()["unused"]) == (200, True)
    refused = await http.get(SESSIONS, headers=as_admin(sandbox))
    assert (refused.status_code, refused.headers["Retry-After"], refused.json()["detail"]) == (429, "7", "slowly")
    [fault] = (await http.get("/_sandbox/faults")).json()["faults"]
    assert (fault["operation"], fault["met"], fault["unused"]) == ("organization.sessions.list", 1, False)


async def test_the_faults_are_cleared(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.faults.add(status=503)
    assert (await http.delete("/_sandbox/faults")).json() == {"faults": []}
    assert (await http.get(SESSIONS, headers=as_admin(sandbox))).status_code == 200


async def test_a_rate_limit_is_set_shown_and_lifted(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    assert (await http.get("/_sandbox/rate-limit")).json() == {"rate_limit": None}
    limit = {"per_second": 0.001, "burst": 1, "retry_after": "seconds", "clock": "real"}
    assert (await http.put("/_sandbox/rate-limit", json=limit)).json() == {"rate_limit": {**limit, "refused": 0}}
    statuses = [(await http.get(SESSIONS, headers=as_admin(sandbox))).status_code for _ in range(2)]
    assert (statuses, (await http.get("/_sandbox/rate-limit")).json()["rate_limit"]["refused"]) == ([200, 429], 1)
    await http.delete("/_sandbox/rate-limit")
    assert (await http.get(SESSIONS, headers=as_admin(sandbox))).status_code == 200


async def test_a_rate_limit_keeps_to_the_sandboxs_clock_when_told_so(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    await http.put("/_sandbox/rate-limit", json={"per_second": 1000, "clock": "sandbox"})

    async def statuses(count: int) -> list[int]:
        return [(await http.get(SESSIONS, headers=as_admin(sandbox))).status_code for _ in range(count)]

    assert await statuses(3) == [200, 429, 429]
    await http.post("/_sandbox/clock", json={"advance": {"seconds": 0.001}})
    assert await statuses(2) == [200, 429]
    assert (await http.get("/_sandbox/rate-limit")).json()["rate_limit"]["clock"] == "sandbox"


@pytest.mark.parametrize(
    ("body", "clock"), [({}, "real"), ({"clock": "real"}, "real"), ({"clock": "sandbox"}, "sandbox")]
)
async def test_a_rate_limit_tells_its_clock(http: httpx.AsyncClient, body: dict[str, str], clock: str) -> None:
    shown = await http.put("/_sandbox/rate-limit", json={"per_second": 1, **body})
    assert shown.json()["rate_limit"]["clock"] == clock


async def test_a_clock_that_was_given_in_python_is_another(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.rate_limit = RateLimit(1, clock=lambda: 0.0)
    assert (await http.get("/_sandbox/rate-limit")).json()["rate_limit"]["clock"] == "other"


async def test_a_snapshot_is_taken_compared_and_restored(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    assert (await http.post("/_sandbox/snapshots/my one")).json() == {"snapshots": ["beginning", "my one"]}
    sandbox.add_session()
    diff = (await http.get("/_sandbox/snapshots/my one/diff")).json()
    assert diff == {"added": ["sessions/org-acme/assistant-1"], "removed": [], "changed": []}
    assert (await http.post("/_sandbox/snapshots/my one/restore")).json()["families"] == {}


async def test_reviews_are_settled(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    body = {"pr_url": "https://git.example.com/acme/shop/pull/7"}
    await http.post("/v3/enterprise/pr-reviews", json=body, headers=as_admin(sandbox))
    settled = (await http.post("/_sandbox/reviews/settle", json={"status": "errored"})).json()["settled"]
    assert [(each["pr_number"], each["status"]) for each in settled] == [(7, "errored")]
    assert (await http.post("/_sandbox/reviews/settle")).json() == {"settled": []}


async def test_a_session_is_suspended_whichever_organization_has_it(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    session_id = sandbox.add_session("org-globex")
    assert (await http.post(f"/_sandbox/sessions/{session_id}/suspend")).json() == {"suspended": session_id}
    found = await http.get(f"/v3/organizations/org-globex/sessions/{session_id}", headers=as_admin(sandbox))
    assert found.json()["status"] == "suspended"


async def test_an_operation_asks_something_else_of_a_credential(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    headers = {"Authorization": f"Bearer {sandbox.viewer_token}"}
    assert (await http.get("/v3/enterprise/queue", headers=headers)).status_code == 403
    body = {"permissions": ["ViewOrgSessions"]}
    assert (await http.post("/_sandbox/operations/enterprise.queue.get/require", json=body)).json()["required"] == body
    assert (await http.get("/v3/enterprise/queue", headers=headers)).status_code == 200


async def test_a_parameter_that_the_contract_does_not_know_is_let_through(
    sandbox: Sandbox, http: httpx.AsyncClient
) -> None:
    path = f"{SESSIONS}?status=running"
    assert (await http.get(path, headers=as_admin(sandbox))).status_code == 422
    await http.post("/_sandbox/operations/organization.sessions.list/accept", json={"parameters": ["status"]})
    assert (await http.get(path, headers=as_admin(sandbox))).status_code == 200


async def test_a_credential_is_removed_and_not_shown(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_credential("svc_expiring")
    for status in (200, 404):
        answer = await http.post("/_sandbox/credentials/remove", json={"token": "svc_expiring"})
        assert (answer.status_code, "svc_expiring" in answer.text) == (status, False)


async def test_what_the_account_team_enables_is_switched(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    assert (await http.get("/_sandbox/settings")).json() == {"org_group_limits_enabled": True}
    await http.put("/_sandbox/settings", json={"org_group_limits_enabled": False})
    refused = await http.get("/v3/enterprise/org-group-limits", headers=as_admin(sandbox))
    assert refused.status_code == 403


async def test_a_reset_is_the_beginning(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_session()
    sandbox.faults.add(status=503)
    assert (await http.post("/_sandbox/reset")).json()["families"] == {}
    assert [*sandbox.faults] == []


async def test_the_assumptions_are_listed(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    listed = (await http.get("/_sandbox/assumptions")).json()
    assert [each["gap"] for each in listed["assumptions"]] == [each.gap for each in sandbox.assumptions]
    assert [each["gap"] for each in listed["undecided"]] == [each.gap for each in sandbox.undecided]


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
        ("POST", "/_sandbox/faults", {"status": "503"}, 400, 'status: must be of type integer or null, not "503"'),
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
async def test_what_cannot_be_meant_is_told(
    http: httpx.AsyncClient, method: str, path: str, body: Any, status: int, detail: str
) -> None:
    answer = await http.request(method, path, content=None if body is None else json.dumps(body))
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    assert detail in answer.json()["detail"]


@pytest.mark.parametrize(
    "content",
    [b"{", b"\xff", b'{"per_second": NaN}', b'{"per_second": 1e999}', b'{"burst": 1, "burst": 2}', b"[" * 100_000],
)
async def test_a_body_that_is_no_json_is_told(http: httpx.AsyncClient, content: bytes) -> None:
    answer = await http.put("/_sandbox/rate-limit", content=content)
    assert (answer.status_code, answer.json()["detail"][:21]) == (400, "the body is not JSON:")


@pytest.mark.parametrize(
    ("origin", "status"), [("http://evil.example", 403), ("null", 403), ("http://sandbox.invalid", 200)]
)
async def test_a_page_of_another_origin_controls_nothing(http: httpx.AsyncClient, origin: str, status: int) -> None:
    assert (await http.post("/_sandbox/reset", headers={"Origin": origin})).status_code == status


@pytest.mark.parametrize(
    ("host", "status"),
    [("localhost:{}", 200), ("127.0.0.1:{}", 200), ("[::1]:{}", 200), ("a.localhost", 200), ("evil.example:{}", 403)],
)
def test_on_a_port_it_is_controlled_by_no_name_that_may_be_anybodys(address: str, host: str, status: int) -> None:
    """A page at a name that leads to this machine (DNS rebinding) is of the same origin."""
    name = host.format(address.rpartition(":")[2])
    headers = {"Host": name, "Origin": f"http://{name}"}
    assert httpx.post(f"{address}/_sandbox/reset", headers=headers).status_code == status


BROKEN = {"trigger": {"type": "schedule:recurring", "rrule": "X"}, "action": {"type": "start_session"}}
SEED: dict[str, Any] = {
    "sessions": [{"title": "Fix it", "org_id": "org-new", "tags": ["nightly"]}, {"title": "Ship it"}],
    "users": [{"user_id": "user-1", "email": "ada@example.com", "organizations": ["org-new"]}],
    "idp_users": [{"user_id": "user-2", "group_names": ["staff"]}],
    "idp_groups": [{"name": "staff"}],
    "roles": [{"role_id": "role-1", "permissions": ["ViewOrgSessions"]}],
    "hypervisors": [{"status": "available"}],
    "blueprints": [{"repo_name": "acme/shop"}],
    "repositories": [{"name": "acme/shop"}],
    "automations": [{"trigger": {"type": "schedule:recurring", "rrule": "FREQ=DAILY"}}],
    "organizations": [{"org_id": "org-new", "platforms": ["Linux"]}],
    "guardrail_violations": [{"org_id": "org-new", "session_id": "assistant-1", "guardrail_id": "guardrail-1"}],
    "credentials": [{"token": "svc_seeded_one", "permissions": ["ViewOrgSessions"], "organizations": ["org-new"]}],
}


async def test_a_seed_adds_what_it_lists(sandbox: Sandbox) -> None:
    added = sandbox.seed(SEED)
    assert {name: len(ids) for name, ids in added.items()} == {name: len(items) for name, items in SEED.items()}
    assert (added["sessions"], added["repositories"]) == (["assistant-1", "assistant-2"], ["acme/shop"])
    async with sandbox.client("svc_seeded_one", organization="org-new") as platform:
        assert [each.title async for each in platform.organization().sessions.list()] == ["Fix it"]


async def test_a_seed_over_http_names_no_credential(http: httpx.AsyncClient) -> None:
    answer = await http.post("/_sandbox/seed", json=SEED)
    assert answer.json()["added"]["credentials"] == ["serviceUser"]
    assert "svc_seeded_one" not in answer.text


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"sesions": []}, "the seed: there is no 'sesions'; did you mean 'sessions'?"),
        ({"sessions": {}}, "the seed.sessions: must be of type array, not {}"),
        ({"sessions": ["Fix it"]}, 'sessions[0]: must be of type object, not "Fix it"'),
        ({"sessions": [{}, {"titel": "Fix it"}]}, "sessions[1]: there is no 'titel'; did you mean 'title'?"),
        ({"sessions": [{"tags": [1]}]}, "sessions[0].tags[0]: must be of type string, not 1"),
        ({"sessions": [{"session_id": "mine"}]}, "sessions[0].session_id: is set by the sandbox; leave it out"),
        ({"sessions": [{"org_id": "org-acmee"}]}, "there is no organization 'org-acmee'; did you mean 'org-acme'?"),
        ({"users": [{"email": "ada@example.com"}]}, "users[0]: 'user_id' is missing"),
        ({"users": [{"user_id": "u", "organizations": ["org-x"]}]}, "users[0].organizations: there is no organization"),
        ({"idp_users": [{"user_id": "u", "group_names": ["staff"]}]}, "idp_users[0]: no IDP group staff"),
        ({"automations": [BROKEN]}, "automations[0]: body.trigger.rrule: not an iCalendar RRULE"),
        ({"automations": [{"self": 1}]}, "automations[0]: "),
        ({"credentials": [{"token": "svc_x", "kind": "user"}]}, 'credentials[0].kind: must be one of "serviceUser"'),
    ],
)
def test_a_seed_that_cannot_be_meant_adds_nothing(sandbox: Sandbox, document: dict[str, Any], message: str) -> None:
    first = {"hypervisors": [{}], "organizations": [{"org_id": "org-new"}]}
    sandbox.snapshots.take()
    with pytest.raises(ValueError, match=re.escape(message)):
        sandbox.seed({**first, **document})
    assert sandbox.snapshots.diff() == {"added": [], "removed": [], "changed": []}
    assert "org-new" not in sandbox.state.organizations


def test_a_message_about_a_credential_does_not_show_it(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match=r"credentials\[0\].token: must be of type string$"):
        sandbox.seed({"credentials": [{"token": ["svc_hidden"]}]})


async def test_the_page_escapes_everything(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    sandbox.add_session(title=INJECTION)
    sandbox.seed({"organizations": [{"org_id": INJECTION}], "sessions": [{"org_id": INJECTION, "title": INJECTION}]})
    sandbox.faults.add(status=429, retry_after=INJECTION)
    text = (await http.get("/")).text
    assert ("<img" in text, text.count("&lt;img src=x onerror=alert(1)&gt;")) == (False, 4)


async def test_the_page_lets_only_its_own_script_run(http: httpx.AsyncClient) -> None:
    answer = await http.get("/")
    policy = answer.headers["Content-Security-Policy"]
    nonce = policy.partition("script-src 'nonce-")[2].partition("'")[0]
    assert f'<script nonce="{nonce}">' in answer.text
    assert "default-src 'none'" in policy


async def test_the_page_names_what_is_set(sandbox: Sandbox, http: httpx.AsyncClient) -> None:
    await http.put("/_sandbox/rate-limit", json={"per_second": 50, "burst": 10})
    await http.post("/_sandbox/faults", json={"operation": "enterprise.blueprints.list", "drop": True, "every": 3})
    text = (await http.get("/")).text
    assert "<strong>50 a second</strong> by the real clock, 10 at once" in text
    assert "<td>drop</td><td>1 in 3, once</td>" in text
    assert "2026-11-01 00:00:00" in text


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")
def test_in_a_browser_the_script_fills_the_journal_in(sandbox: Sandbox, address: str, tmp_path: Path) -> None:
    sandbox.add_session(title=INJECTION)
    httpx.get(f"{address}{SESSIONS}", headers=as_admin(sandbox))
    httpx.get(f"{address}/v3/{INJECTION}")
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path}",
        "--virtual-time-budget=4000",
    ]
    command = [str(CHROMIUM), *options, "--dump-dom", address]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    assert f"GET {SESSIONS}<div" in shown
    assert "organization.sessions.list</div>" in shown
    assert "<img" not in shown
    # Neither the page nor its polling is a request that anybody made.
    assert len(sandbox.journal) == 2


@pytest.fixture
def state_file(tmp_path: Path) -> Path:
    return tmp_path / "state.json"


class Process:
    """The sandbox as a process of its own."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-W", "error", "-m", "agent_session_platform.sandbox", "--json", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.told: dict[str, str] = json.loads(self.process.stdout.readline())

    def end(self, number: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        self.process.send_signal(number)
        _, complaints = self.process.communicate(timeout=30)
        return self.process.returncode, complaints


@pytest.fixture
def processes() -> Iterator[list[Process]]:
    """Those that are started, for a test that fails to leave none."""
    started: list[Process] = []
    yield started
    for each in started:
        each.process.kill()
        each.process.communicate()


def families(process: Process) -> dict[str, int]:
    found: dict[str, int] = httpx.get(f"{process.told['base_url']}/_sandbox/state").json()["families"]
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_process_saves_its_state_at_the_end_and_goes_on_from_there(
    state_file: Path, tmp_path: Path, processes: list[Process], number: signal.Signals
) -> None:
    seed = tmp_path / "seed.json"
    seed.write_text('{"sessions": [{"title": "From the file"}]}')
    arguments = ["--state", str(state_file), "--seed-file", str(seed)]
    processes.append(Process(*arguments))
    body = {"sessions": [{"title": "Over HTTP"}]}
    assert httpx.post(f"{processes[0].told['base_url']}/_sandbox/seed", json=body).status_code == 200
    assert processes[0].end(number) == (0, "")
    assert "Over HTTP" in state_file.read_text()
    processes.append(Process(*arguments))
    # What was saved has the seed already.
    assert families(processes[1])["sessions"] == 2
    assert processes[1].end(number) == (0, "")


def test_a_process_ends_while_somebody_waits_for_an_answer(state_file: Path, processes: list[Process]) -> None:
    processes.append(Process("--state", str(state_file)))
    address = processes[0].told["base_url"]
    httpx.post(f"{address}/_sandbox/faults", json={"latency": 3600})
    with httpx.Client() as client, pytest.raises(httpx.ReadTimeout):
        client.get(f"{address}{SESSIONS}", timeout=0.2)
    code, complaints = processes[0].end()
    assert (code, "Traceback" in complaints) == (0, False)
    assert state_file.exists()


def test_a_reset_of_a_process_brings_its_seed_back(processes: list[Process]) -> None:
    processes.append(Process("--sessions", "3"))
    httpx.post(f"{processes[0].told['base_url']}/_sandbox/reset")
    assert families(processes[0])["sessions"] == 3
    assert "<title>Sandbox</title>" in httpx.get(processes[0].told["page"]).text
    processes[0].end()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"version": 1}', '{"version": 1, "now": 3}', "\0"])
def test_a_file_that_is_no_state_ends_it_with_a_line(state_file: Path, content: str) -> None:
    state_file.write_text(content)
    with pytest.raises(SystemExit) as caught:
        main(["--state", str(state_file)])
    assert str(caught.value).startswith(f"--state {state_file}: it is not a state of a sandbox: ")
    assert "\n" not in str(caught.value)
    assert state_file.read_text() == content


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "Expecting property name"),
        ('{"sesions": []}', "there is no 'sesions'; did you mean 'sessions'?"),
        (None, "No such file or directory"),
    ],
)
def test_a_wrong_seed_file_ends_it_with_a_line(tmp_path: Path, content: str | None, message: str) -> None:
    file = tmp_path / "seed.json"
    if content is not None:
        file.write_text(content)
    with pytest.raises(SystemExit) as caught:
        main(["--seed-file", str(file)])
    assert str(caught.value).startswith(f"--seed-file {file}: ")
    assert message in str(caught.value)


def test_a_state_that_cannot_be_saved_is_told_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="there is no directory .* to save it in; create it first"):
        main(["--state", str(tmp_path / "nowhere" / "state.json")])


def test_the_handlers_of_signals_are_as_before(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(SystemExit):
        main(["--seed-file", str(tmp_path / "nothing.json")])
    assert signal.getsignal(signal.SIGINT) is before
