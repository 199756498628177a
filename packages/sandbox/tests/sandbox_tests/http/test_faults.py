"""Scripted faults, in process and over TCP, and the rate limit."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, RetryPolicy, errors
from agent_session_platform_sandbox import RateLimit, RefusedError, Sandbox
from agent_session_platform_sandbox.contract import UnknownOperationError
from agent_session_platform_sandbox.faults import Fault

from sandbox_tests.http.test_server import exchange
from sandbox_tests.plain_http import PR, SESSIONS, send

LIST = "enterprise.blueprints.list"


@pytest.fixture(params=["in process", "tcp"])
async def either(request: pytest.FixtureRequest, sandbox: Sandbox) -> Any:
    """A client without retries, in process and over a socket."""
    with sandbox.serve() as address:
        settings = {"base_url": address} if request.param == "tcp" else {}
        async with sandbox.client(retry=RetryPolicy.none(), **settings) as platform:
            yield platform


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"status": 503, "latency": 0.001}, errors.ServerError, "503 Service Unavailable"),
        ({"status": 429, "retry_after": 0}, errors.RateLimitedError, "429"),
        ({"status": 500, "body": {"detail": "the disk is full"}}, errors.ServerError, "the disk is full"),
        ({"drop": True}, errors.ConnectionFailedError, "the exchange broke off"),
        ({"truncate": True}, errors.ConnectionFailedError, "the exchange broke off"),
        ({"html": True}, errors.DecodeError, "text/html instead of JSON"),
        ({"html": True, "status": 502}, errors.ServerError, "502 Bad Gateway"),
    ],
)
async def test_a_fault_is_met_once(
    sandbox: Sandbox, either: AgentPlatform, settings: dict[str, Any], error: type[Exception], message: str
) -> None:
    sandbox.faults.add(LIST, **settings)
    with pytest.raises(error, match=message):
        await either.enterprise.blueprints.list()
    assert (await either.enterprise.blueprints.list()).data == []


async def test_a_dropped_write_has_an_unknown_outcome(sandbox: Sandbox, either: AgentPlatform) -> None:
    sandbox.faults.add("enterprise.reviews.create", drop=True)
    with pytest.raises(errors.OutcomeUnknownError):
        await either.enterprise.reviews.create(pr_url=PR)
    assert sandbox.journal[0].status is None


@pytest.mark.parametrize("settings", [{"lose": True}, {"lose": True, "truncate": True}])
async def test_a_lost_response_undoes_no_write(sandbox: Sandbox, either: AgentPlatform, settings: Any) -> None:
    sandbox.faults.add("organization.sessions.create", **settings)
    sandbox.on_message(lambda message: f"About: {message.text}")
    org: Any = either.organization()
    with pytest.raises(errors.OutcomeUnknownError) as caught:
        await org.sessions.create(title="Fix it", prompt="Fix the flaky test")
    # Reading the state shows what was created, so that it is not created again.
    created = [each for each in (await caught.value.read()).items if each.title == "Fix it"]
    assert len(created) == 1
    messages = await org.sessions.list_messages(created[0].session_id).collect()
    assert [each.message for each in messages] == ["Fix the flaky test", "About: Fix the flaky test"]
    assert sandbox.journal.expect("organization.sessions.create", times=1)[0].status is None


@pytest.mark.parametrize("truncate", [False, True])
async def test_a_lost_response_of_a_read_is_retried(sandbox: Sandbox, platform: AgentPlatform, truncate: bool) -> None:
    fault = sandbox.faults.add(LIST, lose=True, truncate=truncate, times=2)
    assert (await platform.enterprise.blueprints.list()).data == []
    assert (fault.met, len(sandbox.journal.of(LIST))) == (2, 3)


def test_over_tcp_no_byte_of_a_lost_response_arrives(sandbox: Sandbox, address: str) -> None:
    sandbox.faults.add(lose=True)
    request = f"GET /v3/enterprise/roles HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {sandbox.token}\r\n\r\n"
    assert exchange(address, request.encode()) == b""


async def test_every_nth_request_meets_a_fault(sandbox: Sandbox) -> None:
    sandbox.faults.add(status=503, times=None, every=3)
    statuses = [(await send(sandbox, "GET", SESSIONS)).status_code for _ in range(7)]
    assert statuses == [200, 200, 503, 200, 200, 503, 200]


async def test_only_requests_of_its_operation_meet_a_fault(sandbox: Sandbox, platform: AgentPlatform) -> None:
    fault = sandbox.faults.add(LIST, status=503, times=2)
    other = sandbox.faults.add("enterprise.reviews.create", status=503)
    await platform.enterprise.blueprints.list()
    assert (fault.met, other.met, sandbox.faults.unused) == (2, 0, [other])


def test_a_fault_of_an_unknown_operation_is_refused(sandbox: Sandbox) -> None:
    message = "there is no operation 'enterprise.blueprint.list'; did you mean 'enterprise.blueprints.list'?"
    for name in (sandbox.faults.add, sandbox.journal.of, sandbox.journal.expect):
        with pytest.raises(UnknownOperationError, match=f"^{re.escape(message)}$"):
            name("enterprise.blueprint.list")


async def test_a_head_request_meets_the_fault_of_its_operation(sandbox: Sandbox) -> None:
    sandbox.faults.add(LIST, status=503)
    assert (await send(sandbox, "HEAD", "/v3/enterprise/snapshot-setup/blueprints")).status_code == 503
    assert sandbox.journal[0].operation == LIST


@pytest.mark.parametrize(
    ("message", "invalid"),
    [
        ("must have one of", [{}]),
        ("has one of .*: add a fault for each", [{"status": 503, "drop": True}, {"lose": True, "html": True}]),
        ("need a status", [{"lose": True, "body": {}}, {"retry_after": 5, "latency": 1}]),
        ("left out with html", [{"status": 503, "html": True, "body": {"detail": "x"}}]),
        ("must be of type boolean", [{"lose": 1}, {"drop": "yes"}]),
        ("must be of type", [{"status": True}, {"status": "503"}, {"status": 503, "body": ["x"]}]),
        ("less than the minimum", [{"status": 200}, {"status": 0}, {"drop": True, "every": 0}, {"latency": -1}]),
        ("greater than the maximum", [{"status": 600}, {"latency": 86_401}, {"latency": float("inf")}]),
        ("does not match", [{"status": 429, "retry_after": each} for each in ("1\r\nX: y", "1\n", "später")]),
        ("the fault.retry_after", [{"status": 429, "retry_after": "1" * 5000}]),
        ("JSON", [{"status": 503, "body": {"at": object()}}, {"status": 503, "body": {"at": float("nan")}}]),
    ],
)
def test_an_invalid_fault_is_refused(message: str, invalid: list[dict[str, Any]]) -> None:
    for settings in invalid:
        with pytest.raises((ValueError, TypeError), match=message):
            Fault(**settings)


def refusal(limit: RateLimit) -> str | None:
    """Return the Retry-After of the next request, which is refused."""
    with pytest.raises(RefusedError, match="too many requests") as caught:
        limit.admit()
    return caught.value.headers.get("Retry-After")


@pytest.mark.parametrize(("form", "header"), [("seconds", "1"), ("fraction", "0.500"), (None, None)])
def test_retry_after_has_the_given_form(form: str | None, header: str | None) -> None:
    limit = RateLimit(2, retry_after=form, clock=lambda: 0.0)
    limit.admit()
    assert refusal(limit) == header


@pytest.mark.parametrize(
    "settings", [{"per_second": 0}, {"per_second": 1, "burst": 0}, {"per_second": 1, "retry_after": "x"}]
)
def test_an_invalid_limit_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not"):
        RateLimit(**settings)


async def test_a_limit_by_the_sandboxs_clock_admits_nothing_until_it_moves(sandbox: Sandbox) -> None:
    """rate-limits: an assumption."""
    sandbox.rate_limit = RateLimit(500, burst=2, retry_after="fraction", clock=sandbox.clock)
    responses = [await send(sandbox, "GET", SESSIONS) for _ in range(4)]
    shown = [(each.status_code, each.headers.get("Retry-After")) for each in responses]
    assert shown == [(200, None), (200, None), (429, "0.002"), (429, "0.002")]
    sandbox.clock.advance(seconds=0.002)
    assert ((await send(sandbox, "GET", SESSIONS)).status_code, sandbox.rate_limit.refused) == (200, 2)


@pytest.mark.parametrize("per_second", [0.3, 3, 7, 50, 333])
@pytest.mark.parametrize("form", ["seconds", "fraction"])
def test_a_client_that_waits_for_retry_after_is_admitted(sandbox: Sandbox, per_second: float, form: str) -> None:
    limit = RateLimit(per_second, retry_after=form, clock=sandbox.clock)
    limit.admit()
    for _ in range(50):
        sandbox.clock.advance(seconds=float(refusal(limit) or "nan"))
        limit.admit()
        limit._tokens = min(limit._tokens, 0.0)


def test_a_clock_that_is_set_back_removes_no_tokens(sandbox: Sandbox) -> None:
    limit = RateLimit(1, burst=2, clock=sandbox.clock)
    limit.admit()
    sandbox.clock.set(sandbox.clock() - timedelta(days=1))
    limit.admit()
    assert refusal(limit) == "1"


async def test_a_latency_only_delays_the_response(sandbox: Sandbox, platform: AgentPlatform) -> None:
    fault = sandbox.faults.add(LIST, latency=0.001)
    assert ((await platform.enterprise.blueprints.list()).data, fault.met) == ([], 1)
