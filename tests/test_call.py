"""The send path as a whole, against servers that fail."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import weakref
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    ClientClosedError,
    ConfigurationError,
    ConnectionFailedError,
    DeadlineExceededError,
    DecodeError,
    NotFoundError,
    OutcomeUnknownError,
    ProblemError,
    RateLimitedError,
    RequestOptions,
    RetryEvent,
    RetryPolicy,
    ServerError,
    UnprocessableContentError,
)
from agent_session_platform.sandbox import RateLimit, Sandbox

from tests.conftest import QUICK
from tests.servers.stranger import hang_up, response, silence, stranger

TOKEN = "svc_0123456789"
EMPTY = response(b'{"data": []}')
BUSY = response(b'{"title": "Too Many Requests"}', "429 Too Many Requests", Retry_After="0")
FAILED = response(b"", "503 Service Unavailable")
PR = "https://git.example.com/acme/shop/pull/7"


def client(base_url: str, **settings: object) -> AgentPlatform:
    return AgentPlatform(base_url, TOKEN, organization="org-acme", **{"retry": QUICK, **settings})  # type: ignore[arg-type]


async def test_a_read_is_tried_again_after_a_failure() -> None:
    async with stranger(BUSY, FAILED, hang_up, EMPTY) as server, client(server.base_url) as platform:
        assert (await platform.enterprise.blueprints.list()).data == []
    assert len(server.requests) == 4


async def test_a_write_is_tried_again_after_a_429() -> None:
    async with stranger(BUSY, response(b'{"status": "pending"}')) as server, client(server.base_url) as platform:
        assert (await platform.enterprise.reviews.create(pr_url=PR)).status == "pending"
    assert len(server.requests) == 2


async def test_a_write_is_not_tried_again_after_a_5xx() -> None:
    async with stranger(FAILED) as server, client(server.base_url) as platform:
        with pytest.raises(ServerError, match="503"):
            await platform.enterprise.reviews.create(pr_url=PR)
    assert len(server.requests) == 1


async def test_a_write_that_may_have_been_received_is_not_sent_twice() -> None:
    async with stranger(hang_up) as server, client(server.base_url) as platform:
        with pytest.raises(OutcomeUnknownError, match="enterprise.reviews.create: .*read the state") as caught:
            await platform.enterprise.reviews.create(pr_url=PR)
    assert len(server.requests) == 1
    assert caught.value.operation is not None
    assert caught.value.sent_at.tzinfo is not None


async def test_attempts_are_counted() -> None:
    policy = RetryPolicy(attempts=3, backoff_base=0.0)
    async with stranger(FAILED) as server, client(server.base_url, retry=policy) as platform:
        with pytest.raises(ServerError) as caught:
            await platform.enterprise.blueprints.list()
    assert len(server.requests) == 3
    assert str(caught.value).endswith("503 Service Unavailable (given up after 3 tries)")


async def test_a_policy_of_one_call_wins() -> None:
    async with stranger(FAILED) as server, client(server.base_url) as platform:
        with pytest.raises(ServerError):
            await platform.enterprise.blueprints.list(options=RequestOptions(retry=RetryPolicy.none()))
    assert len(server.requests) == 1


async def test_each_retry_is_told_to_the_hook_and_the_log(caplog: pytest.LogCaptureFixture) -> None:
    events: list[RetryEvent] = []
    policy = RetryPolicy(backoff_base=0.0, on_retry=events.append)
    caplog.set_level(logging.INFO, "agent_session_platform")
    async with stranger(BUSY, EMPTY) as server, client(server.base_url, retry=policy) as platform:
        await platform.enterprise.blueprints.list()
    [event] = events
    assert (event.operation.name, event.attempt) == ("enterprise.blueprints.list", 1)
    assert isinstance(event.error, RateLimitedError)
    told = r"enterprise\.blueprints\.list: 429 Too Many Requests; waiting \d\.\d\d s before try 2"
    assert re.search(told, caplog.text)


async def test_a_retry_after_beyond_the_cap_fails_at_once() -> None:
    busy = response(b"", "429 Too Many Requests", Retry_After="86400")
    async with stranger(busy) as server, client(server.base_url) as platform:
        with pytest.raises(RateLimitedError) as caught:
            await platform.enterprise.blueprints.list()
    assert caught.value.retry_after == 86400
    assert "(not waited for: Retry-After is 86400 s, more than max_retry_after=60)" in str(caught.value)
    assert caught.value.retry_at is not None
    assert len(server.requests) == 1


async def test_nobody_listening_is_told() -> None:
    async with stranger(EMPTY) as server:
        pass
    async with client(server.base_url) as platform:
        with pytest.raises(ConnectionFailedError, match="enterprise.blueprints.list: could not connect") as caught:
            await platform.enterprise.blueprints.list()
    assert not caught.value.received


async def test_a_silent_server_ends_at_the_timeout() -> None:
    async with stranger(silence) as server, client(server.base_url, timeout=0.05, retry=RetryPolicy.none()) as platform:
        with pytest.raises(ConnectionFailedError, match="no sign of life for 0.05 s"):
            await platform.enterprise.blueprints.list()
        with pytest.raises(OutcomeUnknownError, match="no sign of life for 0.05 s"):
            await platform.enterprise.reviews.create(pr_url=PR)


async def test_a_server_that_drips_ends_at_the_deadline() -> None:
    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n")
        while not reader.at_eof():
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.005)

    policy = RetryPolicy(deadline=0.1)
    async with stranger(drip) as server, client(server.base_url, retry=policy) as platform:
        with pytest.raises(DeadlineExceededError, match=r"no answer within 0.1 s"):
            await platform.enterprise.blueprints.list()
        with pytest.raises(OutcomeUnknownError, match=r"no answer within 0.1 s"):
            await platform.enterprise.reviews.create(pr_url=PR)


async def test_a_gate_that_stays_closed_ends_at_the_deadline() -> None:
    busy = response(b"", "429 Too Many Requests", Retry_After="30")
    async with stranger(busy) as server, client(server.base_url, retry=RetryPolicy(deadline=0.1)) as platform:
        with pytest.raises(RateLimitedError):
            await platform.enterprise.blueprints.list()
        with pytest.raises(DeadlineExceededError, match="not sent within 0.1 s, because the rate limiter was closed"):
            await platform.enterprise.blueprints.list()
    assert len(server.requests) == 1


async def test_one_429_stops_every_task_of_the_client() -> None:
    # The first answer is a 429 for a while: whoever comes meanwhile must wait, and then come through.
    busy = response(b"", "429 Too Many Requests", Retry_After="0.2")
    async with stranger(busy, EMPTY) as server, client(server.base_url) as platform:
        first = asyncio.create_task(platform.enterprise.blueprints.list())
        while not server.requests:
            await asyncio.sleep(0)
        # The answer is on its way; once it is in, nothing more is sent before its time has passed.
        while platform.rate_limiter.stats().rate_limited == 0:
            await asyncio.sleep(0)
        others = [asyncio.create_task(platform.enterprise.blueprints.list()) for _ in range(5)]
        await asyncio.sleep(0.05)
        assert len(server.requests) == 1
        await asyncio.gather(first, *others)


async def test_a_body_over_the_limit_is_an_error_and_not_a_full_memory() -> None:
    async with (
        stranger(response(b'"' + b"x" * 5000 + b'"')) as server,
        client(server.base_url, max_body=1000) as platform,
    ):
        with pytest.raises(DecodeError, match="200 with a body of more than 1000 bytes"):
            await platform.enterprise.blueprints.list()


async def test_a_cancelled_call_leaks_no_connection() -> None:
    """Httpx loses a connection whose request is cancelled; here the send goes on without its caller."""
    async with stranger(EMPTY) as server, client(server.base_url, max_connections=3) as platform:
        for _ in range(20):
            tasks = [asyncio.create_task(platform.enterprise.blueprints.list()) for _ in range(6)]
            await asyncio.sleep(0.002)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for _ in range(6):
            assert (await platform.enterprise.blueprints.list()).data == []
        assert platform.rate_limiter.stats().in_flight == 0


async def test_a_timeout_around_a_call_works() -> None:
    async with stranger(silence) as server, client(server.base_url) as platform:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await platform.enterprise.blueprints.list()


async def test_closing_ends_what_is_in_flight() -> None:
    async with stranger(silence) as server:
        platform = client(server.base_url)
        read = asyncio.create_task(platform.enterprise.blueprints.list())
        write = asyncio.create_task(platform.enterprise.reviews.create(pr_url=PR))
        while len(server.requests) < 2:
            await asyncio.sleep(0)
        await platform.aclose()
        with pytest.raises(ClientClosedError, match="closed during the call"):
            await read
        with pytest.raises(OutcomeUnknownError, match="the client was closed meanwhile"):
            await write


async def test_a_rate_limit_is_lived_with(sandbox: Sandbox, address: str) -> None:
    """rate-limits: no number is shown, so the client learns from what the server answers."""
    sandbox.rate_limit = RateLimit(200, burst=5, retry_after="fraction")
    async with AgentPlatform(address, sandbox.token) as platform:
        calls = [platform.enterprise.blueprints.list() for _ in range(60)]
        assert len(await asyncio.gather(*calls)) == 60
    assert sandbox.rate_limit.refused > 0


@pytest.mark.parametrize("transport", [None, "aiohttp"])
async def test_neither_transport_sends_a_write_twice(transport: Any) -> None:
    """httpx-aiohttp calls a connection that was lost after the request a ConnectTimeout."""
    async with stranger(hang_up) as server, client(server.base_url, transport=transport) as platform:
        with pytest.raises(OutcomeUnknownError):
            await platform.enterprise.reviews.create(pr_url=PR)
    assert len(server.requests) == 1


@pytest.mark.parametrize("transport", [None, "aiohttp"])
@pytest.mark.parametrize("script", [b"SSH-2.0-OpenSSH\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"])
async def test_no_error_of_a_transport_leaks_out(transport: Any, script: bytes) -> None:
    async with (
        stranger(script) as server,
        client(server.base_url, transport=transport, retry=RetryPolicy.none()) as platform,
    ):
        with pytest.raises(ConnectionFailedError) as caught:
            await platform.enterprise.blueprints.list()
    assert TOKEN not in repr(caught.value)


@pytest.mark.parametrize("transport", [None, "aiohttp"])
async def test_nobody_listening_is_told_by_either_transport(transport: Any) -> None:
    async with stranger(EMPTY) as server:
        pass
    async with client(server.base_url, transport=transport, retry=RetryPolicy.none()) as platform:
        with pytest.raises(ConnectionFailedError, match=f"could not connect to {server.base_url}") as caught:
            await platform.enterprise.reviews.create(pr_url=PR)
    assert not caught.value.received


async def test_deadlines_do_not_use_up_the_pool() -> None:
    """Httpx loses a connection whose request is cancelled; so at the deadline it is httpx that gives up."""

    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.02)
        writer.write(EMPTY)
        await writer.drain()

    short = RequestOptions(retry=RetryPolicy(deadline=0.01, attempts=1))
    async with stranger(slow) as server, client(server.base_url, max_connections=3) as platform:
        for _ in range(5):
            calls = [platform.enterprise.blueprints.list(options=short) for _ in range(6)]
            await asyncio.gather(*calls, return_exceptions=True)
        for _ in range(6):
            assert (await platform.enterprise.blueprints.list()).data == []


async def test_closing_sends_away_who_waits() -> None:
    """At the gate, and between two tries; a write that was not sent has no unknown outcome."""
    busy = response(b"", "429 Too Many Requests", Retry_After="30")
    async with stranger(busy) as server:
        platform = client(server.base_url)
        sleeping = asyncio.create_task(platform.enterprise.reviews.create(pr_url=PR))
        while platform.rate_limiter.stats().rate_limited == 0:
            await asyncio.sleep(0)
        waiting = asyncio.create_task(platform.enterprise.reviews.create(pr_url=PR))
        await asyncio.sleep(0.01)
        await platform.aclose()
        for task in (sleeping, waiting):
            with pytest.raises(ClientClosedError):
                await task
    assert len(server.requests) == 1


async def test_the_gate_is_closed_before_anybody_else_is_let_through() -> None:
    busy = response(b"", "429 Too Many Requests", Retry_After="0.2")
    async with stranger(busy, EMPTY) as server, client(server.base_url, max_connections=1) as platform:
        calls = [asyncio.create_task(platform.enterprise.blueprints.list()) for _ in range(3)]
        while platform.rate_limiter.stats().rate_limited == 0:
            await asyncio.sleep(0)
        await asyncio.sleep(0.05)
        assert len(server.requests) == 1
        await asyncio.gather(*calls)


async def test_a_429_counts_also_when_its_caller_is_gone() -> None:
    async def late(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.03)
        writer.write(response(b"", "429 Too Many Requests", Retry_After="5"))
        await writer.drain()

    async with stranger(late) as server, client(server.base_url) as platform:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await platform.enterprise.blueprints.list()
        gate = platform.rate_limiter
        while gate.stats().in_flight:
            await asyncio.sleep(0.005)
        assert gate.stats().closed_for > 4


@pytest.mark.parametrize(
    ("script", "status"),
    [
        (response(b"not gzip", "429 Too Many Requests", Content_Encoding="gzip"), 429),
        (response(b"not gzip", "404 Not Found", Content_Encoding="gzip"), 404),
        (response(b"x" * 5000, "503 Service Unavailable"), 503),
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 100\r\n\r\nhalf", 404),
    ],
)
async def test_the_status_decides_whatever_becomes_of_the_body(script: bytes, status: int) -> None:
    settings = {"max_body": 1000, "retry": RetryPolicy.none()}
    async with stranger(script) as server, client(server.base_url, **settings) as platform:
        for call in (platform.enterprise.blueprints.list(), platform.enterprise.reviews.create(pr_url=PR)):
            with pytest.raises(ProblemError) as caught:
                await call
            assert caught.value.status == status


async def test_a_retry_after_beyond_the_cap_holds_nobody_else_up() -> None:
    busy = response(b"", "429 Too Many Requests", Retry_After="86400")
    async with stranger(busy) as server, client(server.base_url) as platform:
        for _ in range(3):
            with pytest.raises(RateLimitedError, match="not waited for"):
                await platform.enterprise.blueprints.list()
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"http_client": object()}, "http_client must be an httpx.AsyncClient, not object"),
        ({"transport": object()}, "transport must be an httpx.AsyncBaseTransport, not object"),
    ],
)
async def test_what_is_no_client_or_transport_of_httpx_is_told(settings: dict[str, Any], message: str) -> None:
    platform = client("http://127.0.0.1:9", **settings)
    with pytest.raises(ConfigurationError, match=message):
        await platform.enterprise.blueprints.list()


async def test_an_httpx_client_that_is_closed_is_told() -> None:
    own = httpx.AsyncClient()
    await own.aclose()
    async with client("http://127.0.0.1:9", http_client=own) as platform:
        with pytest.raises(ConfigurationError, match="the http_client that was passed is closed"):
            await platform.enterprise.blueprints.list()


async def test_certificates_that_are_not_there_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/no/such/file.pem")
    with pytest.raises(ConfigurationError, match="certificates or proxies that the environment names"):
        await client("https://127.0.0.1:9").enterprise.blueprints.list()


@pytest.mark.parametrize("transport", [None, "aiohttp"])
async def test_a_download_under_way_holds_up_no_other_call(transport: Any) -> None:
    """Its request has been answered; only its connection is still in use."""

    async def half(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
        await writer.drain()
        await reader.read()

    async with stranger(half, BUSY, EMPTY) as server, client(server.base_url, transport=transport) as platform:
        async for _ in platform.organization().attachments.download("uuid", "name"):
            async with asyncio.timeout(5):
                assert (await platform.enterprise.blueprints.list()).data == []
            assert platform.rate_limiter.stats().in_flight == 1
            break


@pytest.mark.parametrize(
    ("status", "error"), [("404 Not Found", NotFoundError), ("422 Unprocessable", UnprocessableContentError)]
)
async def test_a_hook_that_raises_for_the_status_changes_no_error(status: str, error: type[ProblemError]) -> None:
    async def raise_for_status(answer: httpx.Response) -> None:
        answer.raise_for_status()

    own = httpx.AsyncClient(event_hooks={"response": [raise_for_status]})
    async with stranger(response(b"{}", status)) as server, own, client(server.base_url, http_client=own) as platform:
        with pytest.raises(error):
            await platform.enterprise.reviews.create(pr_url=PR)
    assert len(server.requests) == 1


class Odd(httpx.AsyncBaseTransport):
    """A transport that raises what no transport should."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        raise self.error


class Stop(BaseException):
    """What is no Exception, as pytest's own failures are not."""


async def test_what_is_no_exception_comes_out_and_leaves_no_passage_behind() -> None:
    async with client("https://example.com", transport=Odd(Stop())) as platform:
        with pytest.raises(Stop):
            await platform.enterprise.blueprints.list()
        assert platform.rate_limiter.stats().in_flight == 0


async def test_a_transport_that_cancels_itself_is_no_closed_client() -> None:
    odd = Odd(asyncio.CancelledError())
    async with client("https://example.com", transport=odd, retry=RetryPolicy.none()) as platform:
        with pytest.raises(ConnectionFailedError, match=r"enterprise\.blueprints\.list: the transport gave up"):
            await platform.enterprise.blueprints.list()
        with pytest.raises(OutcomeUnknownError):
            await platform.enterprise.reviews.create(pr_url=PR)


async def test_a_call_that_waits_longer_closes_the_gate_for_as_long() -> None:
    busy = response(b"", "429 Too Many Requests", Retry_After="90")
    patient = RequestOptions(retry=RetryPolicy(max_retry_after=120))
    async with stranger(busy) as server, client(server.base_url) as platform:
        call = asyncio.create_task(platform.enterprise.blueprints.list(options=patient))
        while platform.rate_limiter.stats().rate_limited == 0:
            await asyncio.sleep(0.001)
        assert platform.rate_limiter.stats().closed_for > 80
        call.cancel()


async def test_no_cookie_is_kept() -> None:
    cookie = response(b'{"data": []}', Set_Cookie="a=b; Path=/")
    async with stranger(cookie) as server, client(server.base_url) as platform:
        for _ in range(2):
            await platform.enterprise.blueprints.list()
    assert b"cookie" not in server.requests[1].lower()


async def test_an_error_is_gone_when_nobody_holds_it() -> None:
    """No cycle with its own traceback, in which the whole answer would wait for the garbage collector."""
    gone: list[weakref.ref[Exception]] = []
    missing = response(b"{}", "404 Not Found")
    async with stranger(missing, hang_up) as server, client(server.base_url, retry=RetryPolicy.none()) as platform:
        gc.disable()
        try:
            for _ in range(2):
                try:
                    await platform.enterprise.blueprints.list()
                except AgentPlatformError as error:
                    gone.append(weakref.ref(error))
            assert [each() for each in gone] == [None, None]
        finally:
            gc.enable()
