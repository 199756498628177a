"""LocalRateLimiter: one 429 closes it for all, the lowest ticket goes first, and no permit is lost."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from agent_session_platform import LocalRateLimiter, RateLimiter, RetryPolicy
from agent_session_platform.rate_limit.adaptive_rate import INITIAL_WINDOW
from agent_session_platform.rate_limit.interface import Permit

from benchmarks.virtual_time import VirtualTimeLoop
from tests.fixtures import in_virtual_time

TICKETS = count()


def opened(max_connections: int) -> LocalRateLimiter:
    limiter = LocalRateLimiter()
    limiter.open(max_connections, "key")
    return limiter


def now() -> float:
    return asyncio.get_running_loop().time()


async def acquire(limiter: RateLimiter, seconds: float = 10.0) -> Permit:
    """Acquire a permit as the next call."""
    async with asyncio.timeout(seconds):
        return await limiter.acquire(next(TICKETS))


def refused(limiter: RateLimiter, permit: Permit, retry_after: float | None) -> float:
    """Tell the limiter of a 429, and return the seconds until it opens."""
    return limiter.refused(permit, retry_after, RetryPolicy().backoff_after_429)


async def refuse(limiter: RateLimiter, retry_after: float) -> None:
    """Send a request that gets a 429."""
    permit = await acquire(limiter)
    refused(limiter, permit, retry_after)
    limiter.release(permit)


async def settle() -> None:
    """Let every task run as far as it can."""
    for _ in range(10):
        await asyncio.sleep(0)


@in_virtual_time
async def test_after_a_429_one_probe_goes_first_and_the_others_follow_at_the_rate() -> None:
    limiter = opened(10)
    await refuse(limiter, 0)
    tasks = [asyncio.create_task(acquire(limiter)) for _ in range(3)]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    assert sum(task.done() for task in tasks) == 1
    limiter.release(await tasks[0], accepted=True)
    await settle()
    assert sum(task.done() for task in tasks) == 1
    begun = now()
    await asyncio.gather(*tasks)
    assert limiter.stats().rate is not None
    assert now() - begun >= 1.5 / (limiter.stats().rate or 1.0)


async def test_a_permit_that_was_granted_before_a_429_waits_until_the_limiter_opens() -> None:
    """The request with this permit has not been sent yet, and nothing is sent while the limiter is closed."""
    limiter = opened(2)
    first, second = await acquire(limiter), await acquire(limiter)
    waiting = asyncio.create_task(acquire(limiter))
    await settle()
    limiter.release(first)
    refused(limiter, second, 100)
    await settle()
    assert (waiting.done(), limiter.stats().in_flight) == (False, 1)
    waiting.cancel()
    await settle()
    assert limiter.stats().in_flight == 1


async def test_a_permit_granted_in_the_turn_of_the_cancellation_is_given_back() -> None:
    limiter = opened(1)
    held = await acquire(limiter)
    waiting = asyncio.create_task(acquire(limiter))
    await settle()
    limiter.release(held)
    waiting.cancel()
    await settle()
    assert limiter.stats().in_flight == 0


@in_virtual_time
async def test_a_burst_waits_for_the_first_responses() -> None:
    limiter = opened(1000)
    tasks = [asyncio.create_task(acquire(limiter)) for _ in range(500)]
    await settle()
    assert sum(task.done() for task in tasks) == INITIAL_WINDOW
    for task in tasks:
        task.cancel()


async def test_stats_show_what_the_limiter_is_doing() -> None:
    limiter = opened(3)
    stats = limiter.stats()
    assert (stats.rate, stats.reason, stats.closed_until) == (None, None, None)
    refused(limiter, await acquire(limiter), 0)
    # The probe is refused, too.
    refused(limiter, await acquire(limiter), 5)
    stats = limiter.stats()
    assert stats.rate is not None
    assert stats.rate < 1000
    assert (stats.in_flight, stats.waiting, stats.rate_limited, stats.reason) == (2, 0, 2, "429 with Retry-After")
    assert 4 < stats.closed_for <= 5.3
    assert stats.closed_until is not None
    assert timedelta(seconds=4) < stats.closed_until - datetime.now(UTC) <= timedelta(seconds=5.3)


class EarlyLoop(VirtualTimeLoop):
    """An event loop that wakes its first timer a little early, as uvloop does by up to a millisecond."""

    early = 1e-4

    def call_at(self, when: float, *arguments: Any, context: Any = None) -> asyncio.TimerHandle:
        early, self.early = self.early, 0.0
        return super().call_at(when - early, *arguments, context=context)


def test_a_limiter_whose_timer_wakes_it_early_serves_its_waiters() -> None:
    async def happen() -> None:
        limiter = opened(10)
        await refuse(limiter, 1.0)
        # Without another timer this loop raises an error.
        await acquire(limiter)

    with asyncio.Runner(loop_factory=EarlyLoop) as runner:
        runner.run(happen())
