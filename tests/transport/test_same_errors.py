"""The same failure is the same error on every transport: class, attributes and the form of the message."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import aiohttp
import anyio
import h2.exceptions
import h11
import httpcore
import httpcore2
import httpx
import httpx2
import pytest
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    ConnectionFailedError,
    InvalidArgumentError,
    OutcomeUnknownError,
)

from tests.faults.exposure import chained, exposed
from tests.fixtures import ONE_ATTEMPT, PASSED, URL, all_clients, all_transports, httpx_transports
from tests.servers.fault_server import TOKEN, Connection, Request, Script, client, fault_server
from tests.servers.scripts import EMPTY_LIST, HEAD, response, silence, then_close, then_reset, then_silence

CHUNKED = b"Transfer-Encoding: chunked"
LARGE = bytes(16_000_000)
LONG = "x" * 8_000_000

BROKEN_OFF = r"the exchange broke off \(\w+(: .*)?\)"
SILENCE = r"no data for 0.1 s \(\w+(: .*)?\)"


async def reset_in_the_body(request: Request, connection: Connection) -> None:
    await connection.send(HEAD + b"Content-Length: 100\r\n\r\n{")
    # Wait, because the reset would overtake the bytes that were sent.
    await asyncio.sleep(0.02)
    connection.reset()


def body(fields: bytes, content: bytes) -> Script:
    return then_close(HEAD + fields + b"\r\n\r\n" + content)


SILENT: dict[str, Script] = {
    "silence": silence,
    "silence in the body": then_silence(HEAD + b"Content-Length: 100\r\n\r\n{"),
}
BROKEN: dict[str, Script] = {
    "closed before the head": then_close(b""),
    "closed in the head": then_close(HEAD),
    "reset before the head": then_reset(),
    "reset in the body": reset_in_the_body,
    "shorter than its length": body(b"Content-Length: 100", b"{"),
    "closed in a chunk": body(CHUNKED, b"5\r\n{"),
    "closed after a chunk": body(CHUNKED, b"2\r\n{}\r\n"),
    # After bytes of a body that it cannot parse, aiohttp leaves its reader waiting, whatever its timeouts are.
    "no line break after a length": body(CHUNKED, b"10{"),
    "a negative chunk": body(CHUNKED, b"-5\r\n{}\r\n0\r\n\r\n"),
    "a chunk beyond 64 bits": body(CHUNKED, b"f" * 40 + b"\r\n{}\r\n0\r\n\r\n"),
    "a chunk that is longer than it says": body(CHUNKED, b"1\r\n{}\r\n0\r\n\r\n"),
    "a head of 2 MB": body(b"X: " + b"x" * 2_000_000, b""),
    "20,000 headers": body(b"\r\n".join(b"X%d: x" % number for number in range(20_000)), b""),
    "a NUL in a header": body(b"X: a\0b\r\nContent-Length: 2", b"{}"),
    "a header without a colon": body(b"nonsense", b"{}"),
    "a negative length": body(b"Content-Length: -1", b"{}"),
    "two lengths": body(b"Content-Length: 2\r\nContent-Length: 3", b"{}"),
    "no status line": then_close(b"nonsense\r\n\r\n"),
    "HTTP/0.9": then_close(b"<html>hello"),
    "a TLS alert": then_close(b"\x15\x03\x01\x00\x02\x02\x46"),
    "only white space": then_close(b"\r\n\r\n\r\n"),
    "a status of four digits": then_close(b"HTTP/1.1 1000 X\r\n\r\n"),
    "informational responses only": then_close(b"HTTP/1.1 100 Continue\r\n\r\n" * 3),
}


async def error_of(platform: AgentPlatform, method: str = "GET") -> AgentPlatformError:
    """Return the error that a call ends in."""
    with pytest.raises(AgentPlatformError) as caught:
        await platform.request(method, "/v3/x", body={} if method == "POST" else None)
    return caught.value


def facts(error: BaseException | None) -> tuple[object, ...]:
    """Return what a program reads from an error."""
    assert isinstance(error, ConnectionFailedError)
    return type(error), error.may_have_arrived, error.timed_out


@all_clients
@pytest.mark.parametrize("exchange", [*SILENT, *BROKEN])
async def test_an_exchange_that_fails(transport: Any, exchange: str) -> None:
    script, timed_out = {**SILENT, **BROKEN}[exchange], exchange in SILENT
    async with (
        fault_server(script) as server,
        server.client(transport, retry=ONE_ATTEMPT, timeout=0.1 if timed_out else 5) as platform,
    ):
        read, write = await error_of(platform, "GET"), await error_of(platform, "POST")
    form = SILENCE if timed_out else BROKEN_OFF
    assert facts(read) == (ConnectionFailedError, True, timed_out)
    assert re.fullmatch(f"GET /v3/x: {form}.*", str(read), re.DOTALL)
    assert type(write) is OutcomeUnknownError
    assert facts(write.__cause__) == (ConnectionFailedError, True, timed_out)
    assert re.match(f"POST /v3/x: {form}; the write, sent at ", str(write), re.DOTALL)
    assert max(len(str(read)), len(str(write))) < 800
    assert TOKEN not in exposed(read) + exposed(write)
    assert len(server.requests) == 2


@all_clients
async def test_a_connection_that_is_not_made_in_time(transport: Any, full: socket.socket) -> None:
    address = "http://{}:{}".format(*full.getsockname())
    async with client(address, transport, retry=ONE_ATTEMPT, timeout=0.05) as platform:
        for method in ("GET", "POST"):
            error = await error_of(platform, method)
            assert facts(error) == (ConnectionFailedError, False, True)
            assert f"{method} /v3/x: could not connect to {address} within 0.05 s" in str(error)


@all_clients
@pytest.mark.parametrize("way", ["refused", "reset in the handshake", "no such host"])
async def test_a_connection_that_is_not_made(transport: Any, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def reset(connection: Connection) -> None:
        connection.reset()

    def fail(*arguments: object, **settings: object) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    async with fault_server(EMPTY_LIST, on_connect=reset) as server:
        address = server.base_url.replace("http://", "https://")
        if way == "refused":
            address = "http://127.0.0.1:1"
        if way == "no such host":
            address = "https://platform.example.com"
            monkeypatch.setattr(socket, "getaddrinfo", fail)
        async with client(address, transport, retry=ONE_ATTEMPT) as platform:
            error = await error_of(platform, "POST")
    assert facts(error) == (ConnectionFailedError, False, False)
    assert re.match(rf"POST /v3/x: could not connect to {address} \(\w+", str(error))


@httpx_transports
async def test_a_url_that_the_library_cannot_write_is_an_invalid_argument(transport: Any) -> None:
    async with client(URL, transport) as platform:
        with pytest.raises(InvalidArgumentError, match=r"the request cannot be written \(InvalidURL: URL too long"):
            await platform.request("POST", "/v3/x", query={"q": "x" * 70_000}, body={})


async def stop_reading(connection: Connection) -> None:
    """Read the head of a request, and nothing more."""
    await connection.reader.readuntil(b"\r\n\r\n")
    connection.reader._transport.pause_reading()  # type: ignore[attr-defined]  # asyncio reads ahead
    await asyncio.sleep(60)


@pytest.mark.parametrize("transport", [None, "httpx2", "http_client httpx", "http_client httpx2"])
@pytest.mark.parametrize("kind", ["file", "json"])
async def test_a_server_that_takes_no_more_of_a_request(transport: Any, kind: str) -> None:
    async with (
        fault_server(EMPTY_LIST, on_connect=stop_reading) as server,
        server.client(transport, retry=ONE_ATTEMPT, timeout=0.1) as platform,
    ):
        upload = platform.organization().attachments.upload
        with pytest.raises(OutcomeUnknownError, match="no data for 0.1 s") as caught:
            await (upload(file=LARGE) if kind == "file" else platform.request("POST", "/v3/x", body={"text": LONG}))
    assert facts(caught.value.__cause__) == (ConnectionFailedError, True, True)


@all_transports
async def test_a_server_that_takes_a_request_slowly_is_not_given_up(transport: Any) -> None:
    """Altogether, reading the request takes longer than the timeout."""
    times: list[float] = []

    async def read_slowly(connection: Connection) -> None:
        connection.reader._limit = 4096  # type: ignore[attr-defined]
        times.append(time.monotonic())
        while b"--\r\n" not in await connection.reader.read(1_000_000):
            # What the client has written, and the server has not read, comes quickly: meanwhile the client waits.
            if time.monotonic() - times[0] < 0.35:
                await asyncio.sleep(0.01)
        times.append(time.monotonic())
        await connection.send(response({"uuid": "u"}))

    async with fault_server(on_connect=read_slowly) as server, server.client(transport, timeout=0.3) as platform:
        made = await platform.organization().attachments.upload(file=LARGE)
    assert made["uuid"] == "u"
    assert times[1] - times[0] > 0.3


@pytest.mark.parametrize("transport", PASSED)
async def test_a_client_that_is_closed_during_a_call(transport: str) -> None:
    async with fault_server(silence) as server, server.client(transport, retry=ONE_ATTEMPT, timeout=2) as platform:
        failing = asyncio.create_task(error_of(platform, "POST"))
        while not server.requests:
            await asyncio.sleep(0)
        own: Any = platform.http_client  # type: ignore[attr-defined]  # of the tests
        await (own.close() if hasattr(own, "close") else own.aclose())
        error = await failing
    assert isinstance(error, OutcomeUnknownError)


# Failures of the network become errors of the SDK. Their frames are dropped, because these hold the credential.

ALL: dict[str, Callable[[], Exception]] = {
    "OSError": lambda: OSError(24, "Too many open files"),
    "SSLError": lambda: ssl.SSLError(1, "tlsv13 alert certificate required"),
    "UnicodeError": lambda: UnicodeError("label empty or too long"),
}
# Errors of lower libraries that httpx may let through.
HTTPX = {
    **ALL,
    "h11": lambda: h11.LocalProtocolError("Too little data for declared Content-Length"),
    "h2": lambda: h2.exceptions.FrameTooLargeError("Received overlong frame"),
    "anyio": anyio.BrokenResourceError,
}
FAILURES: dict[str | None, dict[str, Callable[[], Exception]]] = {
    None: {**HTTPX, "its own": httpx.StreamClosed},
    "httpx2": {**HTTPX, "its own": httpx2.StreamClosed},
    "aiohttp": {**ALL, "its own": lambda: aiohttp.ClientPayloadError("x")},
}
failures = pytest.mark.parametrize(
    ("transport", "make"),
    [(transport, make) for transport, by_name in FAILURES.items() for make in by_name.values()],
    ids=[f"{transport or 'httpx'}-{name}" for transport, by_name in FAILURES.items() for name in by_name],
)
# Anything else is a defect of the SDK or of a library. It is no failure of the network, so it is not retried.
DEFECTS: list[Callable[[], Exception]] = [
    lambda: ValueError("x"),
    lambda: RuntimeError("Session is closed"),
    lambda: AttributeError("'NoneType' object has no attribute 'write'"),
    lambda: ExceptionGroup("several", [OSError("a"), ValueError("b")]),
    MemoryError,
]


def raising(make: Callable[[], Exception], monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Let every library raise an error instead of sending; return the list of the errors raised."""
    raised: list[Any] = []

    async def fail(self: object, *arguments: Any, **settings: Any) -> Any:
        # The local variables of this function have the credential, as those of a library do.
        headers = f"Authorization: Bearer {TOKEN}"
        raised.append(make())
        raise raised[-1] from LookupError(headers)

    monkeypatch.setattr(httpcore.AsyncConnectionPool, "handle_async_request", fail)
    monkeypatch.setattr(httpcore2.AsyncConnectionPool, "handle_async_request", fail)
    monkeypatch.setattr(aiohttp.BaseConnector, "connect", fail)
    return raised


@failures
@pytest.mark.parametrize(("method", "error"), [("GET", ConnectionFailedError), ("POST", OutcomeUnknownError)])
async def test_every_failure_of_the_network_is_an_error_of_the_tree(
    transport: Any, make: Callable[[], Exception], method: str, error: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    raising(make, monkeypatch)
    async with client("http://127.0.0.1:9", transport, retry=ONE_ATTEMPT) as platform:
        with pytest.raises(error) as caught:
            await platform.request(method, "/v3/x")
    assert all(isinstance(each, AgentPlatformError) for each in chained(caught.value))
    assert TOKEN not in exposed(caught.value)


@all_transports
@pytest.mark.parametrize("make", DEFECTS)
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_what_is_no_failure_of_the_network_is_raised_as_it_is_at_once(
    transport: Any, make: Callable[[], Exception], method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised = raising(make, monkeypatch)
    async with client("http://127.0.0.1:9", transport) as platform:
        with pytest.raises(type(make())) as caught:
            await platform.request(method, "/v3/x")
        assert platform.rate_limiter.stats().in_flight == 0
    assert raised == [caught.value]


@pytest.mark.parametrize("make", [*FAILURES[None].values(), *DEFECTS])
async def test_an_error_in_a_body_is_the_same_as_before_it(
    make: Callable[[], Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def body() -> AsyncIterator[bytes]:
        yield b"{"
        headers = f"Authorization: Bearer {TOKEN}"
        raise make() from LookupError(headers)

    async def respond(self: object, request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=body())

    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", respond)
    async with client("http://127.0.0.1:9", retry=ONE_ATTEMPT) as platform:
        download = platform.organization().attachments.download("uuid", "name")
        for call in (platform.request("GET", "/v3/x"), download.read()):
            with pytest.raises(type(make()) if make in DEFECTS else AgentPlatformError) as caught:
                await call
            if make not in DEFECTS:
                assert all(isinstance(each, AgentPlatformError) for each in chained(caught.value))
