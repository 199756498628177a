"""The connections that the SDK keeps: how many there are, which one is used, and how long."""

from __future__ import annotations

import asyncio
import gc
import socket
from typing import Any

import pytest
from agent_session_platform import AgentPlatform
from agent_session_platform.transport import httpx as httpx_transport

from tests.fixtures import all_transports, httpx_transports, until
from tests.servers.fault_server import Connection, Request, Script, client, fault_server
from tests.servers.scripts import response, silence

OK = response({"a": 1})


def together(count: int) -> Script:
    """Respond as soon as *count* requests are there, so that each has a connection of its own."""
    barrier = asyncio.Barrier(count)

    async def script(request: Request, connection: Connection) -> None:
        await barrier.wait()
        await connection.send(OK)

    return script


async def call_at_once(platform: AgentPlatform, path: str, count: int) -> None:
    await asyncio.gather(*(platform.request("GET", path) for _ in range(count)))


@all_transports
async def test_no_more_than_max_connections_are_open_after_a_cancelled_call(transport: Any) -> None:
    paths = {"/v3/hangs": silence, "/v3/two": together(2), "/v3/three": together(3)}
    async with fault_server(by_path=paths) as server, server.client(transport, max_connections=4) as platform:
        hanging = [asyncio.ensure_future(platform.request("GET", "/v3/hangs")) for _ in range(2)]
        await call_at_once(platform, "/v3/two", 2)
        hanging[0].cancel()
        await until(lambda: len(server.opened) <= 3)
        await call_at_once(platform, "/v3/three", 3)
        await until(lambda: len(server.opened) <= 4)
        hanging[1].cancel()
        await asyncio.wait(hanging)


@httpx_transports
async def test_calls_one_after_another_use_the_latest_connection(transport: Any) -> None:
    numbers: list[int] = []

    async def note(request: Request, connection: Connection) -> None:
        numbers.append(connection.number)
        await connection.send(OK)

    async with fault_server(note, by_path={"/v3/ten": together(10)}) as server, server.client(transport) as platform:
        await call_at_once(platform, "/v3/ten", 10)
        for _ in range(5):
            await platform.request("GET", "/v3/x")
    assert len(set(numbers)) == 1
    assert server.connections == 10


@httpx_transports
async def test_connections_that_have_been_idle_for_long_are_closed_by_the_next_call(
    transport: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        fault_server(OK, by_path={"/v3/ten": together(10)}) as server,
        server.client(transport) as platform,
    ):
        await call_at_once(platform, "/v3/ten", 10)
        monkeypatch.setattr(httpx_transport, "KEEP_ALIVE_SECONDS", 0)
        assert await platform.request("GET", "/v3/x") == {"a": 1}
        await until(lambda: len(server.opened) == 1)


@all_transports
async def test_the_name_of_the_server_is_looked_up_for_each_connection(
    transport: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have moved: a call would try the old address again and again."""
    names: list[Any] = []
    look_up = socket.getaddrinfo

    def note(host: Any, *arguments: Any, **options: Any) -> Any:
        names.append(host)
        return look_up("127.0.0.1", *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", note)
    async with fault_server(response({"a": 1}, "200 OK", "Connection: close")) as server:
        address = server.base_url.replace("127.0.0.1", "server.localhost")
        async with client(address, transport) as platform:
            for _ in range(3):
                await platform.request("GET", "/v3/x")
    assert len(names) == 3


@all_transports
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_client_whose_event_loop_has_ended_can_be_closed(transport: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Python frees its sockets later, and warns of them."""

    async def call() -> AgentPlatform:
        async with fault_server(OK) as server:
            platform = server.client(transport)
            await platform.request("GET", "/v3/x")
        return platform

    platform = asyncio.run(call())
    asyncio.run(platform.aclose())
    del platform
    gc.collect()
    assert [record.getMessage() for record in caplog.records] == []
