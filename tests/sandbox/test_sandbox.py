"""The sandbox: real state, enforced rules, loud about what it does not know, and nothing shared."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    NotFoundError,
    ProblemError,
    RateLimitedError,
    RequestOptions,
    RetryPolicy,
    UnprocessableContentError,
)
from agent_session_platform.sandbox import RateLimit, Sandbox
from agent_session_platform.sandbox.__main__ import describe, main

SESSIONS = "/v3/organizations/org-acme/sessions"


async def test_a_session_lives(platform: AgentPlatform, org: Any) -> None:
    made = await org.sessions.create(assistant_mode="fast", extra_body={"prompt": "Fix it", "title": "Fix"})
    assert (made.assistant_mode, made.title) == ("fast", "Fix")
    await org.sessions.send_message(made.session_id, body={"message": "Please"})
    messages = await platform.enterprise.sessions.list_messages(made.session_id).collect()
    assert [message.source for message in messages] == ["user", "user", "assistant"]
    await org.sessions.archive(made.session_id)
    assert (await org.sessions.get(made.session_id)).is_archived
    await org.sessions.terminate(made.session_id)
    with pytest.raises(ConflictError, match="is terminated"):
        await org.sessions.send_message(made.session_id, body={"message": "Hello?"})


async def test_terminating_with_archive_also_archives(sandbox: Sandbox, org: Any) -> None:
    session_id = sandbox.add_session()
    await org.sessions.terminate(session_id, archive=True)
    assert (await org.sessions.get(session_id)).is_archived


async def test_sessions_are_filtered_by_origin(sandbox: Sandbox, org: Any) -> None:
    for origin in ("api", "slack", "jira"):
        sandbox.add_session(origin=origin)
    assert {session.origin async for session in org.sessions.list(origins=["api", "jira"])} == {"api", "jira"}


async def test_organizations_do_not_see_each_others_sessions(sandbox: Sandbox, platform: AgentPlatform) -> None:
    session_id = sandbox.add_session("org-globex")
    with pytest.raises(NotFoundError):
        await platform.organization("org-acme").sessions.get(session_id)


async def test_two_sandboxes_share_nothing() -> None:
    one, other = Sandbox(), Sandbox()
    one.add_session()
    async with other.client() as platform:
        assert await platform.organization().sessions.list().collect() == []


async def test_ids_are_the_same_in_every_run() -> None:
    assert [Sandbox().add_session() for _ in range(2)] == ["assistant-1", "assistant-1"]


async def test_a_cursor_holds_while_sessions_come(sandbox: Sandbox, org: Any) -> None:
    for number in range(4):
        sandbox.add_session(title=str(number))
    first = await org.sessions.list(first=2).first_page()
    sandbox.add_session(title="4")
    rest = await org.sessions.list(after=first.end_cursor).collect()
    assert [session.title for session in rest] == ["2", "3", "4"]


@pytest.mark.parametrize("cursor", ["x", "", "ä", "YWZ0ZXI6eA==", "YWZ0ZXI6MV8w", "YWZ0ZXI6MQ==\n", "YWZ0ZXI6LTU="])
async def test_a_cursor_of_nowhere_is_refused(org: Any, cursor: str) -> None:
    with pytest.raises(UnprocessableContentError, match="query.after: not a cursor of this list"):
        await org.sessions.list(after=cursor).first_page()


@pytest.mark.parametrize(
    ("method", "path", "error", "message"),
    [
        (
            "GET",
            "/v3/organizations/org-acme/session",
            NotFoundError,
            "did you mean '/v3/organizations/{org_id}/sessions'",
        ),
        ("PUT", SESSIONS, ProblemError, "405 Method Not Allowed"),
        ("GET", "/v3/organizations/org-nowhere/sessions", NotFoundError, "no organization org-nowhere"),
        ("GET", f"{SESSIONS}/assistant-9", NotFoundError, "no session assistant-9"),
        ("GET", "/v3/enterprise/sessions/assistant-9/messages", NotFoundError, "no session assistant-9"),
        ("DELETE", "/v3/enterprise/snapshot-setup/blueprints/b", NotFoundError, "no blueprint b"),
    ],
)
async def test_what_does_not_exist_is_told(
    platform: AgentPlatform, method: str, path: str, error: type[ProblemError], message: str
) -> None:
    with pytest.raises(error) as caught:
        await platform.request(method, path)
    assert message in str(caught.value)
    assert caught.value.instance == path


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"frist": 5}, "query.frist: unknown query parameter; did you mean 'first'?"),
        ({"first": "many"}, "query.first: 'many' is not of type 'integer'"),
        ({"origins": ["api", "fax"]}, "query.origins.1: 'fax' is not one of"),
    ],
)
async def test_a_query_that_the_contract_does_not_know_is_refused(
    platform: AgentPlatform, query: dict[str, Any], message: str
) -> None:
    with pytest.raises(UnprocessableContentError) as caught:
        await platform.request("GET", SESSIONS, query=query)
    assert message in str(caught.value)
    assert caught.value.error_code == "unprocessable_content"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"name": "n"}, "body.prompt: Field required"),
        ({"name": "n", "prompt": "p", "frequncy": "x"}, "body.frequncy: unknown field; did you mean 'frequency'?"),
        ({"name": 1, "prompt": "p"}, "body.name: 1 is not of type 'string'"),
        ({"name": "n", "prompt": "p", "agent": "advanced"}, "body.agent: 'advanced' is not one of"),
    ],
)
async def test_a_body_that_the_contract_does_not_allow_is_refused(
    platform: AgentPlatform, body: dict[str, Any], message: str
) -> None:
    with pytest.raises(UnprocessableContentError) as caught:
        await platform.request("POST", "/v3/organizations/org-acme/schedules", body=body)
    assert message in str(caught.value)


async def test_the_other_validation_form_is_a_problem_detail(platform: AgentPlatform) -> None:
    with pytest.raises(UnprocessableContentError) as caught:
        await platform.request("POST", "/v3/enterprise/pr-reviews", body={"pr_url": "not a URL"})
    assert caught.value.title == "Unprocessable Content"
    assert caught.value.errors[0]["loc"] == ["body", "pr_url"]


async def test_a_body_that_is_no_json_is_refused(sandbox: Sandbox, address: str) -> None:
    url, headers = f"{address}/v3/enterprise/pr-reviews", {"Authorization": f"Bearer {sandbox.token}"}
    async with httpx.AsyncClient(headers=headers) as client:
        assert (await client.post(url, content=b"{", headers={"Content-Type": "application/json"})).status_code == 400
        assert (await client.post(url, content=b"{}", headers={"Content-Type": "text/plain"})).status_code == 415
        refused = await client.post(url)
    assert (refused.status_code, refused.headers["Content-Type"]) == (422, "application/problem+json")


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer nobody", "Basic svc_sandbox_admin"])
async def test_a_header_without_a_known_credential_is_a_401(address: str, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header}
    async with httpx.AsyncClient() as client:
        refused = await client.get(f"{address}{SESSIONS}", headers=headers)
    assert (refused.status_code, refused.headers["WWW-Authenticate"]) == (401, "Bearer")


async def test_a_rate_limit_can_be_switched_on(sandbox: Sandbox, platform: AgentPlatform) -> None:
    sandbox.rate_limit = RateLimit(1, burst=2, clock=lambda: 0.0)
    never = RequestOptions(retry=RetryPolicy.none())
    for _ in range(2):
        await platform.enterprise.blueprints.list(options=never)
    with pytest.raises(RateLimitedError) as caught:
        await platform.enterprise.blueprints.list(options=never)
    assert caught.value.retry_after == 1.0
    assert sandbox.rate_limit.refused == 1
    sandbox.rate_limit = None


@pytest.mark.parametrize(("form", "header"), [("seconds", "1"), ("fraction", "0.500"), (None, None)])
def test_the_limiter_hints_as_told(form: str | None, header: str | None) -> None:
    limit = RateLimit(2, burst=1, retry_after=form, clock=lambda: 0.0)
    limit.admit()
    with pytest.raises(Exception, match="too many requests") as caught:
        limit.admit()
    assert caught.value.headers.get("Retry-After") == header  # type: ignore[attr-defined]  # a refusal


def test_the_limiter_fills_up_with_time() -> None:
    now = [0.0]
    limit = RateLimit(2, burst=1, clock=lambda: now[0])
    for _ in range(3):
        limit.admit()
        now[0] += 0.5


@pytest.mark.parametrize(
    "settings", [{"per_second": 0}, {"per_second": 1, "burst": 0}, {"per_second": 1, "retry_after": "x"}]
)
def test_a_limit_that_cannot_be_meant_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not"):
        RateLimit(**settings)


async def test_over_tcp_it_is_the_same(sandbox: Sandbox, address: str) -> None:
    for _ in range(250):
        sandbox.add_session()
    async with AgentPlatform(address, sandbox.token, organization="org-acme") as platform:
        assert len(await platform.organization().sessions.list().collect()) == 250
        with pytest.raises(BadRequestError):
            await platform.organization().schedules.create(name="n", prompt="p", frequency="* * * * *", platform="x")
    async with AgentPlatform(address, "svc_nobody", organization="org-acme") as platform:
        with pytest.raises(AuthenticationError):
            await platform.organization().sessions.get("assistant-1")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_as_a_process_it_tells_where_it_is_and_ends_when_told(number: signal.Signals) -> None:
    command = [sys.executable, "-W", "error", "-m", "agent_session_platform.sandbox", "--sessions", "3", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    headers = {"Authorization": f"Bearer {told['token']}"}
    page = httpx.get(f"{told['base_url']}/v3/organizations/{told['organization']}/sessions", headers=headers)
    assert page.json()["total"] == 3
    process.send_signal(number)
    _, complaints = process.communicate(timeout=30)
    assert (process.returncode, complaints) == (0, "")


def test_for_a_person_it_prints_what_to_export(sandbox: Sandbox) -> None:
    text = describe(sandbox, "http://127.0.0.1:1", as_json=False)
    assert "export AGENT_PLATFORM_BASE_URL=http://127.0.0.1:1\n" in text
    assert "until Ctrl-C" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--port", "99999"], "argument --port: must be at least 0 and at most 65535"),
        (["--sessions", "-3"], "argument --sessions: must be at least 0"),
        (["--rate-limit", "0"], "argument --rate-limit: must be at least 1"),
        (["--sessions", "many"], "must be a whole number, not 'many'"),
    ],
)
def test_an_argument_that_cannot_be_meant_is_told(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert message in capsys.readouterr().err


def test_a_port_in_use_is_told(address: str) -> None:
    port = address.rpartition(":")[2]
    with pytest.raises(SystemExit, match=f"cannot listen on port {port}: Address already in use"):
        main(["--port", port])
