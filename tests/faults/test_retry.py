"""Retries by method and by fault, and every form of Retry-After, over real sockets."""

from __future__ import annotations

import asyncio
import socket
from datetime import UTC, datetime
from typing import Any

import pytest
from agent_session_platform import (
    ConnectionFailedError,
    OutcomeUnknownError,
    ProblemError,
    RateLimitedError,
    RetryEvent,
    RetryPolicy,
    ServerError,
)

from tests.faults.exposure import exposed
from tests.fixtures import all_transports
from tests.servers.fault_server import TOKEN, Script, client, fault_server
from tests.servers.scripts import HEAD, response, silence, then_close, then_reset, then_silence

pytestmark = pytest.mark.usefixtures("no_pauses")

OK = response({})
HALF = HEAD + b"Content-Length: 100\r\n\r\n{"

# The decision by method is a table in tests/test_retry.py: here one method of each kind goes over the socket.
methods = either = pytest.mark.parametrize("method", ["GET", "POST"])
reads = pytest.mark.parametrize("method", ["PUT"])
writes = pytest.mark.parametrize("method", ["POST"])


def policy(events: list[RetryEvent] | None = None, **settings: Any) -> RetryPolicy:
    hook = None if events is None else events.append
    return RetryPolicy(**{"backoff_base": 0.0, "backoff_cap": 0.0, "on_retry": hook, **settings})


def status(number: int, *fields: str) -> bytes:
    return response({"title": "T"}, f"{number} X", *fields)


BROKEN = {
    "reset before the head": then_reset(),
    "closed before the head": then_close(b""),
    "closed in the head": then_close(HEAD),
    "reset in the head": then_reset(HEAD),
    "closed in the body": then_close(HALF),
    "reset in the body": then_reset(HALF),
    "half a chunk": then_close(HEAD + b"Transfer-Encoding: chunked\r\n\r\n9\r\n{"),
    "no last chunk": then_close(HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"),
    "no HTTP": then_close(b"SSH-2.0-OpenSSH\r\n\r\n"),
}
SERVER_ERRORS = [status(number) for number in (500, 502, 503, 504, 520)]
SERVER_ERRORS += [status(503, "Retry-After: 0.01"), status(503, "Retry-After: soon")]
broken = pytest.mark.parametrize("script", BROKEN.values(), ids=BROKEN)
silent = pytest.mark.parametrize("script", [silence, then_silence(HALF)], ids=["before the head", "in the body"])
failed = pytest.mark.parametrize("script", SERVER_ERRORS)


async def call(platform: Any, method: str) -> Any:
    return await platform.request(method, "/v3/x", body=None if method in ("GET", "DELETE") else {"a": "1"})


@methods
@pytest.mark.parametrize("fields", [(), ("Retry-After: 0",), ("Retry-After: 0.01",)])
async def test_a_429_is_retried_for_every_method(transport: Any, method: str, fields: tuple[str, ...]) -> None:
    async with (
        fault_server(status(429, *fields), OK) as server,
        server.client(transport, retry=policy()) as platform,
    ):
        assert await call(platform, method) == {}
    first, second = server.requests
    assert (first.method, first.target, first.body) == (second.method, second.target, second.body)
    assert first.headers["authorization"] == second.headers["authorization"] == f"Bearer {TOKEN}"


@reads
@failed
async def test_a_5xx_is_retried_for_idempotent_methods(transport: Any, method: str, script: bytes) -> None:
    async with fault_server(script, OK) as server, server.client(transport, retry=policy()) as platform:
        assert await call(platform, method) == {}
    assert [request.method for request in server.requests] == [method, method]


@writes
@failed
async def test_a_5xx_to_a_write_is_a_server_error_at_once(transport: Any, method: str, script: bytes) -> None:
    async with fault_server(script, OK) as server, server.client(transport, retry=policy()) as platform:
        with pytest.raises(ServerError) as caught:
            await call(platform, method)
    assert (type(caught.value), len(server.requests)) == (ServerError, 1)


@either
@pytest.mark.parametrize("number", [400, 401, 403, 404, 408, 409, 418, 422, 425, 499])
async def test_another_4xx_is_final(transport: Any, method: str, number: int) -> None:
    async with (
        fault_server(status(number, "Retry-After: 0"), OK) as server,
        server.client(transport, retry=policy()) as platform,
    ):
        with pytest.raises(ProblemError) as caught:
            await call(platform, method)
    assert (caught.value.status, len(server.requests)) == (number, 1)


@all_transports
@reads
@broken
async def test_a_broken_exchange_is_retried_for_idempotent_methods(transport: Any, method: str, script: Script) -> None:
    events: list[RetryEvent] = []
    async with fault_server(script, script, OK) as server, server.client(transport, retry=policy(events)) as platform:
        assert await call(platform, method) == {}
    assert len(server.requests) == 3
    assert all(isinstance(event.error, ConnectionFailedError) and event.error.received for event in events)
    assert events


@all_transports
@writes
@broken
async def test_a_broken_exchange_of_a_write_has_an_unknown_outcome(transport: Any, method: str, script: Script) -> None:
    before = datetime.now(UTC)
    async with fault_server(script, OK) as server, server.client(transport, retry=policy()) as platform:
        with pytest.raises(OutcomeUnknownError, match=f"{method} /v3/x: .*may have been carried out") as caught:
            await call(platform, method)
    assert len(server.requests) == 1
    assert before <= caught.value.sent_at <= datetime.now(UTC)
    assert caught.value.operation is not None
    assert TOKEN not in exposed(caught.value)


@all_transports
@reads
@silent
async def test_a_timeout_is_retried_for_idempotent_methods(transport: Any, method: str, script: Script) -> None:
    events: list[RetryEvent] = []
    retry = policy(events, attempts=20)
    async with fault_server(script, OK) as server, server.client(transport, retry=retry, timeout=0.05) as platform:
        assert await call(platform, method) == {}
    assert len(server.requests) >= 2
    assert isinstance(events[0].error, ConnectionFailedError)
    assert "no data for 0.05 s" in str(events[0].error)


@all_transports
@writes
@silent
async def test_a_timeout_of_a_write_has_an_unknown_outcome(transport: Any, method: str, script: Script) -> None:
    retry = policy(attempts=20)
    async with fault_server(script) as server, server.client(transport, retry=retry, timeout=0.05) as platform:
        with pytest.raises(
            OutcomeUnknownError, match=r"no data for 0\.05 s.* may have been carried out and was not sent"
        ):
            await call(platform, method)
    assert len(server.requests) <= 1


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
    assert [type(event.error) for event in events] == [ConnectionFailedError]
    assert "could not connect to http://127.0.0.1:" in str(events[0].error)


@all_transports
@methods
async def test_a_connection_that_is_never_made_ends_after_the_last_attempt(transport: Any, method: str) -> None:
    events: list[RetryEvent] = []
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{sock.getsockname()[1]}"
        async with client(address, transport, retry=policy(events, attempts=3)) as platform:
            with pytest.raises(ConnectionFailedError, match=r"could not connect .*given up after 3 attempts") as caught:
                await call(platform, method)
    assert not caught.value.received
    assert [event.attempt for event in events] == [1, 2]


@all_transports
@reads
async def test_a_policy_of_one_attempt_sends_once(transport: Any, method: str) -> None:
    async with fault_server(then_close(b"")) as server, server.client(transport, retry=RetryPolicy.none()) as platform:
        with pytest.raises(ConnectionFailedError):
            await call(platform, method)
    assert len(server.requests) == 1


def http_date(moment: datetime, form: str) -> bytes:
    return b"Retry-After: " + moment.strftime(form).encode()


FORMS = ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"]
PAST, FUTURE = datetime(2020, 1, 1, tzinfo=UTC), datetime(2060, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("number", [429, 503])
@pytest.mark.parametrize(
    ("field", "hint"),
    [
        (b"Retry-After: 0", 0.0),
        (b"Retry-After: 0.01", 0.01),
        (b"retry-after:0.01", 0.01),
        (b"RETRY-AFTER: \t 0 \t ", 0.0),
        (b"Retry-After: 000000000000000000000000000", 0.0),
        *((http_date(PAST, form), 0.0) for form in FORMS),
        (b"X: y", None),
        (b"Retry-After:", None),
        (b"Retry-After: soon", None),
        (b"Retry-After: nan", None),
        (b"Retry-After: inf", None),
        (b"Retry-After: 1e9", None),
        (b"Retry-After: 2026-11-20T12:00:00Z", None),
        (b"Retry-After: Fri, 99 Nov 2026 12:00:30 GMT", None),
        (b"Retry-After: \xe2\x98\x83", None),
        (b"Retry-After: \xc2\xb2", None),
        (b"Retry-After: 0\r\nRetry-After: 0.02", 0.02),
    ],
)
async def test_a_valid_retry_after_is_obeyed_and_an_invalid_one_ignored(
    transport: Any, number: int, field: bytes, hint: float | None
) -> None:
    events: list[RetryEvent] = []
    script = status(number).replace(b"\r\n", b"\r\n" + field + b"\r\n", 1)
    async with fault_server(script, OK) as server, server.client(transport, retry=policy(events)) as platform:
        assert await call(platform, "GET") == {}
    [event] = events
    assert isinstance(event.error, ProblemError)
    assert event.error.retry_after == hint
    assert event.delay >= (hint or 0.0)


@either
@pytest.mark.parametrize(
    "field",
    [b"Retry-After: 61", b"Retry-After: 864000", b"Retry-After: 1" + b"0" * 300, b"Retry-After: " + b"9" * 4000]
    + [http_date(FUTURE, form) for form in FORMS]
    + [b"Retry-After: Fri, 31 Dec 9999 23:59:59 GMT"],
)
async def test_a_retry_after_beyond_the_cap_is_an_error_at_once(transport: Any, method: str, field: bytes) -> None:
    script = status(429).replace(b"\r\n", b"\r\n" + field + b"\r\n", 1)
    async with fault_server(script, OK) as server, server.client(transport, retry=policy()) as platform:
        with pytest.raises(
            RateLimitedError, match=r"\(not waited for: Retry-After is \S+ s, more than max_retry_after=60"
        ) as c:
            await call(platform, method)
        # It holds nobody else up either.
        assert await call(platform, method) == {}
    assert c.value.retry_after is not None
    assert c.value.retry_after > 60
    assert len(server.requests) == 2
