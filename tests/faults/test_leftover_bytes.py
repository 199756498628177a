"""Bytes that no request asked for: their connection is closed, so that no call gets the response of another one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, ConnectionFailedError, OutcomeUnknownError, ProblemError
from agent_session_platform.transport.leftover import is_clean

from tests.fixtures import ONE_ATTEMPT, all_clients
from tests.servers.fault_server import CERTIFICATES, Connection, FaultServer, Request, Script, fault_server
from tests.servers.scripts import HEAD, gzip_response, response

UNINVITED = response({"n": "uninvited"})
CALLS = 4
FILE = "/v3/organizations/org-acme/attachments/uuid/name"


def plain(n: str) -> bytes:
    return response({"n": n})


def chunked(n: str) -> bytes:
    content = b'{"n":"%s"}' % n.encode()
    return HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(content), content)


def compressed(n: str) -> bytes:
    return gzip_response(b'{"n":"%s"}' % n.encode())


def error(n: str) -> bytes:
    return response({"detail": n}, "404 Not Found")


def empty(n: str) -> bytes:
    return b"HTTP/1.1 204 No Content\r\n\r\n"


def not_modified(n: str) -> bytes:
    return b"HTTP/1.1 304 Not Modified\r\n\r\n"


def of_size(size: int) -> Callable[[str], bytes]:
    """Make a response that fills a number of reads to the last byte."""

    def padded(n: str) -> bytes:
        content = b'{"n":"%s"}' % n.encode()
        return response(content + b" " * (size - len(response(content + b" " * size)) + size))

    return padded


RESPONSES = {
    **{each.__name__: each for each in (plain, chunked, compressed, error, empty, not_modified)},
    "64 KiB": of_size(64 * 1024),
    "256 KiB": of_size(256 * 1024),
    "1 MiB": of_size(1024 * 1024),
}
LEFTOVERS = {
    "a response": UNINVITED,
    "half a response": UNINVITED[:20],
    "a head": UNINVITED.partition(b"{")[0],
    "an informational response": b"HTTP/1.1 100 Continue\r\n\r\n",
    "a byte": b"H",
    "nonsense": b"\0\1nonsense",
    "a line": b"\r\n",
}
PAIRS = {
    **{f"a response after {name}": (each, UNINVITED) for name, each in RESPONSES.items()},
    **{f"half a response after {name}": (each, UNINVITED[:20]) for name, each in RESPONSES.items()},
    **{f"{name} after a response": (plain, leftover) for name, leftover in LEFTOVERS.items()},
    **{f"{name} after no content": (empty, leftover) for name, leftover in LEFTOVERS.items()},
}
pairs = pytest.mark.parametrize(("own", "leftover"), PAIRS.values(), ids=PAIRS)
both_schemes = pytest.mark.parametrize("certificate", [None, "loopback"], ids=["http", "https"])


@pytest.fixture(autouse=True)
def trusted_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "authority.pem"))


def client_of(server: FaultServer, transport: Any) -> AgentPlatform:
    return server.client(transport, retry=ONE_ATTEMPT, timeout=5)


def numbered(own: Callable[[str], bytes], leftover: bytes = b"") -> Script:
    """Respond with the number that is asked for."""

    async def script(request: Request, connection: Connection) -> None:
        await connection.send(own(request.query["n"]) + leftover)

    return script


async def asked(platform: AgentPlatform, method: str, n: int) -> object:
    """Call once, and return the number of the response."""
    try:
        answer = await platform.request(method, "/v3/x", query={"n": str(n)}, body={} if method == "POST" else None)
    except ProblemError as problem:
        return problem.detail
    except (ConnectionFailedError, OutcomeUnknownError) as broken:
        return type(broken)
    except Exception as wrong:
        return str(wrong)
    return answer and answer["n"]


def right(own: Callable[[str], bytes], n: int) -> object:
    return None if own is empty else "request: 304" if own is not_modified else str(n)


@all_clients
@both_schemes
@pairs
async def test_no_write_gets_what_came_with_the_response_of_another(
    transport: Any, certificate: str | None, own: Callable[[str], bytes], leftover: bytes
) -> None:
    async with (
        fault_server(numbered(own, leftover), certificate=certificate) as server,
        client_of(server, transport) as platform,
    ):
        for n in range(CALLS):
            result = await asked(platform, "POST", n)
            # The parser of aiohttp refuses a packet that has a response and nonsense.
            if result is not OutcomeUnknownError:
                assert "304" in str(result) if own is not_modified else result == right(own, n)
    assert (server.connections, len(server.requests)) == (CALLS, CALLS)


@all_clients
@both_schemes
@pytest.mark.parametrize("leftover", LEFTOVERS.values(), ids=LEFTOVERS)
async def test_no_call_gets_what_came_while_the_connection_was_idle(
    transport: Any, certificate: str | None, leftover: bytes
) -> None:
    async with (
        fault_server(numbered(plain), certificate=certificate) as server,
        client_of(server, transport) as platform,
    ):
        for n in range(CALLS):
            assert await asked(platform, "POST", n) == str(n)
            for connection in list(server.opened):
                await connection.send(leftover)
            # It takes a moment to arrive.
            await asyncio.sleep(0.05)
    assert (server.connections, len(server.requests)) == (CALLS, CALLS)


@all_clients
@both_schemes
@pytest.mark.parametrize("own", RESPONSES.values(), ids=RESPONSES)
async def test_a_response_with_nothing_after_it_keeps_its_connection(
    transport: Any, certificate: str | None, own: Callable[[str], bytes]
) -> None:
    """It fails if a name has gone that is not public: then each response costs a connection."""
    async with fault_server(numbered(own), certificate=certificate) as server, client_of(server, transport) as platform:
        for n in range(CALLS):
            await asked(platform, "GET", n)
    # A session of aiohttp does not show what came after a response.
    connections = CALLS if transport == "http_client aiohttp" else 1
    assert (server.connections, len(server.requests)) == (connections, CALLS)


@all_clients
async def test_no_call_gets_the_body_of_a_head_request(transport: Any) -> None:
    async with fault_server(numbered(plain)) as server, client_of(server, transport) as platform:
        assert await asked(platform, "HEAD", 0) in (None, ConnectionFailedError)
        assert await asked(platform, "GET", 1) == "1"


@all_clients
async def test_no_call_gets_what_came_with_a_download(transport: Any) -> None:
    file = response(b"content", media_type="application/octet-stream") + UNINVITED
    async with fault_server(numbered(plain), by_path={FILE: file}) as server, client_of(server, transport) as platform:
        for n in range(CALLS):
            download = platform.organization().attachments.download("uuid", "name")
            assert b"".join([piece async for piece in download]) == b"content"
            assert await asked(platform, "GET", n) == str(n)


async def test_no_call_gets_what_came_with_a_response_that_a_hook_has_read() -> None:
    async def read(received: httpx.Response) -> None:
        await received.aread()

    own = httpx.AsyncClient(event_hooks={"response": [read]})
    async with (
        fault_server(numbered(plain, UNINVITED)) as server,
        own,
        server.client(http_client=own, retry=ONE_ATTEMPT) as platform,
    ):
        for n in range(CALLS):
            assert await asked(platform, "POST", n) == str(n)
    assert server.connections == CALLS


def test_a_connection_that_cannot_be_looked_into_is_not_used_again() -> None:
    assert not is_clean(object())
