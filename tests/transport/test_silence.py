"""One timer for the silence of a connection of aiohttp, and packets that are one whole response."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agent_session_platform.transport.aiohttp_connection import CheckedConnection, length_of_response
from aiohttp import SocketTimeoutError
from virtual_time import run

from tests.servers.fault_server import fault_server
from tests.servers.scripts import response

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"


async def test_on_aiohttp_a_call_makes_no_timer_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    timers: list[float] = []
    async with fault_server(response({})) as server, server.client("aiohttp") as platform:
        await platform.request("GET", "/v3/x")
        loop = asyncio.get_running_loop()
        call_at = loop.call_at

        def counted(when: float, *rest: Any, **context: Any) -> asyncio.TimerHandle:
            timers.append(when)
            return call_at(when, *rest, **context)

        monkeypatch.setattr(loop, "call_at", counted)
        for _ in range(20):
            await platform.request("GET", "/v3/x")
    # Those of the connection's silence, of the deadlines of all calls, and of aiohttp's idle connections.
    assert len(timers) <= 3, timers


@pytest.mark.parametrize(
    ("packet", "length"),
    [
        (HEAD + b"null", 4),
        (HEAD.lower() + b"null", 4),
        (HEAD + b"nul", None),
        (HEAD + b"null\n", None),
        (HEAD[:-2] + b"x: content-length: 1\r\n\r\nnull", 4),
        (b"HTTP/1.1 200 OK\r\nx-content-length: 4\r\n\r\nnull", None),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + HEAD + b"null", None),
        (b"null", None),
    ],
)
def test_a_packet_is_one_response_if_it_ends_with_its_body(packet: bytes, length: int | None) -> None:
    assert length_of_response(packet) == length


def test_a_server_is_not_silent_while_its_response_waits_to_be_read() -> None:
    async def errors() -> list[BaseException | None]:
        connection = CheckedConnection(loop=asyncio.get_running_loop())
        connection.connection_made(asyncio.Transport())
        connection.set_response_params(read_timeout=10.0)
        connection.start_timeout()
        await asyncio.sleep(9)
        connection.data_received(HEAD + b"nul")
        connection.pause_reading()
        await asyncio.sleep(60)
        found = [connection.exception()]
        connection.resume_reading()
        await asyncio.sleep(9)
        found.append(connection.exception())
        await asyncio.sleep(2)
        return [*found, connection.exception()]

    paused, resumed, silent = run(errors())
    assert (paused, resumed, type(silent)) == (None, None, SocketTimeoutError)


def test_the_silence_before_a_request_does_not_count() -> None:
    async def error() -> BaseException | None:
        connection = CheckedConnection(loop=asyncio.get_running_loop())
        connection.connection_made(asyncio.Transport())
        for _ in range(3):
            connection.set_response_params(read_timeout=10.0)
            await asyncio.sleep(60)
            connection.start_timeout()
            await asyncio.sleep(9)
            connection.data_received(HEAD + b"null")
            await asyncio.sleep(60)
        return connection.exception()

    assert run(error()) is None
