"""One call: its attempts, its deadline, the rate limiter and the end of the client."""

from __future__ import annotations

import asyncio
import logging
import re
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    ClientClosedError,
    DeadlineExceededError,
    InvalidArgumentError,
    LocalRateLimiter,
    ProblemError,
    RateLimitedError,
    ReceivedResponse,
    RequestOptions,
    RetryEvent,
    RetryPolicy,
    ServerError,
)
from agent_session_platform.rate_limit.interface import Permit
from agent_session_platform_sandbox import RateLimit, Sandbox

from tests.fixtures import ONE_ATTEMPT, all_transports, until
from tests.servers.fault_server import Connection, Request, client, fault_server
from tests.servers.scripts import EMPTY_LIST, after, response

BUSY = response({"title": "Too Many Requests"}, "429 Too Many Requests", "Retry-After: 0")
FAILED = response(b"", "503 Service Unavailable")
PR = "https://git.example.com/acme/shop/pull/7"


def busy(retry_after: float) -> bytes:
    return response(b"", "429 Too Many Requests", f"Retry-After: {retry_after}")


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
async def test_the_policy_and_the_attempts_of_a_call_override_those_of_the_client(
    options: Any, sent: int, script: bytes
) -> None:
    retry = RetryPolicy(attempts=3, backoff_base=0.0)
    async with fault_server(script) as server, server.client(retry=retry) as platform:
        with pytest.raises(ProblemError, match=rf" \(given up after {sent} attempt"):
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
    assert isinstance(event.error, RateLimitedError)
    message = r"enterprise\.blueprints\.list: 429 Too Many Requests; waiting \d\.\d\d s before attempt 2"
    assert re.search(message, caplog.text)


class OnceOpen(LocalRateLimiter):
    """A rate limiter that gives one permit, and none before any deadline after it."""

    permits = 0

    async def acquire(self, ticket: int, deadline: float) -> Permit:
        self.permits += 1
        if self.permits > 1:
            raise TimeoutError
        return await super().acquire(ticket, deadline)


async def test_the_deadline_after_a_429_tells_of_it() -> None:
    seen: list[ReceivedResponse] = []
    settings = {"rate_limiter": OnceOpen(), "on_response": seen.append}
    async with fault_server(BUSY) as server, server.client(**settings) as platform:
        with pytest.raises(DeadlineExceededError, match="not sent again within .*429 Too Many Requests") as caught:
            await platform.enterprise.blueprints.list()
    assert isinstance(caught.value.__cause__, RateLimitedError)
    assert seen == [caught.value.response] == [caught.value.__cause__.response]


async def test_the_deadline_after_a_503_tells_of_it() -> None:
    async with fault_server(FAILED, after(20, EMPTY_LIST)) as server, server.client() as platform:
        retry = RetryPolicy(deadline=0.1, backoff_base=0.0)
        with pytest.raises(DeadlineExceededError, match="no response within .*503 Service Unavailable") as caught:
            await platform.enterprise.blueprints.list(options=RequestOptions(retry=retry))
    assert isinstance(caught.value.__cause__, ServerError)


@pytest.mark.parametrize("max_connections", [1, 100])
async def test_one_429_stops_every_task_of_the_client(max_connections: int) -> None:
    """The next request comes when the time has passed, whether the other calls began before the 429 or after it."""
    arrivals: list[float] = []

    async def record(request: Request, connection: Connection) -> None:
        arrivals.append(asyncio.get_running_loop().time())
        await connection.send(busy(0.2) if len(arrivals) == 1 else EMPTY_LIST)

    async with fault_server(record) as server, server.client(max_connections=max_connections) as platform:
        calls = [asyncio.create_task(platform.enterprise.blueprints.list())]
        if max_connections > 1:
            await until(lambda: platform.rate_limiter.stats().rate_limited)
        calls += [asyncio.create_task(platform.enterprise.blueprints.list()) for _ in range(5)]
        await asyncio.gather(*calls)
    assert len(arrivals) == 7
    assert arrivals[1] - arrivals[0] >= 0.2


async def test_a_call_that_accepts_a_longer_wait_closes_the_rate_limiter_for_as_long() -> None:
    patient = RequestOptions(retry=RetryPolicy(max_retry_after=120))
    async with fault_server(busy(90)) as server, server.client() as platform:
        call = asyncio.create_task(platform.enterprise.blueprints.list(options=patient))
        await until(lambda: platform.rate_limiter.stats().rate_limited)
        assert platform.rate_limiter.stats().closed_for > 80
        call.cancel()


async def test_a_rate_limit_is_lived_with(sandbox: Sandbox, address: str) -> None:
    """rate-limits: no number is shown, so the client learns from what the server answers."""
    sandbox.rate_limit = RateLimit(200, burst=5, retry_after="fraction")
    async with AgentPlatform(address, sandbox.token) as platform:
        calls = [platform.enterprise.blueprints.list() for _ in range(60)]
        assert len(await asyncio.gather(*calls)) == 60
    assert sandbox.rate_limit.refused > 0


@all_transports
async def test_deadlines_do_not_use_up_the_connections(transport: Any) -> None:
    """Httpx loses a connection whose request is cancelled; so at the deadline it is httpx that gives up."""
    short = RequestOptions(retry=RetryPolicy(deadline=0.01, attempts=1))
    async with (
        fault_server(after(0.02, EMPTY_LIST)) as server,
        server.client(transport, max_connections=3) as platform,
    ):
        for _ in range(5):
            calls = [platform.enterprise.blueprints.list(options=short) for _ in range(6)]
            await asyncio.gather(*calls, return_exceptions=True)
        for _ in range(6):
            assert (await platform.enterprise.blueprints.list()).data == []


async def test_closing_ends_the_calls_that_wait() -> None:
    """For the rate limiter and for the next attempt; the outcome of a write that was not sent is known."""
    async with fault_server(busy(30)) as server:
        platform = server.client()
        refused = asyncio.create_task(platform.enterprise.reviews.create(pr_url=PR))
        await until(lambda: platform.rate_limiter.stats().rate_limited)
        waiting = asyncio.create_task(platform.enterprise.reviews.create(pr_url=PR))
        await asyncio.sleep(0.01)
        await platform.aclose()
        for task in (refused, waiting):
            with pytest.raises(ClientClosedError):
                await task
    assert len(server.requests) == 1


async def test_a_write_that_waited_for_a_connection_in_vain_was_not_carried_out() -> None:
    """The file of a redirect has the only connection."""
    methods: list[str] = []

    def redirect(request: httpx.Request) -> httpx.Response:
        methods.append(request.method)
        if request.url.host == "example.com":
            return httpx.Response(302, headers={"Location": "https://files.example.com/x"})
        return httpx.Response(200, content=b"abc")

    options = RequestOptions(retry=RetryPolicy(deadline=0.05))
    async with client("https://example.com", httpx.MockTransport(redirect), max_connections=1) as platform:
        download = platform.organization().attachments.download("uuid", "name")
        chunks = download.stream(follow=True, hosts=["files.example.com"])
        await anext(chunks)
        with pytest.raises(DeadlineExceededError, match=r"not sent within 0\.05 s, because no connection became free"):
            await platform.enterprise.reviews.create(pr_url=PR, options=options)
    assert methods == ["GET", "GET"]


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


FAILING: dict[str, tuple[Any, type[BaseException], str]] = {
    "its error": (lambda platform: fail, TimeoutError, "the journal"),
    "not async": (lambda platform: lambda: None, InvalidArgumentError, "on_send must be an async function, but ret"),
    "closes": (lambda platform: platform.aclose, ClientClosedError, "closed"),
    "hangs": (lambda platform: asyncio.Event().wait, DeadlineExceededError, "because on_send did not return"),
}


@pytest.mark.parametrize(("make", "error", "message"), FAILING.values(), ids=FAILING)
async def test_an_attempt_whose_on_send_does_not_return_is_not_sent_and_keeps_no_place(
    make: Any, error: type[BaseException], message: str
) -> None:
    async with fault_server(EMPTY_LIST) as server, server.client(max_connections=1) as platform:
        options = RequestOptions(retry=RetryPolicy(deadline=0.1), on_send=make(platform))
        with pytest.raises(error, match=message):
            await platform.enterprise.reviews.create(pr_url=PR, options=options)
        assert (server.requests, platform.rate_limiter.stats().in_flight) == ([], 0)


async def test_closing_the_client_ends_on_send() -> None:
    async with fault_server(EMPTY_LIST) as server, server.client() as platform:
        begun, never = asyncio.Event(), asyncio.Event()

        async def on_send() -> None:
            begun.set()
            await never.wait()

        call = asyncio.ensure_future(platform.enterprise.blueprints.list(options=RequestOptions(on_send=on_send)))
        await begun.wait()
        await platform.aclose()
        with pytest.raises(ClientClosedError):
            await call
    assert server.requests == []


async def test_a_rate_limiter_that_stays_closed_ends_the_call_at_its_deadline_without_on_send() -> None:
    called = False

    async def on_send() -> None:
        nonlocal called
        called = True

    async with fault_server(busy(30)) as server, server.client() as platform:
        with pytest.raises(RateLimitedError):
            await platform.enterprise.blueprints.list(options=RequestOptions(attempts=1))
        options = RequestOptions(retry=RetryPolicy(deadline=0.05), on_send=on_send)
        with pytest.raises(DeadlineExceededError, match="not sent within 0.05 s, because the rate limiter was closed"):
            await platform.enterprise.blueprints.list(options=options)
    assert (called, len(server.requests)) == (False, 1)
