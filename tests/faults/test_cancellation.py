"""Calls cancelled at any point: ten plain calls succeed afterwards, so no connection and no permit is lost."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, ClientClosedError, OutcomeUnknownError

from tests.fixtures import OWN, PASSED, all_clients, until
from tests.servers.fault_server import Connection, FaultServer, Request, Script, client, fault_server
from tests.servers.scripts import EMPTY_LIST, HEAD, drip, response, silence

SLOW = "/v3/slow"
FILE = "/v3/organizations/org-acme/attachments/11111111-1111-4111-8111-111111111111/a.bin"
CONNECTIONS = 2


pytestmark = pytest.mark.usefixtures("no_pauses")

# The pool of an httpx client of the caller may lose a connection whose request is cancelled: SECURITY.md has it.
LOSING = "http_client httpx"
keeping_clients = pytest.mark.parametrize("transport", [*OWN.values(), *(each for each in PASSED if each != LOSING)])


async def cancel(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks, timeout=20)
    assert [task for task in tasks if not task.cancelled()] == []


async def cancel_after(steps: int, *tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks, which may be over by then, after so many steps of the event loop."""
    for _ in range(steps):
        await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


async def ten_plain_calls_succeed(platform: AgentPlatform, server: FaultServer, others: int = 0) -> None:
    async with asyncio.timeout(20):
        for _ in range(10):
            assert (await platform.enterprise.blueprints.list()).data == []
        calls = [platform.enterprise.blueprints.list() for _ in range(10)]
        assert [listed.data for listed in await asyncio.gather(*calls)] == [[]] * 10
    await until(lambda: platform.rate_limiter.stats().in_flight == 0)
    assert platform.rate_limiter.stats().waiting == 0
    await until(lambda: len(server.opened) <= CONNECTIONS + others)


def calls_of(platform: AgentPlatform, path: str, number: int = 2 * CONNECTIONS) -> list[asyncio.Task[Any]]:
    """Start reads and writes alternately."""
    return [
        asyncio.ensure_future(platform.request(method, path, body={} if method == "POST" else None))
        for method in ("GET", "POST") * (number // 2)
    ]


@all_clients
@pytest.mark.parametrize(
    "script",
    [
        silence,
        drip(b"HTTP/1.1 200 OK\r\nX: ", b"y"),
        drip(HEAD + b"Content-Length: 100000\r\n\r\n"),
        drip(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        drip(b"HTTP/1.1 500 X\r\nContent-Length: 100000\r\n\r\n"),
    ],
    ids=["before-the-head", "in-the-head", "in-the-body", "in-the-chunks", "in-an-error"],
)
async def test_cancelled_while_reading_and_while_others_wait(transport: Any, script: Script) -> None:
    async with (
        fault_server(EMPTY_LIST, by_path={SLOW: script}) as server,
        server.client(transport, max_connections=CONNECTIONS) as platform,
    ):
        for number in range(1, 4):
            tasks = calls_of(platform, SLOW)
            await until(lambda number=number: len(server.requests) >= number * CONNECTIONS)
            await cancel(*tasks)
            await until(lambda: platform.rate_limiter.stats().in_flight == 0)
        await ten_plain_calls_succeed(platform, server)


WAITS: dict[str, tuple[Script, int]] = {
    "a permit": (silence, 1),
    "the next attempt": (response({}, "503 X", "Retry-After: 30"), 4),
    "the end of a rate limit": (response({}, "429 X", "Retry-After: 0.2"), 1),
}


@pytest.mark.parametrize(("script", "sent"), WAITS.values(), ids=WAITS)
async def test_cancelled_while_waiting_nothing_more_is_sent(transport: Any, script: Script, sent: int) -> None:
    async with (
        fault_server(EMPTY_LIST, by_path={SLOW: script}) as server,
        server.client(transport, max_connections=1) as platform,
    ):
        tasks = [asyncio.ensure_future(platform.request("GET", SLOW)) for _ in range(4)]
        hanging = int(script is silence)
        await until(lambda: len(server.requests) == sent and platform.rate_limiter.stats().in_flight == hanging)
        await cancel(*tasks)
        await ten_plain_calls_succeed(platform, server)
    assert [request.path for request in server.requests].count(SLOW) == sent


@all_clients
async def test_cancelled_while_connecting(transport: Any, full: socket.socket) -> None:
    address = f"http://127.0.0.1:{full.getsockname()[1]}"
    async with client(address, transport, max_connections=CONNECTIONS) as platform:
        for _ in range(3):
            tasks = calls_of(platform, SLOW)
            await asyncio.sleep(0.01)
            await cancel(*tasks)
            await until(lambda: platform.rate_limiter.stats().in_flight == 0)
        async with fault_server(EMPTY_LIST, sock=full) as server:
            await ten_plain_calls_succeed(platform, server, others=4)
    assert [request.path for request in server.requests if request.path == SLOW] == []


@all_clients
async def test_cancelled_while_sending(transport: Any) -> None:
    async def stop_reading(connection: Connection) -> None:
        if connection.number <= 2 * CONNECTIONS:
            await connection.reader.readuntil(b"\r\n\r\n")
            await asyncio.sleep(60)

    async with (
        fault_server(EMPTY_LIST, on_connect=stop_reading) as server,
        server.client(transport, max_connections=CONNECTIONS) as platform,
    ):
        for number in (1, 2):
            upload = platform.organization().attachments.upload
            tasks = [asyncio.ensure_future(upload(file=bytes(8_000_000))) for _ in range(CONNECTIONS)]
            await until(lambda number=number: server.connections == number * CONNECTIONS)
            await asyncio.sleep(0.02)
            await cancel(*tasks)
            await until(lambda: platform.rate_limiter.stats().in_flight == 0)
        await ten_plain_calls_succeed(platform, server, others=2 * CONNECTIONS)


@keeping_clients
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_cancelled_after_any_number_of_steps(transport: Any, method: str) -> None:
    """Connecting, sending, reading, decoding: one step of the event loop later each time."""
    async with (
        fault_server(
            response({"data": [{"blueprint_id": str(number)} for number in range(50)]}),
            by_path={"/v3/enterprise/snapshot-setup/blueprints": EMPTY_LIST},
        ) as server,
        server.client(transport, max_connections=CONNECTIONS) as platform,
    ):
        for steps in range(60):
            body = {} if method == "POST" else None
            tasks = [asyncio.ensure_future(platform.request(method, "/v3/x", body=body)) for _ in range(3)]
            await cancel_after(steps, *tasks)
            assert [task for task in tasks if not task.cancelled() and task.exception()] == []
        await ten_plain_calls_succeed(platform, server)


@all_clients
async def test_cancelled_while_paging(transport: Any) -> None:
    async def pages(request: Request, connection: Connection) -> None:
        number = int(request.query.get("after", "0"))
        if number % 3 == 2:
            await asyncio.sleep(0.01)
        items = [{"session_id": f"{number}-{index}"} for index in range(3)]
        await connection.send(response({"items": items, "end_cursor": str(number + 1), "has_next_page": number < 5}))

    async def consume(pager: Any, into: list[str]) -> None:
        async for item in pager:
            into.append(item.session_id)
            await asyncio.sleep(0)

    everything = [f"{number}-{index}" for number in range(6) for index in range(3)]
    async with (
        fault_server(pages, by_path={"/v3/enterprise/snapshot-setup/blueprints": EMPTY_LIST}) as server,
        server.client(transport, max_connections=CONNECTIONS) as platform,
    ):
        for steps in range(0, 120, 12):
            seen: list[str] = []
            pager = platform.enterprise.sessions.list()
            task = asyncio.ensure_future(consume(pager, seen))
            await cancel_after(steps, task)
            assert seen == everything[: len(seen)]
            # Resumed, what was not delivered as a whole page comes again, and nothing is missing.
            rest = await platform.enterprise.sessions.list(after=pager.cursor).collect() if not pager.exhausted else []
            overlap = len(seen) + len(rest) - len(everything)
            assert 0 <= overlap < 3
            assert seen + [item.session_id for item in rest][overlap:] == everything
        await ten_plain_calls_succeed(platform, server)


@keeping_clients
async def test_a_download_that_is_cancelled_after_any_number_of_steps_loses_no_connection(
    transport: Any, tmp_path: Path
) -> None:
    """Closing its response takes steps, too."""
    files = {FILE: response(b"x" * 1000, media_type="application/octet-stream")}
    async with (
        fault_server(EMPTY_LIST, by_path=files) as server,
        server.client(transport, max_connections=1, timeout=2) as platform,
    ):
        for steps in range(60):
            download = platform.organization().attachments.download(*FILE.split("/")[-2:])
            downloading = asyncio.ensure_future(download.save(tmp_path / "file"))
            await cancel_after(steps, downloading)
            assert (await platform.enterprise.blueprints.list()).data == []
            assert {path.name for path in tmp_path.iterdir()} <= {"file"}
        assert platform.rate_limiter.stats().in_flight == 0


@all_clients
@pytest.mark.parametrize(
    ("script", "of_the_write"),
    [
        (silence, OutcomeUnknownError),
        (drip(HEAD + b"Content-Length: 100000\r\n\r\n"), OutcomeUnknownError),
        # A write that waits for its next attempt was not carried out, nor were those that wait for a permit.
        (response({}, "429 X", "Retry-After: 30"), ClientClosedError),
    ],
)
async def test_closing_ends_every_call_with_an_error_of_the_sdk(
    transport: Any, script: Script, of_the_write: type[Exception]
) -> None:
    async with fault_server(script) as server:
        platform = server.client(transport, max_connections=CONNECTIONS)
        tasks = calls_of(platform, SLOW)
        await until(lambda: len(server.requests) == CONNECTIONS)
        await asyncio.wait_for(platform.aclose(), 20)
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        await until(lambda: not server.opened)
    read, write, *waiting = outcomes
    assert (type(read), type(write)) == (ClientClosedError, of_the_write)
    assert all("closed" in str(each) for each in outcomes)
    assert [type(each) for each in waiting] == [ClientClosedError] * 2
