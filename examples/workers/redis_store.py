"""The rows of a batch in Redis, for workers on several machines. One worker at a time has the rows of a chunk.

A worker holds a lease on its chunk and renews it. Each write is carried out only while it holds that lease, so a worker
that was stopped for longer than its lease can neither write nor begin another request. Redis must keep what it has
confirmed: `appendonly yes` and `appendfsync always`, and no replica that takes over without the latest writes.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import attrs
from agent_session_platform_jobs import BatchItem, BatchStoreError, IdTakenError
from redis.exceptions import RedisError

# KEYS are the lease, the rows and the ids. ARGV are the worker that writes, the key, the row or "", and the id or "".
WRITE = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[4] ~= '' then
    local owner = redis.call('HGET', KEYS[3], ARGV[4])
    if owner and owner ~= ARGV[2] then return owner end
    redis.call('HSET', KEYS[3], ARGV[4], ARGV[2])
end
if ARGV[3] == '' then redis.call('HDEL', KEYS[2], ARGV[2]) else redis.call('HSET', KEYS[2], ARGV[2], ARGV[3]) end
return 1
"""
RENEW = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0"
RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"


class LeaseHeldError(BatchStoreError):
    """Another worker has the chunk."""


class RedisStore:
    """A `BatchStore` in Redis.

    Args:
        redis: A client of redis-py's asyncio that decodes responses.
        name: Name of the chunk.
        lease: Seconds after which the chunk of a dead worker is free again; must be more than a request may take.
    """

    def __init__(self, redis: Any, name: str, lease: float) -> None:
        self._redis = redis
        self._rows, self._ids, self._lease = f"{name}:rows", f"{name}:ids", f"{name}:lease"
        self._target = f"{name}:target"
        self._milliseconds = int(lease * 1000)
        # The host and the process tell people which worker this is; the random part makes the name unique.
        self._holder = f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(8)}"
        self._taken: set[str] = set()
        self._renewing: asyncio.Task[None] | None = None

    async def open(self) -> None:
        if not await self._run(self._redis.set(self._lease, self._holder, nx=True, px=self._milliseconds)):
            raise LeaseHeldError(f"another worker holds {self._lease}")
        self._taken.clear()
        self._renewing = asyncio.create_task(self._renew())

    async def close(self) -> None:
        if self._renewing is not None:
            self._renewing.cancel()
        await self._run(self._redis.eval(RELEASE, 1, self._lease, self._holder))

    async def bind(self, target: str | None) -> str | None:
        if target is not None:
            await self._run(self._redis.set(self._target, target, nx=True))
        bound: str | None = await self._run(self._redis.get(self._target))
        return bound

    async def take(self, key: str) -> bool:
        is_new = key not in self._taken
        self._taken.add(key)
        return is_new

    async def read(self, key: str) -> BatchItem | None:
        text = await self._run(self._redis.hget(self._rows, key))
        return None if text is None else BatchItem(**json.loads(text))

    async def write(self, item: BatchItem) -> None:
        await self._write(item.key, json.dumps(attrs.asdict(item)), item.id or "")

    async def remove(self, key: str) -> None:
        await self._write(key, "", "")

    async def deliver(self, key: str) -> None:
        item = await self.read(key)
        if item is not None:
            await self.write(attrs.evolve(item, delivered=True))

    async def items(self, *states: str) -> AsyncIterator[BatchItem]:
        rows = await self._run(self._redis.hgetall(self._rows))
        for _, text in sorted(rows.items()):
            item = BatchItem(**json.loads(text))
            if not states or item.state in states:
                yield item

    async def _write(self, key: str, row: str, id: str) -> None:
        keys = (self._lease, self._rows, self._ids)
        done: int | str = await self._run(self._redis.eval(WRITE, len(keys), *keys, self._holder, key, row, id))
        if isinstance(done, str):
            raise IdTakenError(id, done)
        if not done:
            raise BatchStoreError(f"{self._lease} was lost: another worker may go on with its rows")

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._milliseconds / 3000)
            # If renewal fails, the next write finds that the lease is lost.
            with suppress(BatchStoreError):
                await self._run(self._redis.eval(RENEW, 1, self._lease, self._holder, self._milliseconds))

    async def _run(self, command: Any) -> Any:
        try:
            return await command
        except RedisError as error:
            raise BatchStoreError(f"Redis: {error}") from error
