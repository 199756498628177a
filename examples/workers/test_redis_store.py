"""The lease of a chunk: one worker at a time has it, and none writes without it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import attrs
import pytest
from agent_session_platform_jobs import BatchItem, BatchStore, BatchStoreError, IdTakenError

from tests.servers.redis_server import SERVER, RedisServer

pytest.importorskip("taskiq_redis", reason="needs the group `examples`")
pytestmark = pytest.mark.skipif(SERVER is None, reason="needs redis-server")

from redis.asyncio import Redis  # noqa: E402
from workers.redis_store import LeaseHeldError, RedisStore  # noqa: E402

ITEM = BatchItem(key="a", state="settled", id="1", result={"b": [1]}, attempts=1, digest="d")


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    server = RedisServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
async def redis(server: RedisServer) -> AsyncIterator[Any]:
    server.flush()
    async with Redis.from_url(server.url, decode_responses=True) as redis:  # pyright: ignore[reportUnknownMemberType]  # of redis-py
        yield redis


async def test_it_is_a_store(redis: Any) -> None:
    assert isinstance(RedisStore(redis, "chunk", 1.0), BatchStore)


async def test_a_row_comes_back_as_it_was(redis: Any) -> None:
    store = RedisStore(redis, "chunk", 1.0)
    await store.open()
    await store.write(ITEM)
    assert await store.read("a") == ITEM
    with pytest.raises(IdTakenError, match="1 is the object of row 'a'"):
        await store.write(attrs.evolve(ITEM, key="b"))
    assert await store.read("b") is None
    await store.deliver("a")
    assert [item.delivered async for item in store.items()] == [True]
    assert [item async for item in store.items("settled")] == [ITEM]
    await store.remove("a")
    assert await store.read("a") is None
    await store.close()


async def test_it_belongs_to_what_it_was_bound_to_first(redis: Any) -> None:
    store = RedisStore(redis, "chunk", 1.0)
    assert [await store.bind(each) for each in (None, "one", "two", None)] == [None, "one", "one", "one"]


async def test_a_second_worker_is_refused_until_the_first_has_ended(redis: Any) -> None:
    first, second = (RedisStore(redis, "chunk", 1.0) for _ in range(2))
    await first.open()
    with pytest.raises(LeaseHeldError):
        await second.open()
    await first.close()
    await second.open()
    await second.close()


async def test_a_lease_is_renewed_while_the_worker_lives(redis: Any) -> None:
    first, second = (RedisStore(redis, "chunk", 0.15) for _ in range(2))
    await first.open()
    await asyncio.sleep(0.3)
    with pytest.raises(LeaseHeldError):
        await second.open()
    await first.close()


async def test_a_worker_that_has_lost_its_lease_cannot_write(redis: Any) -> None:
    slow, other = (RedisStore(redis, "chunk", 1.0) for _ in range(2))
    await slow.open()
    # Delete the lease, as if the worker had been stopped for longer than its lease.
    await redis.delete("chunk:lease")
    await other.open()
    with pytest.raises(BatchStoreError, match="was lost"):
        await slow.write(ITEM)
    await slow.close()
    await other.write(ITEM)
    await other.close()


async def test_an_outage_of_redis_is_an_error_of_the_store(redis: Any, server: RedisServer) -> None:
    store = RedisStore(redis, "chunk", 1.0)
    server.stop()
    try:
        with pytest.raises(BatchStoreError, match="Redis: "):
            await store.open()
    finally:
        server.start()
