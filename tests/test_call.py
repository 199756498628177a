"""One call: its attempts, its deadline, the rate limiter and the end of the client."""

from __future__ import annotations

import asyncio
import logging
import re
from datetime import UTC, datetime
from functools import partial
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest
from agent_session_platform import AgentPlatform, Credential, RequestOptions, RetryEvent, RetryPolicy, errors

from tests.fixtures import ONE_ATTEMPT, in_virtual_time, until
from tests.servers.fault_server import client, fault_server
from tests.servers.scripts import BUSY, EMPTY_LIST, busy, response, then_silence

FAILED = response(b"", "503 Service Unavailable")
PR = "https://git.example.com/acme/shop/pull/7"


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        ({}, 3),
        ({"retry": ONE_ATTEMPT}, 1),
        ({"retry": RetryPolicy(attempts=4, backoff_base=0.0)}, 4),
        ({"retry": RetryPolicy(attempts=4), "attempts": 1}, 1),
    ],
)
@pytest.mark.parametrize("script", [FAILED, BUSY], ids=["503", "429"])
async def test_the_options_of_a_call_override_those_of_the_client(options: Any, sent: int, script: bytes) -> None:
    retry = RetryPolicy(attempts=3, backoff_base=0.0)
    async with fault_server(script) as server, server.client(retry=retry) as platform:
        with pytest.raises(errors.ProblemError, match=rf" \(given up after {sent} attempt"):
            await platform.enterprise.blueprints.list(options=RequestOptions(**options))
    assert len(server.requests) == sent


async def test_each_retry_is_reported_to_the_hook_and_the_log(caplog: pytest.LogCaptureFixture) -> None:
    events: list[RetryEvent] = []
    retry = RetryPolicy(backoff_base=0.0, on_retry=events.append)
    caplog.set_level(logging.INFO, "agent_session_platform")
    async with fault_server(BUSY, EMPTY_LIST) as server, server.client(retry=retry) as platform:
        await platform.enterprise.blueprints.list()
    [event] = events
    assert (event.operation.name, event.attempt) == ("enterprise.blueprints.list", 1)
    assert isinstance(event.error, errors.RateLimitedError)
    message = r"enterprise\.blueprints\.list: 429 Too Many Requests; waiting \d\.\d\d s before attempt 2"
    assert re.search(message, caplog.text)


@pytest.mark.parametrize(("status", "error"), [(429, errors.RateLimitedError), (503, errors.ServerError)])
@in_virtual_time
async def test_the_deadline_names_the_error_before_it(status: int, error: type[errors.ProblemError]) -> None:
    responses = [httpx.Response(status, headers={"Retry-After": "1"})]

    async def respond_once(request: httpx.Request) -> httpx.Response:
        return responses.pop() if responses else await asyncio.sleep(10**6)

    retry = RetryPolicy(deadline=100)
    async with client("https://example.com", httpx.MockTransport(respond_once), retry=retry) as platform:
        with pytest.raises(errors.DeadlineExceededError, match=rf"no response within .*: {status} ") as caught:
            await platform.enterprise.blueprints.list()
    assert isinstance(caught.value.__cause__, error)
    assert caught.value.response == caught.value.__cause__.response is not None


@pytest.mark.parametrize("max_connections", [1, 100])
@in_virtual_time
async def test_one_429_stops_every_call_of_its_operation(max_connections: int) -> None:
    """The next request is sent after Retry-After, no matter if the other calls began before or after the 429."""
    arrivals: list[float] = []

    def record(request: httpx.Request) -> httpx.Response:
        arrivals.append(asyncio.get_running_loop().time())
        if len(arrivals) == 1:
            return httpx.Response(429, headers={"Retry-After": "20"})
        return httpx.Response(200, json={"data": []})

    transport = httpx.MockTransport(record)
    async with client("https://example.com", transport, max_connections=max_connections) as platform:
        calls = [asyncio.create_task(platform.enterprise.blueprints.list())]
        await asyncio.sleep(1 if max_connections > 1 else 0)
        calls += [asyncio.create_task(platform.enterprise.blueprints.list()) for _ in range(5)]
        await asyncio.gather(*calls)
    assert len(arrivals) == 7
    assert arrivals[1] - arrivals[0] >= 20


@in_virtual_time
async def test_an_hour_that_the_server_asks_for_ends_300_calls_at_once_and_one_request_a_minute_asks_again() -> None:
    """Rule rate-limits: another operation is not concerned."""
    sent: list[str] = []

    async def refuse(request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(0.02)
        sent.append(request.url.path)
        refused = request.url.path.endswith("/queue")
        return httpx.Response(429, headers={"Retry-After": "3600"}) if refused else httpx.Response(200, json={})

    async with client("https://example.com", httpx.MockTransport(refuse)) as platform:
        queue = platform.enterprise.queue
        outcomes = await asyncio.gather(*(queue.get() for _ in range(300)), return_exceptions=True)
        assert all(isinstance(error, errors.RateLimitedError) and error.retry_at for error in outcomes)
        assert (len(sent) <= 16, asyncio.get_running_loop().time() < 1.0) == (True, True)
        await asyncio.sleep(61)
        sent.clear()
        outcomes = [*await asyncio.gather(*(queue.get() for _ in range(300)), return_exceptions=True)]
        assert len(sent) == 1
        await platform.enterprise.blueprints.list()
    assert len(outcomes) == 300


@in_virtual_time
async def test_a_credential_that_expires_while_the_call_waits_for_its_permit_is_not_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An upload that cannot be repeated would fail with a 401 for good."""
    monkeypatch.setattr("agent_session_platform.credentials.time", lambda: asyncio.get_running_loop().time())
    sent: list[tuple[float, str]] = []
    issued = iter(range(1, 10))

    async def issue() -> Credential:
        expires_at = datetime.fromtimestamp(asyncio.get_running_loop().time() + 20, UTC)
        return Credential(f"svc_token_number_{next(issued)}", expires_at=expires_at)

    def record(request: httpx.Request) -> httpx.Response:
        sent.append((asyncio.get_running_loop().time(), request.headers["authorization"][-1]))
        return httpx.Response(429, headers={"Retry-After": "40"}) if len(sent) == 1 else httpx.Response(200, json={})

    transport = httpx.MockTransport(record)
    async with AgentPlatform("https://example.com", issue, transport=transport) as platform:
        upload = platform.organization("org-acme").attachments.upload
        with pytest.raises(errors.RateLimitedError):
            await upload(file=b"x", options=RequestOptions(attempts=1))
        await upload(file=b"x")
    [first, second] = sent
    assert (first[1], second[1]) == ("1", "2")
    assert second[0] >= 40


@in_virtual_time
async def test_the_seconds_of_an_attempt_are_without_the_wait_for_its_permit() -> None:
    seconds: list[float] = []

    async def refuse_once(request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(0.5)
        return httpx.Response(200, json={}) if seconds else httpx.Response(429, headers={"Retry-After": "20"})

    transport = httpx.MockTransport(refuse_once)
    settings: Any = {"on_exchange": lambda record: seconds.append(record.seconds)}
    async with client("https://example.com", transport, **settings) as platform:
        await platform.enterprise.blueprints.list()
    assert seconds == pytest.approx([0.5, 0.5])


async def test_a_call_that_accepts_a_longer_wait_closes_the_rate_limiter_for_as_long() -> None:
    patient = RequestOptions(retry=RetryPolicy(max_retry_after=120))
    async with fault_server(busy(90)) as server, server.client() as platform:
        call = asyncio.create_task(platform.enterprise.blueprints.list(options=patient))
        await until(lambda: platform.rate_limiter.stats().rate_limited)
        assert platform.rate_limiter.stats().closed_for > 80
        call.cancel()


async def test_a_write_that_waited_for_a_connection_in_vain_was_not_carried_out() -> None:
    half = then_silence(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
    options = RequestOptions(retry=RetryPolicy(deadline=0.05))
    async with fault_server(half) as server, server.client(max_connections=1) as platform:
        async for _ in platform.organization().attachments.download("uuid", "name"):
            with pytest.raises(errors.DeadlineExceededError, match="because no connection became free"):
                await platform.enterprise.reviews.create(pr_url=PR, options=options)
            break
    assert [request.method for request in server.requests] == ["GET"]


async def test_on_send_is_awaited_before_each_attempt_is_sent() -> None:
    sent: list[int] = []

    async with fault_server(BUSY, EMPTY_LIST) as server, server.client() as platform:

        async def on_send() -> None:
            await asyncio.sleep(0.01)
            sent.append(len(server.requests))

        await platform.enterprise.blueprints.list(options=RequestOptions(on_send=on_send))
    assert sent == [0, 1]


async def fail() -> None:
    raise TimeoutError("the journal")


async def close_and_hang(platform: AgentPlatform) -> None:
    closing = asyncio.ensure_future(platform.aclose())
    await asyncio.Event().wait()
    await closing


FAILING: dict[str, tuple[Any, type[BaseException], str]] = {
    "its error": (lambda platform: fail, TimeoutError, "the journal"),
    "not async": (
        lambda platform: print,
        errors.InvalidArgumentError,
        "on_send must be an async function: it returned NoneType$",
    ),
    "closed": (lambda platform: partial(close_and_hang, platform), errors.ClientClosedError, "closed"),
    "hangs": (lambda platform: asyncio.Event().wait, errors.DeadlineExceededError, "because on_send did not return"),
}


@pytest.mark.parametrize(("make", "error", "message"), FAILING.values(), ids=FAILING)
async def test_an_attempt_whose_on_send_fails_is_not_sent(make: Any, error: type[Any], message: str) -> None:
    async with fault_server(EMPTY_LIST) as server, server.client(max_connections=1) as platform:
        deadline = 0.1 if error is errors.DeadlineExceededError else 20
        options = RequestOptions(retry=RetryPolicy(deadline=deadline), on_send=make(platform))
        with pytest.raises(error, match=message):
            await platform.enterprise.reviews.create(pr_url=PR, options=options)
        assert (server.requests, platform.rate_limiter.stats().in_flight) == ([], 0)


async def test_an_error_of_another_call_in_on_send_is_raised_as_it_is() -> None:
    async with fault_server(FAILED) as server, server.client(retry=ONE_ATTEMPT) as platform:
        options = RequestOptions(on_send=lambda: platform.request("GET", "/v3/none"))
        with pytest.raises(errors.ServerError, match=r"^GET /v3/none: 503 [^;]*$") as caught:
            await platform.enterprise.reviews.create(pr_url=PR, options=options)
    assert (caught.value.outcome_unknown, len(server.requests)) == (False, 1)


async def test_a_limit_that_opens_after_the_deadline_ends_the_call_at_once_without_on_send() -> None:
    on_send = AsyncMock()
    async with fault_server(busy(30)) as server, server.client() as platform:
        with pytest.raises(errors.RateLimitedError):
            await platform.enterprise.blueprints.list(options=RequestOptions(attempts=1))
        options = RequestOptions(retry=RetryPolicy(deadline=0.05), on_send=on_send)
        with pytest.raises(errors.RateLimitedError, match=r"not sent: .*the deadline comes before") as caught:
            await platform.enterprise.blueprints.list(options=options)
        assert caught.value.retry_at is not None
    assert (on_send.call_count, len(server.requests)) == (0, 1)
