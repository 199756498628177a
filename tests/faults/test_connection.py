"""Connections that break, take too long or are given up, and the state of the client afterwards."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, LocalRateLimiter, RetryPolicy, errors

from benchmarks.soak import Soak
from tests.fixtures import ONE_ATTEMPT, OWN, PASSED, all_clients, all_transports, until
from tests.servers.fault_server import Connection, FaultServer, Request, Script, client, fault_server
from tests.servers.scripts import EMPTY_LIST, HEAD, drip, gzip_response, page, pour, response, silence, then_close

BODY = b'{"data": []}'
PR = "https://git.example.com/acme/shop/pull/7"
PATH = "/v3/slow"
FILE = "/v3/organizations/org-acme/attachments/11111111-1111-4111-8111-111111111111/a.bin"
CONNECTIONS = 2
SLOW: dict[str, Script] = {
    "headers": drip(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", 0.02),
    "in a header": drip(b"HTTP/1.1 200 OK\r\nX: ", b"y"),
    "1xx": drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "body": drip(HEAD + b"Content-Length: 100000\r\n\r\n"),
    "chunks": drip(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "endless": drip(HEAD + b"\r\n"),
    "gzip": drip(HEAD + b"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\0\xff", b"\0\0\0\xff\xff"),
    "silence": silence,
}


@all_clients
@pytest.mark.parametrize("script", SLOW.values(), ids=SLOW)
async def test_a_slow_response_ends_at_the_deadline(transport: Any, script: Script) -> None:
    retry = RetryPolicy(deadline=0.05, attempts=1)
    async with fault_server(script) as server, server.client(transport, retry=retry, max_connections=1) as platform:
        with pytest.raises(errors.DeadlineExceededError, match=r"\.list: no response within 0\.05 s"):
            await platform.enterprise.blueprints.list()
        with pytest.raises(errors.OutcomeUnknownError, match=r"\.create: no response within 0\.05 s"):
            await platform.enterprise.reviews.create(pr_url=PR)


@all_transports
@pytest.mark.parametrize("status", [409, 429, 503])
async def test_a_status_whose_body_never_comes_is_still_that_error(transport: Any, status: int) -> None:
    async def head_only(request: Request, connection: Connection) -> None:
        await connection.send(f"HTTP/1.1 {status} X\r\nContent-Length: 100\r\n\r\n{{".encode())
        await silence(request, connection)

    async with fault_server(head_only) as server, server.client(transport, retry=ONE_ATTEMPT, timeout=0.1) as platform:
        with pytest.raises(errors.ProblemError) as caught:
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
            # The client learns of the close a moment later.
            await asyncio.sleep(0.02)
            assert len(server.requests) == number + 1
    assert server.connections == 5


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
        with pytest.raises(errors.ProblemError, match="413 Too Large"):
            await platform.organization().attachments.upload(file=bytes(3_000_000))


# Calls that are cancelled at any point: ten plain calls succeed afterwards, so no connection and no permit is lost.

# If the caller passes a client of httpx, its pool may lose the connection of a cancelled request (see SECURITY.md).
LOSING = "http_client httpx"
keeping_clients = pytest.mark.parametrize("transport", [*OWN.values(), *(each for each in PASSED if each != LOSING)])


async def cancel(platform: AgentPlatform, *tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks, timeout=20)
    assert [task for task in tasks if not task.cancelled()] == []
    await until(lambda: platform.rate_limiter.stats().in_flight == 0)


async def cancel_after(steps: int, *tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks after a number of steps of the event loop; they may have ended by then."""
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


@asynccontextmanager
async def used(
    transport: Any, by_path: Mapping[str, Script], others: int = 0, max_connections: int = CONNECTIONS, **settings: Any
) -> AsyncIterator[tuple[AgentPlatform, FaultServer]]:
    """Yield a client and its server; after the block ten plain calls succeed."""
    async with (
        fault_server(EMPTY_LIST, by_path=by_path, **settings) as server,
        server.client(transport, max_connections=max_connections) as platform,
    ):
        yield platform, server
        await ten_plain_calls_succeed(platform, server, others)


def calls_of(platform: AgentPlatform) -> list[asyncio.Task[Any]]:
    """Start reads and writes alternately, twice as many as there are connections."""
    return [
        asyncio.ensure_future(platform.request(method, PATH, body={} if method == "POST" else None))
        for method in ("GET", "POST") * CONNECTIONS
    ]


@all_clients
@pytest.mark.parametrize("script", [*SLOW.values(), drip(b"HTTP/1.1 500 X\r\nContent-Length: 100000\r\n\r\n")])
async def test_cancelled_while_reading_and_while_others_wait(transport: Any, script: Script) -> None:
    async with used(transport, {PATH: script}) as (platform, server):
        for number in (1, 2):
            tasks = calls_of(platform)
            await until(lambda number=number: len(server.requests) >= number * CONNECTIONS)
            await cancel(platform, *tasks)


WAITS: dict[str, tuple[Script, int]] = {
    "a permit": (silence, 1),
    "the next attempt": (response({}, "503 X", "Retry-After: 30"), 4),
    "the end of a rate limit": (response({}, "429 X", "Retry-After: 0.2"), 1),
}


@pytest.mark.parametrize(("script", "sent"), WAITS.values(), ids=WAITS)
async def test_cancelled_while_waiting_nothing_more_is_sent(transport: Any, script: Script, sent: int) -> None:
    async with used(transport, {PATH: script}, max_connections=1) as (platform, server):
        tasks = [asyncio.ensure_future(platform.request("GET", PATH)) for _ in range(4)]
        hanging = int(script is silence)
        await until(lambda: len(server.requests) == sent and platform.rate_limiter.stats().in_flight == hanging)
        await cancel(platform, *tasks)
    assert [request.path for request in server.requests].count(PATH) == sent


@all_clients
async def test_cancelled_while_connecting(transport: Any, full: socket.socket) -> None:
    address = f"http://127.0.0.1:{full.getsockname()[1]}"
    async with client(address, transport, max_connections=CONNECTIONS) as platform:
        for _ in range(3):
            tasks = calls_of(platform)
            await asyncio.sleep(0.01)
            await cancel(platform, *tasks)
        async with fault_server(EMPTY_LIST, sock=full) as server:
            await ten_plain_calls_succeed(platform, server, others=4)
    assert [request.path for request in server.requests if request.path == PATH] == []


@all_clients
async def test_cancelled_while_sending(transport: Any) -> None:
    async def stop_reading(connection: Connection) -> None:
        if connection.number <= 2 * CONNECTIONS:
            await connection.reader.readuntil(b"\r\n\r\n")
            await asyncio.sleep(60)

    async with used(transport, {}, others=2 * CONNECTIONS, on_connect=stop_reading) as (platform, server):
        upload = platform.organization().attachments.upload
        for number in (1, 2):
            tasks = [asyncio.ensure_future(upload(file=bytes(8_000_000))) for _ in range(CONNECTIONS)]
            await until(lambda number=number: server.connections == number * CONNECTIONS)
            await asyncio.sleep(0.02)
            await cancel(platform, *tasks)


@keeping_clients
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_cancelled_after_any_number_of_steps(transport: Any, method: str) -> None:
    """Each run cancels the call one step of the event loop later: while it connects, sends, reads or decodes."""
    large = response({"data": [{"blueprint_id": str(number)} for number in range(50)]})
    async with used(transport, {PATH: large}) as (platform, _):
        for steps in range(60):
            body = {} if method == "POST" else None
            tasks = [asyncio.ensure_future(platform.request(method, PATH, body=body)) for _ in range(3)]
            await cancel_after(steps, *tasks)
            assert [task for task in tasks if not task.cancelled() and task.exception()] == []


@all_clients
async def test_cancelled_while_paging(transport: Any) -> None:
    async def send_page(request: Request, connection: Connection) -> None:
        number = int(request.query.get("after", "0"))
        if number % 3 == 2:
            await asyncio.sleep(0.01)
        await connection.send(response(page(everything[3 * number : 3 * number + 3], str(number + 1), number < 5)))

    async def consume(pager: Any, into: list[str]) -> None:
        async for session in pager:
            into.append(session.session_id)
            await asyncio.sleep(0)

    everything = [str(number) for number in range(18)]
    async with used(transport, {"/v3/enterprise/sessions": send_page}) as (platform, _):
        for steps in range(0, 120, 12):
            seen: list[str] = []
            pager = platform.enterprise.sessions.list()
            await cancel_after(steps, asyncio.ensure_future(consume(pager, seen)))
            assert seen == everything[: len(seen)]
            # A resumed list repeats the page that was not delivered as a whole, and misses no item.
            rest: list[str] = []
            if not pager.exhausted:
                await pour(platform.enterprise.sessions.list(after=pager.cursor), rest)
            overlap = len(seen) + len(rest) - len(everything)
            assert 0 <= overlap < 3
            assert seen + rest[overlap:] == everything


@keeping_clients
async def test_a_download_cancelled_after_any_number_of_steps(transport: Any, tmp_path: Path) -> None:
    """Closing the response of the download takes steps of the event loop, too."""
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
    ("script", "refused", "of_the_write"),
    [
        (silence, 0, errors.OutcomeUnknownError),
        (drip(HEAD + b"Content-Length: 100000\r\n\r\n"), 0, errors.OutcomeUnknownError),
        # Neither a write that waits for its next attempt nor a write that waits for a permit was carried out.
        (response({}, "429 X", "Retry-After: 30"), CONNECTIONS, errors.ClientClosedError),
    ],
)
async def test_closing_ends_every_call(
    transport: Any, script: Script, refused: int, of_the_write: type[Exception]
) -> None:
    one_limit = LocalRateLimiter(key=lambda operation: "all")
    async with fault_server(script) as server:
        platform = server.client(transport, max_connections=CONNECTIONS, rate_limiter=one_limit)
        tasks = calls_of(platform)
        await until(lambda: len(server.requests) == CONNECTIONS)
        await until(lambda: platform.rate_limiter.stats().rate_limited == refused)
        await asyncio.wait_for(platform.aclose(), 20)
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        await until(lambda: not server.opened)
    read, write, *waiting = outcomes
    assert (type(read), type(write)) == (errors.ClientClosedError, of_the_write)
    assert all("closed" in str(each) for each in outcomes)
    assert [type(each) for each in waiting] == [errors.ClientClosedError] * 2


# A short soak test: `make soak` runs it for longer.


@all_transports
async def test_a_client_under_random_faults_and_cancellations_leaks_nothing(transport: Any) -> None:
    soak = Soak(transport)
    await soak.run(0.4)
    assert soak.leaks == []
    assert min(soak.outcomes["good"], soak.outcomes["cancelled"]) > 0
