"""What is sent again over real sockets, after what delay, and how often in all; how Retry-After is obeyed."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest
from agent_session_platform import AgentPlatformError, ExchangeRecord, RetryEvent, RetryPolicy, errors
from agent_session_platform.retry import RETRY_QUOTA

from tests.fixtures import QUICK, all_transports
from tests.servers.fault_server import TOKEN, Script, client, fault_server
from tests.servers.scripts import HEAD, response, silence, then_close, then_reset, then_silence

OK = response({})
HALF = HEAD + b"Content-Length: 100\r\n\r\n{"
HTML = response(b"<html>", media_type="text/html")
methods = pytest.mark.parametrize("method", ["GET", "POST"])


def policy(**settings: Any) -> RetryPolicy:
    return RetryPolicy(backoff_base=0.0, backoff_cap=0.0, **settings)


def status(number: int, *fields: str) -> bytes:
    return response({"title": "T"}, f"{number} X", *fields)


async def call(platform: Any, method: str) -> Any:
    return await platform.request(method, "/v3/x", body={"a": "1"} if method in ("PUT", "POST", "PATCH") else None)


# What the server does with the first request, and whether a PUT and a POST are sent again.
DECISIONS: dict[str, tuple[Script, bool, bool]] = {
    "429": (status(429), True, True),
    "429 with Retry-After": (status(429, "Retry-After: 0.01"), True, True),
    "500": (status(500), True, False),
    "503 with Retry-After": (status(503, "Retry-After: 0.01"), True, False),
    "520": (status(520), True, False),
    "404": (status(404), False, False),
    "409 with Retry-After": (status(409, "Retry-After: 0"), False, False),
    "HTML": (HTML, False, False),
    "closed before the head": (then_close(), True, False),
    "reset in the head": (then_reset(HEAD), True, False),
    "closed in the body": (then_close(HALF), True, False),
    "no HTTP": (then_close(b"SSH-2.0-OpenSSH\r\n\r\n"), True, False),
    "silence": (silence, True, False),
    "silence in the body": (then_silence(HALF), True, False),
}


@all_transports
@pytest.mark.parametrize(("script", "put", "post"), DECISIONS.values(), ids=DECISIONS)
async def test_a_request_is_sent_again_where_it_is_safe(transport: Any, script: Script, put: bool, post: bool) -> None:
    for method, again in (("PUT", put), ("POST", post)):
        # A slow machine may time out more than once.
        settings: Any = {"retry": policy(attempts=20), "timeout": 0.1}
        async with fault_server(script, OK) as server, server.client(transport, **settings) as platform:
            if again:
                assert await call(platform, method) == {}
            else:
                with pytest.raises((errors.ProblemError, errors.OutcomeUnknownError, errors.DecodeError)):
                    await call(platform, method)
        sent = [(each.target, each.body, each.headers["authorization"]) for each in server.requests]
        assert set(sent) == {("/v3/x", b'{"a":"1"}', f"Bearer {TOKEN}")}
        assert (len(sent) > 1) is again


@pytest.mark.parametrize(("method", "again"), [("GET", True), ("DELETE", True), ("PATCH", False)])
async def test_a_patch_is_not_sent_again_and_other_methods_are(transport: Any, method: str, again: bool) -> None:
    async with fault_server(status(500), OK) as server, server.client(transport) as platform:
        await asyncio.gather(call(platform, method), return_exceptions=True)
    assert (len(server.requests) > 1) is again


@all_transports
@methods
async def test_a_failed_connection_is_retried_for_every_method(transport: Any, method: str) -> None:
    events: list[RetryEvent] = []
    with socket.socket() as sock:
        # Bound and not listening: every connection is refused.
        sock.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{sock.getsockname()[1]}"

        def listen(event: RetryEvent) -> None:
            events.append(event)
            sock.listen()

        async with client(address, transport, retry=policy(on_retry=listen)) as platform:
            calling = asyncio.create_task(call(platform, method))
            while not events:
                await asyncio.sleep(0.001)
            async with fault_server(OK, sock=sock):
                assert await calling == {}
    assert [type(event.error) for event in events] == [errors.ConnectionFailedError]
    assert "could not connect to http://127.0.0.1:" in str(events[0].error)


@pytest.mark.parametrize("number", [429, 503])
@pytest.mark.parametrize(
    ("field", "hint"),
    [
        (b"retry-after:0.01", 0.01),
        (b"RETRY-AFTER: \t 0 \t ", 0.0),
        (b"X: y", None),
        (b"Retry-After: \xe2\x98\x83", None),
        (b"Retry-After: 0\r\nRetry-After: 0.02", 0.02),
    ],
)
async def test_a_valid_retry_after_is_obeyed(transport: Any, number: int, field: bytes, hint: float | None) -> None:
    events: list[RetryEvent] = []
    script = status(number).replace(b"\r\n", b"\r\n" + field + b"\r\n", 1)
    retry = policy(on_retry=events.append)
    async with fault_server(script, OK) as server, server.client(transport, retry=retry) as platform:
        assert await call(platform, "GET") == {}
    [event] = events
    assert isinstance(event.error, errors.ProblemError)
    assert event.error.retry_after == hint
    assert event.delay >= (hint or 0.0)


@methods
@pytest.mark.parametrize("value", ["65", "9" * 4000, "Fri, 31 Dec 9999 23:59:59 GMT"])
async def test_a_retry_after_beyond_the_cap_is_an_error_at_once(transport: Any, method: str, value: str) -> None:
    """It is remembered: the next call of the operation is not sent, and another operation is."""
    script = status(429, f"Retry-After: {value}")
    async with fault_server(script, OK) as server, server.client(transport) as platform:
        for message in ("429 T ", "not sent: 429 Too Many Requests came before "):
            reason = r"\(not waited for: Retry-After is \S+ s, more than max_retry_after=60\)"
            with pytest.raises(errors.RateLimitedError, match=message + reason) as caught:
                await call(platform, method)
            assert caught.value.retry_at is not None
            assert (caught.value.retry_after or 0.0) > 60
        assert await platform.request(method, "/v3/y", body={} if method == "POST" else None) == {}
    assert len(server.requests) == 2


async def test_the_last_of_several_errors_is_raised(transport: Any) -> None:
    scripts = [status(500), then_reset(HEAD), status(429), status(502), HTML]
    async with fault_server(*scripts) as server, server.client(transport, retry=QUICK) as platform:
        with pytest.raises(errors.DecodeError, match="200 with text/html instead of JSON"):
            await platform.enterprise.blueprints.list()


# The retry quota limits the requests to a server that is down, and to a server that fails now and then.

CALLS = 100


@all_transports
@pytest.mark.parametrize("script", [status(500), then_reset(), None], ids=["500", "reset", "refused"])
async def test_100_calls_to_a_server_that_is_down_make_200_requests(transport: Any, script: Script | None) -> None:
    """Without the retry quota there would be five hundred requests."""
    records: list[ExchangeRecord] = []
    async with fault_server(script or b"") as server:
        address = server.base_url if script else "http://127.0.0.1:1"
        async with client(address, transport, on_exchange=records.append) as platform:
            outcomes = await asyncio.gather(*(call(platform, "GET") for _ in range(CALLS)), return_exceptions=True)
            assert platform.rate_limiter.stats().retry_quota == 0
    assert len(records) == 2 * CALLS
    assert all(isinstance(each, AgentPlatformError) for each in outcomes)
    assert any("its retry quota is used up" in str(each) for each in outcomes)


@pytest.mark.parametrize(("number", "failures"), [*((500, failures) for failures in range(5)), (429, 2)])
async def test_a_success_gives_back_what_its_retries_took_and_429s_take_nothing(number: int, failures: int) -> None:
    async with fault_server(*[status(number)] * failures, OK) as server, server.client() as platform:
        await call(platform, "GET")
        assert platform.rate_limiter.stats().retry_quota == RETRY_QUOTA
        assert len(server.requests) == failures + 1


async def test_a_success_without_a_retry_gives_back_one_token() -> None:
    async with fault_server(*[status(500)] * 5, OK) as server, server.client() as platform:
        with pytest.raises(errors.ServerError):
            await call(platform, "GET")
        for number in range(1, 4):
            await call(platform, "GET")
            assert platform.rate_limiter.stats().retry_quota == RETRY_QUOTA - 20 + number
