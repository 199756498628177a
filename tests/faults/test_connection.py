"""Connections that break, take too long or carry nonsense, and the state of the client afterwards."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agent_session_platform import DeadlineExceededError, OutcomeUnknownError, ProblemError, RetryPolicy

from benchmarks.soak import Soak
from tests.fixtures import ONE_ATTEMPT, all_clients, all_transports, until
from tests.servers.fault_server import Connection, Request, Script, fault_server
from tests.servers.scripts import EMPTY_LIST, HEAD, drip, gzip_response, response, silence, then_close

BODY = b'{"data": []}'
PR = "https://git.example.com/acme/shop/pull/7"


@all_clients
@pytest.mark.parametrize(
    "script",
    [
        drip(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", 0.02),
        drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        drip(HEAD + b"Content-Length: 100000\r\n\r\n"),
        drip(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        drip(HEAD + b"\r\n"),
        drip(HEAD + b"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\0\xff", b"\0\0\0\xff\xff"),
        silence,
    ],
    ids=["headers", "1xx", "body", "chunks", "endless", "gzip", "silence"],
)
async def test_a_slow_response_ends_at_the_deadline(transport: Any, script: Script) -> None:
    retry = RetryPolicy(deadline=0.05, attempts=1)
    async with fault_server(script) as server, server.client(transport, retry=retry, max_connections=1) as platform:
        with pytest.raises(DeadlineExceededError, match=r"^enterprise.blueprints.list: no response within 0.05 s"):
            await platform.enterprise.blueprints.list()
        with pytest.raises(OutcomeUnknownError, match=r"^enterprise.reviews.create: no response within 0.05 s"):
            await platform.enterprise.reviews.create(pr_url=PR)


@all_transports
@pytest.mark.parametrize("status", [409, 429, 503])
async def test_a_status_whose_body_never_comes_is_still_that_error(transport: Any, status: int) -> None:
    async def head_only(request: Request, connection: Connection) -> None:
        await connection.send(f"HTTP/1.1 {status} X\r\nContent-Length: 100\r\n\r\n{{".encode())
        await silence(request, connection)

    async with fault_server(head_only) as server, server.client(transport, retry=ONE_ATTEMPT, timeout=0.1) as platform:
        with pytest.raises(ProblemError) as caught:
            await platform.request("POST", "/v3/x", body={})
    assert caught.value.status == status


@all_transports
@pytest.mark.parametrize(
    "script",
    [
        EMPTY_LIST,
        response(b"<html>", media_type="text/html"),
        response(b"", "302 X", "Location: /x"),
        b"HTTP/1.1 204 No Content\r\n\r\n",
        gzip_response(BODY),
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nc\r\n" + BODY + b"\r\n0\r\n\r\n",
    ],
)
async def test_sequential_calls_share_a_connection(transport: Any, script: bytes) -> None:
    async with fault_server(script) as server, server.client(transport, retry=ONE_ATTEMPT) as platform:
        for _ in range(10):
            await asyncio.gather(platform.enterprise.blueprints.list(), return_exceptions=True)
        assert len(server.requests) == 10
        assert server.connections == 1


@all_clients
async def test_a_write_does_not_go_over_a_connection_that_was_closed_meanwhile(transport: Any) -> None:
    async with (
        fault_server(then_close(response({"status": "pending"}))) as server,
        server.client(transport) as platform,
    ):
        for number in range(5):
            assert (await platform.enterprise.reviews.create(pr_url=PR)).status == "pending"
            await until(lambda: not server.opened)
            # The news of it takes a moment.
            await asyncio.sleep(0.02)
            assert len(server.requests) == number + 1
    assert server.connections == 5


@all_clients
async def test_no_connection_is_left_open_behind_a_closed_client(transport: Any) -> None:
    async with fault_server(
        EMPTY_LIST, by_path={"/v3/404": response({}, "404 X"), "/v3/cut": then_close(HEAD)}
    ) as server:
        async with server.client(transport, retry=ONE_ATTEMPT) as platform:
            paths = ["/v3/x", "/v3/404", "/v3/cut"] * 5
            await asyncio.gather(*(platform.request("GET", path) for path in paths), return_exceptions=True)
        await until(lambda: not server.opened)
    assert len(server.requests) >= 15


@all_clients
async def test_an_error_during_the_upload_is_raised(transport: Any) -> None:
    """The server responds at once and goes on reading, as a proxy with a size limit does."""

    async def refuse(connection: Connection) -> None:
        await connection.reader.readuntil(b"\r\n\r\n")
        await connection.send(response({"title": "Too Large"}, "413 X", "Connection: close"))
        await connection.reader.read(-1)

    async with (
        fault_server(EMPTY_LIST, on_connect=refuse) as server,
        server.client(transport, retry=ONE_ATTEMPT) as platform,
    ):
        with pytest.raises(ProblemError, match="413 Too Large"):
            await platform.organization().attachments.upload(file=bytes(3_000_000))


# A short soak test: `make soak` runs it for longer.


@all_transports
async def test_a_client_under_random_faults_and_cancellations_leaks_nothing(transport: Any) -> None:
    soak = Soak(transport)
    await soak.run(0.4)
    assert soak.leaks == []
    assert min(soak.outcomes["good"], soak.outcomes["cancelled"]) > 0
