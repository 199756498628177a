"""A batch for more than one machine: its chunks are tasks of taskiq, and workers anywhere run them.

    pip install '.[redis]' ./packages/jobs taskiq taskiq-redis      # in a checkout
    taskiq worker workers.tasks:broker --app-dir examples --workers 4 --max-async-tasks 2 --max-prefetch 0
    python -m workers.run rows.txt      # in examples/, once: queues the chunks, and waits for them

AGENT_PLATFORM_BASE_URL, AGENT_PLATFORM_TOKEN and AGENT_PLATFORM_ORG_ID say where the sessions are created. REDIS_URL
says where the queue, the rows and the shared rate limiter are.

Why taskiq: among the asyncio queues on Redis, only taskiq is maintained (taskiq 0.13 and taskiq-redis 1.2 are of
September 2026). It supports the current redis-py, and a task can acknowledge its message itself, after the work.

A worker that dies leaves its message unacknowledged, and the queue gives the message to another worker after IDLE
seconds. That may also happen while the first worker is only slow, so the lease of the chunk decides which worker
continues, and the state of its rows shows what is left to do. `find` decides about requests that were cut off. Here
`find` returns NOT_SENT, because LEASE seconds are longer than a request takes, and the sandbox lists a session at once.
Where a list may lag behind, let `find` return None: such rows are then `unknown`, and a person decides with
`batch.assign` or `batch.forget`.
"""

from __future__ import annotations

import os
from typing import Any

from agent_session_platform import AgentPlatform, OrganizationScope, RedisRateLimiter
from agent_session_platform_jobs import NOT_SENT, Batch
from redis.asyncio import Redis
from taskiq import Context, TaskiqDepends, TaskiqEvents, TaskiqState
from taskiq.serializers import JSONSerializer
from taskiq_redis import RedisAsyncResultBackend, RedisStreamBroker
from workers.redis_store import LeaseHeldError, RedisStore

REDIS_URL = os.environ.get("REDIS_URL", "redis://localhost:6379/0")
# In seconds; each time is longer than the time before. If a worker dies, its request ends first, then its lease ends,
# and then another worker gets the message.
REQUEST = float(os.environ.get("WORKERS_REQUEST", "20"))
LEASE = float(os.environ.get("WORKERS_LEASE", "60"))
IDLE = float(os.environ.get("WORKERS_IDLE", "120"))
CONCURRENCY = 10

broker = RedisStreamBroker(
    REDIS_URL,
    queue_name="sessions",
    # Also read messages that were queued before the first worker started.
    consumer_id="0",
    idle_timeout=int(IDLE * 1000),
    # Seconds after which a lock ends if its worker dies while it looks for messages of dead workers.
    unacknowledged_lock_timeout=10,
    # Take only one message at a time, because other workers cannot get the messages that a worker has taken.
    xread_count=1,
    unacknowledged_batch_size=1,
    xread_block=500,
).with_result_backend(
    # The error of a chunk comes to `run.py` as JSON, with its class and text. A pickle would run what it contains.
    RedisAsyncResultBackend[Any](REDIS_URL, serializer=JSONSerializer(), result_ex_time=int(10 * IDLE))
)


def connect() -> Any:
    """Return a client of Redis; typed as Any, because the results of its methods are Any."""
    return Redis.from_url(REDIS_URL, decode_responses=True)  # pyright: ignore[reportUnknownMemberType]  # of redis-py


@broker.on_event(TaskiqEvents.WORKER_STARTUP)
async def start(state: TaskiqState) -> None:
    state.redis = connect()
    state.platform = AgentPlatform(timeout=REQUEST, rate_limiter=RedisRateLimiter(REDIS_URL))


@broker.on_event(TaskiqEvents.WORKER_SHUTDOWN)
async def stop(state: TaskiqState) -> None:
    await state.platform.aclose()
    await state.redis.aclose()


def title(run: str, key: str) -> str:
    """Return the title that marks the session of a row, because lists show titles."""
    return f"{run}/{key}"


@broker.task(ack_type="manual")
async def create_sessions(
    run: str,
    chunk: int,
    rows: dict[str, str],
    context: Context = TaskiqDepends(),  # noqa: B008  # what taskiq replaces
) -> None:
    """Create a session for each row of a chunk; rows that are done already are not sent again."""
    org: OrganizationScope = context.state.platform.organization()
    redis: Any = context.state.redis

    async def find(key: str) -> Any:
        async for session in org.sessions.list(first=200):
            if session.title == title(run, key):
                return session
        return NOT_SENT

    store = RedisStore(redis, f"batch:{run}:{chunk}", LEASE)
    batch = Batch(org.sessions.create, store=store, concurrency=CONCURRENCY, find=find)
    results = batch.run(
        rows.items(),
        key=lambda row: row[0],
        arguments=lambda row: {"prompt": row[1], "title": title(run, row[0])},
    )
    try:
        states = [item.state async for item in results]
    except LeaseHeldError:
        # The message is not acknowledged: if the worker with the lease dies, another worker gets the message.
        return
    await redis.hset(f"batch:{run}", str(chunk), ",".join(states))
    await context.ack()


@broker.task
async def wake() -> None:
    """Do nothing: a worker looks for messages of dead workers only after it has received another message."""
