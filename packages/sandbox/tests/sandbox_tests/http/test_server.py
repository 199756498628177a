"""The server on a port: connections, incomplete requests, and bodies that are too long."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from itertools import count
from urllib.parse import urlsplit

import httpx
import pytest
from agent_session_platform_sandbox import Call, Reply, Sandbox, server

SESSIONS = "/v3/organizations/org-acme/sessions"
PATHS = [SESSIONS, "/v3/nothing", "/_sandbox/seed", "/_sandbox/nothing", "/"]
LIMIT = 1000


@pytest.fixture
def sandbox() -> Sandbox:
    return Sandbox(max_body=LIMIT)


def exchange(address: str, request: bytes, *, half: bool = False) -> bytes:
    """Return the response of a server to bytes; *half* closes the connection for sending after them."""
    parts = urlsplit(address)
    with socket.create_connection((str(parts.hostname), int(parts.port or 0)), timeout=30) as connection:
        connection.sendall(request)
        if half:
            connection.shutdown(socket.SHUT_WR)
        response = b""
        while part := connection.recv(65536):
            response += part
    return response


def head(sandbox: Sandbox, method: str, path: str, *lines: str) -> bytes:
    common = ["Host: localhost", f"Authorization: Bearer {sandbox.token}", "Connection: close"]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *common, *lines, "", ""]).encode()


def test_a_body_in_chunks_is_read_completely(sandbox: Sandbox, address: str) -> None:
    lines = ("Content-Type: application/json", "Transfer-Encoding: chunked")
    chunks = b'8\r\n{"title"\r\n6\r\n: "a"}\r\n0\r\n\r\n'
    assert b'"title":"a"' in exchange(address, head(sandbox, "POST", SESSIONS, *lines) + chunks)
    assert sandbox.journal[0].body == {"title": "a"}


@pytest.mark.parametrize("path", [SESSIONS, "/_sandbox/seed"])
def test_a_request_that_ends_early_is_not_carried_out(
    sandbox: Sandbox, address: str, capfd: pytest.CaptureFixture[str], path: str
) -> None:
    lines = ("Content-Type: application/json", "Content-Length: 100")
    assert exchange(address, head(sandbox, "POST", path, *lines) + b'{"title"', half=True) == b""
    httpx.get(address)
    assert (len(sandbox.journal), sandbox.state.by_name.get(("sessions", "org-acme"), {})) == (0, {})
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("sent", [b"", b"GET /v3 HTTP/1.1\r\nHost: local"], ids=["nothing", "half a head"])
def test_a_silent_connection_is_closed(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.05)
    # The end of the connection is an empty response on some systems, and an error on others.
    with sandbox.serve() as address, suppress(ConnectionResetError):
        assert exchange(address, sent) == b""


def test_a_body_that_does_not_come_is_refused(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "BODY_SECONDS", 0.05)
    lines = ("Content-Type: application/json", "Content-Length: 100")
    with sandbox.serve() as address:
        response = exchange(address, head(sandbox, "POST", SESSIONS, *lines) + b'{"prompt":')
    assert response.startswith(b"HTTP/1.1 408 ")
    assert b"the body did not come within 0.05 s" in response


@pytest.mark.parametrize("token", ["svc_sandbox_admin", "svc_wrong"])
@pytest.mark.parametrize("line", ["Content-Length: 400000000", f"Content-Length: {10**19}"])
def test_a_long_body_is_refused_before_it_is_sent(address: str, token: str, line: str) -> None:
    for path in PATHS:
        lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {token}", line, "", ""]
        # The test sends no body. Even so, the response comes, and the connection is closed.
        response = exchange(address, "\r\n".join(lines).encode())
        assert response.startswith(b"HTTP/1.1 413 ")
        assert b"connection: close" in response.lower()
        assert b"the body is longer than 1000 bytes; allow more with --max-body" in response


@pytest.mark.parametrize("path", PATHS)
def test_a_long_body_in_chunks_is_refused_at_the_limit(sandbox: Sandbox, address: str, path: str) -> None:
    chunk = b"1F5\r\n" + b"x" * 501 + b"\r\n"
    # The last chunk never comes.
    request = head(sandbox, "POST", path, "Transfer-Encoding: chunked") + 2 * chunk
    assert exchange(address, request).startswith(b"HTTP/1.1 413 ")


class Endless:
    """A body without an end, which counts the parts that were read."""

    read = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            self.read += 100
            yield b"x" * 100


@pytest.mark.parametrize("path", PATHS)
async def test_in_process_no_more_than_the_limit_is_read(http: httpx.AsyncClient, path: str) -> None:
    body = Endless()
    response = await http.post(path, content=body)
    assert (response.status_code, response.json()["title"]) == (413, "Content Too Large")
    assert body.read <= LIMIT + 200


async def test_a_body_of_the_limit_is_read(http: httpx.AsyncClient) -> None:
    assert (await http.post("/_sandbox/seed", content=b" " * (LIMIT - 2) + b"{}")).status_code == 200


@pytest.mark.parametrize("clock", [lambda: 1.7e9, count(0, 86_400).__next__], ids=["frozen", "a day for each reading"])
def test_a_server_serves_and_stops_in_a_test_that_changes_the_time(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, clock: Callable[[], float]
) -> None:
    """As freezegun does; the warning of a server that does not stop would be an error."""
    with monkeypatch.context() as frozen:
        frozen.setattr(time, "monotonic", clock)
        serving = sandbox.serve()
        address = serving.__enter__()
        assert httpx.get(f"{address}/_sandbox/clock").status_code == 200
    serving.__exit__(None, None, None)


def test_the_end_of_a_server_does_not_wait_for_a_blocked_handler(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "STOP_SECONDS", 0.01)
    entered, released = threading.Event(), threading.Event()

    def block(call: Call) -> Reply:
        entered.set()
        released.wait()
        return Reply(None)

    sandbox.handle("organization.sessions.list", block)

    def request(address: str) -> None:
        with suppress(httpx.HTTPError):
            httpx.get(f"{address}{SESSIONS}", headers={"Authorization": f"Bearer {sandbox.token}"})

    serving = sandbox.serve()
    client = threading.Thread(target=request, args=(serving.__enter__(),))
    client.start()
    entered.wait()
    with pytest.warns(server.UnstoppedServerWarning, match="a handler, a script or a lock"):
        serving.__exit__(None, None, None)
    released.set()
    client.join()
    for thread in threading.enumerate():
        if thread.name == "sandbox":
            thread.join()
