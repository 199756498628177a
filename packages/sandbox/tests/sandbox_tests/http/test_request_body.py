"""Bodies of requests that are too long are refused without reading them."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import httpx
import pytest
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.http.test_server import exchange, head

LIMIT = 1000
PATHS = ["/v3/organizations/org-acme/sessions", "/v3/nothing", "/_sandbox/seed", "/_sandbox/nothing", "/"]


@pytest.fixture
def sandbox() -> Sandbox:
    return Sandbox(max_body=LIMIT)


class Endless:
    """A body without an end, which counts what was read of it."""

    read = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            self.read += 100
            yield b"x" * 100


@pytest.mark.parametrize("token", ["svc_sandbox_admin", "svc_wrong"])
@pytest.mark.parametrize("line", ["Content-Length: 400000000", f"Content-Length: {10**19}"])
def test_a_long_body_is_refused_before_it_is_sent(address: str, token: str, line: str) -> None:
    for path in PATHS:
        lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {token}", line, "", ""]
        # Nothing of the body is sent: the response comes nevertheless, and the connection is closed.
        response = exchange(address, "\r\n".join(lines).encode())
        assert response.startswith(b"HTTP/1.1 413 ")
        assert b"connection: close" in response.lower()
        assert b"the body is longer than 1000 bytes; --max-body" in response


@pytest.mark.parametrize("path", PATHS)
def test_a_long_body_in_chunks_is_refused_at_the_limit(sandbox: Sandbox, address: str, path: str) -> None:
    parts = urlsplit(address)
    with socket.create_connection((str(parts.hostname), int(parts.port or 0)), timeout=30) as connection:
        connection.sendall(head(sandbox, "POST", path, "Transfer-Encoding: chunked"))
        connection.sendall(b"1F5\r\n" + b"x" * 501 + b"\r\n")
        connection.sendall(b"1F5\r\n" + b"x" * 501 + b"\r\n")
        # The last chunk never comes.
        assert connection.recv(65536).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize("path", PATHS)
async def test_in_process_no_more_than_the_limit_is_read(http: httpx.AsyncClient, path: str) -> None:
    body = Endless()
    response = await http.post(path, content=body)
    assert (response.status_code, response.json()["title"]) == (413, "Content Too Large")
    assert body.read <= LIMIT + 200


async def test_a_body_of_the_limit_is_read(http: httpx.AsyncClient) -> None:
    assert (await http.post("/_sandbox/seed", content=b" " * (LIMIT - 2) + b"{}")).status_code == 200
