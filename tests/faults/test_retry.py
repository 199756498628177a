"""Retries by method and by fault, and every form of Retry-After, over real sockets."""

from __future__ import annotations

import asyncio
import socket
from datetime import UTC, datetime
from typing import Any

import pytest
from agent_session_platform import (
    ConnectionFailedError,
    RateLimitedError,
    RetryEvent,
    RetryPolicy,
)

from tests.fixtures import all_transports
from tests.servers.fault_server import Script, client, fault_server
from tests.servers.scripts import HEAD, response, then_close, then_reset

pytestmark = pytest.mark.usefixtures("no_pauses")

OK = response({})
HALF = HEAD + b"Content-Length: 100\r\n\r\n{"

# The decision by method is a table in tests/test_retry.py: here one method of each kind goes over the socket.
methods = either = pytest.mark.parametrize("method", ["GET", "POST"])
reads = pytest.mark.parametrize("method", ["PUT"])


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


async def call(platform: Any, method: str) -> Any:
    return await platform.request(method, "/v3/x", body=None if method in ("GET", "DELETE") else {"a": "1"})


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


def http_date(moment: datetime, form: str) -> bytes:
    return b"Retry-After: " + moment.strftime(form).encode()


FORMS = ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"]
FUTURE = datetime(2060, 1, 1, tzinfo=UTC)


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
