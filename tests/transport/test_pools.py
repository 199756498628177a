"""Several small pools: no more connections than allowed, open ones used first, idle ones closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
from agent_session_platform.transport import pools
from agent_session_platform.transport.interface import TransportRequest
from agent_session_platform.transport.pools import PooledTransport

REQUEST = TransportRequest("GET", "https://platform.example.com", (), b"", 5.0)


class NoOthers:
    """No connections to other servers."""

    def to(self, url: Any) -> Any:
        raise AssertionError

    async def aclose(self) -> None:
        pass


def pooled(recorder: Recorder, connections: int, **settings: Any) -> PooledTransport:
    others: Any = NoOthers()
    return PooledTransport(httpx, recorder.make, connections, others, **settings)


class Body(httpx.AsyncByteStream):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"{}"


class Recorder:
    """Makes transports whose requests wait until they are released, and records the pool of each request."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.requested: list[int] = []
        self.closed: list[int] = []
        self.let_go = asyncio.Event()
        self.error: Exception | None = None

    def make(self, size: int) -> httpx.AsyncBaseTransport:
        number = len(self.sizes)
        self.sizes.append(size)
        recorder = self

        class Waiting(httpx.AsyncBaseTransport):
            async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
                recorder.requested.append(number)
                await recorder.let_go.wait()
                if recorder.error is not None:
                    raise recorder.error
                return httpx.Response(200, stream=Body())

            async def aclose(self) -> None:
                recorder.closed.append(number)

        return Waiting()


async def ask(sending: PooledTransport) -> None:
    response = await sending.send(REQUEST)
    assert [chunk async for chunk in response.chunks] == [b"{}"]
    await response.close()


@pytest.mark.parametrize(("connections", "sizes"), [(1, [1]), (10, [10]), (11, [10, 1]), (25, [10, 10, 5])])
async def test_all_pools_together_have_the_allowed_connections(connections: int, sizes: list[int]) -> None:
    recorder = Recorder()
    sending = pooled(recorder, connections)
    under_way = [asyncio.create_task(ask(sending)) for _ in range(connections)]
    await asyncio.sleep(0)
    assert recorder.sizes == sizes
    assert sorted(recorder.requested) == sorted(number for number, size in enumerate(sizes) for _ in range(size))
    recorder.let_go.set()
    await asyncio.gather(*under_way)


async def test_sequential_calls_use_one_pool() -> None:
    recorder = Recorder()
    recorder.let_go.set()
    sending = pooled(recorder, 100)
    for _ in range(30):
        await ask(sending)
    assert set(recorder.requested) == {0}


async def test_calls_beyond_the_connections_wait_for_one_and_not_in_a_pool() -> None:
    recorder = Recorder()
    sending = pooled(recorder, 20)
    under_way = [asyncio.create_task(ask(sending)) for _ in range(24)]
    await asyncio.sleep(0)
    assert [recorder.requested.count(number) for number in (0, 1)] == [10, 10]
    recorder.let_go.set()
    await asyncio.gather(*under_way)
    assert len(recorder.requested) == 24


async def test_a_call_that_waits_too_long_for_a_connection_has_a_pool_timeout() -> None:
    recorder = Recorder()
    sending = pooled(recorder, 1)
    hanging = asyncio.create_task(ask(sending))
    await asyncio.sleep(0)
    with pytest.raises(httpx.PoolTimeout):
        await sending.send(REQUEST._replace(timeout=0.01))
    assert sending.in_use == 1
    recorder.let_go.set()
    await hanging


async def test_a_call_that_is_cancelled_while_it_waits_takes_no_connection() -> None:
    recorder = Recorder()
    sending = pooled(recorder, 1)
    hanging, cancelled, waiting = (asyncio.create_task(ask(sending)) for _ in range(3))
    await asyncio.sleep(0)
    cancelled.cancel()
    recorder.let_go.set()
    await asyncio.gather(hanging, waiting)
    assert cancelled.cancelled()
    assert sending.in_use == 0


async def failed(recorder: Recorder, under_way: asyncio.Task[None]) -> None:
    recorder.error = httpx.ConnectError("refused")
    recorder.let_go.set()


async def cancelled(recorder: Recorder, under_way: asyncio.Task[None]) -> None:
    under_way.cancel()


async def responded(recorder: Recorder, under_way: asyncio.Task[None]) -> None:
    recorder.let_go.set()


@pytest.mark.parametrize("end", [failed, cancelled, responded])
async def test_a_connection_is_given_back_however_its_request_ends(end: Callable[..., object]) -> None:
    recorder = Recorder()
    sending = pooled(recorder, 1)
    under_way = asyncio.create_task(ask(sending))
    await asyncio.sleep(0)
    assert sending.in_use == 1
    await end(recorder, under_way)  # type: ignore[misc]  # one of the three above
    await asyncio.wait((under_way,))
    assert sending.in_use == 0


async def test_a_connection_is_in_use_until_the_body_has_been_closed() -> None:
    recorder = Recorder()
    recorder.let_go.set()
    sending = pooled(recorder, 100)
    response = await sending.send(REQUEST)
    assert sending.in_use == 1
    await response.close()
    assert sending.in_use == 0


async def test_one_pool_has_all_connections_where_many_requests_share_one() -> None:
    recorder = Recorder()
    recorder.let_go.set()
    await ask(pooled(recorder, 100, one_pool=True))
    assert recorder.sizes == [100]


async def test_idle_pools_are_closed_and_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    sending = pooled(recorder, 30)
    burst = [asyncio.create_task(ask(sending)) for _ in range(30)]
    await asyncio.sleep(0)
    recorder.let_go.set()
    await asyncio.gather(*burst)
    await ask(sending)
    assert recorder.closed == []
    monkeypatch.setattr(pools, "IDLE_SECONDS", -1.0)
    await ask(sending)
    assert recorder.closed == [1, 2]
    recorder.let_go.clear()
    again = [asyncio.create_task(ask(sending)) for _ in range(11)]
    await asyncio.sleep(0)
    assert recorder.sizes == [10, 10, 10, 10]
    recorder.let_go.set()
    await asyncio.gather(*again)


async def test_closing_closes_all_pools() -> None:
    recorder = Recorder()
    sending = pooled(recorder, 20)
    under_way = [asyncio.create_task(ask(sending)) for _ in range(20)]
    await asyncio.sleep(0)
    recorder.let_go.set()
    await asyncio.gather(*under_way)
    await sending.aclose()
    assert recorder.closed == [0, 1]
