"""A row is `sending` only when its request can leave; and what a 429 does to other rows."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, Outcome, RequestOptions, RetryPolicy, errors
from agent_session_platform_jobs import Batch
from agent_session_platform_jobs.batch import run as run_module
from agent_session_platform_sandbox import Sandbox

from jobs_tests.batch.batches import CREATE, Row, arguments, key, rows, run, titles


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "BACKOFF", RetryPolicy(backoff_base=0.01))


async def test_requests_that_wait_when_the_loop_is_left_are_not_sent(sandbox: Sandbox, store: Path) -> None:
    sandbox.faults.add(CREATE, latency=0.05, times=None)
    async with sandbox.client(max_connections=1) as platform:
        batch = Batch(platform.organization("org-acme").sessions.create, store=store)
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
        raise errors.RateLimitedError("too many", status=429)

    batch = Batch(create, store=store, id="id", concurrency=3)
    async with aclosing(batch.run(rows(8), key=key, arguments=arguments)) as items:
        await anext(items)
        left.set()
    assert sent == ["row-0", "row-1", "row-2"]
    assert [item.state async for item in batch.items()] == ["planned", "planned", "settled"]


def with_options(options: RequestOptions | None) -> Callable[[Row], dict[str, Any]]:
    """Return the arguments of a row as `arguments` does, with options."""
    return lambda row: {**arguments(row), "options": options}


@pytest.mark.parametrize("options", [None, RequestOptions(retry=RetryPolicy(attempts=5))])
async def test_too_much_concurrency_costs_few_refusals(org: Any, sandbox: Sandbox, store: Path, options: Any) -> None:
    sandbox.session_capacity, sandbox.capacity_retry_after = 3, 0

    async def wait(id: str, **options: Any) -> Outcome[Any]:
        await asyncio.sleep(0.02)
        return Outcome(reason="matched", last=None, elapsed=0.02, polls=1)

    batch = Batch(org.sessions.create, store=store, concurrency=12, release=org.sessions.archive, wait=wait)
    states: Counter[str] = Counter()
    until = {"status": "running"}
    async for item in batch.run(rows(24), key=key, arguments=with_options(options), until=until):
        states[(await batch.release(item)).state] += 1
    assert states == {"released": 24}
    # The refused requests are those of the first burst, and one for each trial of another place.
    assert Counter(entry.status for entry in sandbox.journal.of(CREATE))[429] <= 14


async def test_a_function_of_the_caller_for_each_attempt_is_called_as_well(org: Any, store: Path) -> None:
    called: list[str] = []

    async def on_send() -> None:
        called.append("mine")

    options = RequestOptions(on_send=on_send)
    items = await run(Batch(org.sessions.create, store=store), rows(2), arguments=with_options(options))
    assert [item.attempts for item in items.values()] == [1, 1]
    assert called == ["mine", "mine"]


def unreachable(failures: int) -> AgentPlatform:
    """Return a client of a server that cannot be reached by its first requests."""
    left = failures

    def handle(request: httpx.Request) -> httpx.Response:
        nonlocal left
        left -= 1
        if left >= 0:
            raise httpx.ConnectError("refused", request=request)
        return httpx.Response(200, json={"session_id": "assistant-1"})

    transport = httpx.MockTransport(handle)
    return AgentPlatform("https://platform.example.com", "svc_x", organization="org-acme", transport=transport)


AT_ONCE = with_options(RequestOptions(retry=RetryPolicy(backoff_base=0.0)))


@pytest.mark.parametrize("failures", [2, 4])
async def test_a_server_that_cannot_be_reached_for_a_while_ends_no_run(store: Path, failures: int) -> None:
    async with unreachable(failures) as platform:
        batch = Batch(platform.organization().sessions.create, store=store)
        items = await run(batch, rows(1), arguments=AT_ONCE)
    assert items["row-0"].attempts == failures + 1


async def test_a_server_that_cannot_be_reached_ends_the_run_as_the_policy_says(store: Path) -> None:
    async with unreachable(5) as platform:
        batch = Batch(platform.organization().sessions.create, store=store)
        with pytest.raises(errors.ConnectionFailedError):
            await run(batch, rows(1), arguments=AT_ONCE)
    assert [item.state async for item in batch.items()] == ["planned"]


async def test_a_mistake_before_anything_was_sent_leaves_the_row_planned(batch: Batch, sandbox: Sandbox) -> None:
    async def on_send() -> None:
        raise LookupError("mine")

    with pytest.raises(LookupError):
        await run(batch, rows(1), arguments=with_options(RequestOptions(on_send=on_send)))
    assert [item.state async for item in batch.items()] == ["planned"]
    sandbox.journal.expect(CREATE, times=0)
