"""When a row is `sending`: not before its request can leave; and what a 429 does to the others."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    ConnectionFailedError,
    Outcome,
    RateLimitedError,
    RequestOptions,
    RetryPolicy,
)
from agent_session_platform_jobs import Batch
from agent_session_platform_jobs.batch import run as run_module
from agent_session_platform_sandbox import Sandbox

from jobs_tests.batch.batches import CREATE, Row, arguments, key, rows, run, titles

pytestmark = pytest.mark.asyncio


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "BACKOFF", RetryPolicy(backoff_base=0.01))


@pytest.fixture
async def one_at_a_time(sandbox: Sandbox) -> AsyncIterator[Any]:
    """Return an organization whose client sends one request at a time, each of which takes a while."""
    sandbox.faults.add(CREATE, latency=0.05, times=None)
    async with sandbox.client(max_connections=1) as platform:
        yield platform.organization("org-acme")


async def test_rows_that_wait_for_the_rate_limiter_are_not_sending(one_at_a_time: Any, store: Path) -> None:
    batch = Batch(one_at_a_time.sessions.create, store=store)
    async with aclosing(batch.run(rows(8), key=key, arguments=arguments)) as items:
        await anext(items)
        states = Counter([item.state async for item in batch.items()])
    assert states["sending"] <= 1
    assert states["settled"] <= 2


async def test_requests_that_were_not_sent_are_not_sent_after_the_loop_was_left(
    one_at_a_time: Any, sandbox: Sandbox, store: Path
) -> None:
    batch = Batch(one_at_a_time.sessions.create, store=store)
    async with aclosing(batch.run(rows(8), key=key, arguments=arguments)) as items:
        await anext(items)
    assert len(titles(sandbox)) <= 2
    assert {item.state async for item in batch.items()} == {"settled"}
    assert len(await run(batch, rows(8))) == len(titles(sandbox)) == 8


async def test_a_row_that_is_refused_after_the_loop_was_left_is_not_sent_again(store: Path) -> None:
    sent, left = list[str](), asyncio.Event()

    async def create(**members: Any) -> dict[str, Any]:
        sent.append(members["title"])
        if len(sent) == 3:
            return {"id": "one"}
        await left.wait()
        raise RateLimitedError("too many", status=429)

    batch = Batch(create, store=store, id="id", concurrency=3)
    async with aclosing(batch.run(rows(8), key=key, arguments=arguments)) as items:
        await anext(items)
        left.set()
    assert sent == ["row-0", "row-1", "row-2"]
    assert [item.state async for item in batch.items()] == ["planned", "planned", "settled"]


@pytest.mark.parametrize("options", [None, RequestOptions(retry=RetryPolicy(attempts=5))])
async def test_a_concurrency_above_the_places_costs_few_refusals(
    org: Any, sandbox: Sandbox, store: Path, options: RequestOptions | None
) -> None:
    sandbox.session_capacity, sandbox.capacity_retry_after = 3, 0

    async def wait(id: str, **options: Any) -> Outcome[Any]:
        await asyncio.sleep(0.1)
        return Outcome(reason="matched", last=None, elapsed=0.1, polls=1)

    batch = Batch(org.sessions.create, store=store, concurrency=12, release=org.sessions.archive, wait=wait)
    states: Counter[str] = Counter()

    def with_options(row: Row) -> dict[str, Any]:
        return {**arguments(row), "options": options}

    until = {"status": "running"}
    async with aclosing(batch.run(rows(24), key=key, arguments=with_options, until=until)) as items:
        async for item in items:
            states[(await batch.release(item)).state] += 1
    assert states == {"released": 24}
    # Those of the first burst, and one for each trial of another place.
    assert Counter(entry.status for entry in sandbox.journal.of(CREATE))[429] <= 14


async def test_a_function_of_the_caller_for_each_attempt_is_called_as_well(org: Any, store: Path) -> None:
    called: list[str] = []

    async def on_send() -> None:
        called.append("mine")

    batch = Batch(org.sessions.create, store=store)
    options = {"options": RequestOptions(on_send=on_send)}
    async for item in batch.run(rows(2), key=key, arguments=lambda row: {**arguments(row), **options}):
        assert item.attempts == 1
    assert called == ["mine", "mine"]


@pytest.mark.parametrize(("failures", "attempts"), [(2, 3), (4, 5)])
async def test_a_server_that_cannot_be_reached_for_a_while_ends_no_run(
    store: Path, failures: int, attempts: int
) -> None:
    batch, platform = unreachable(store, failures)
    async with platform:
        assert [item.attempts for item in (await run_quickly(batch)).values()] == [attempts]


async def test_a_server_that_cannot_be_reached_ends_the_run_as_the_policy_says(store: Path) -> None:
    batch, platform = unreachable(store, 5)
    async with platform:
        with pytest.raises(ConnectionFailedError):
            await run_quickly(batch)
        assert [item.state async for item in batch.items()] == ["planned"]


def unreachable(store: Path, failures: int) -> tuple[Batch, AgentPlatform]:
    left = failures

    def handle(request: httpx.Request) -> httpx.Response:
        nonlocal left
        left -= 1
        if left >= 0:
            raise httpx.ConnectError("refused", request=request)
        return httpx.Response(200, json={"session_id": "assistant-1"})

    platform = AgentPlatform("https://platform.example.com", "svc_x", transport=httpx.MockTransport(handle))
    return Batch(platform.organization("org-acme").sessions.create, store=store), platform


async def run_quickly(batch: Batch) -> dict[str, Any]:
    options = {"options": RequestOptions(retry=RetryPolicy(backoff_base=0.0))}
    return {
        item.key: item
        async for item in batch.run(rows(1), key=key, arguments=lambda row: {**arguments(row), **options})
    }


async def test_a_mistake_before_anything_was_sent_leaves_the_row_planned(
    org: Any, sandbox: Sandbox, store: Path
) -> None:
    async def on_send() -> None:
        raise LookupError("mine")

    batch = Batch(org.sessions.create, store=store)
    options = {"options": RequestOptions(on_send=on_send)}
    with pytest.raises(LookupError):
        _ = [item async for item in batch.run(rows(1), key=key, arguments=lambda row: {**arguments(row), **options})]
    assert [item.state async for item in batch.items()] == ["planned"]
    sandbox.journal.expect(CREATE, times=0)
