"""A rate limit that keeps to the sandbox's clock is the same in every run."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from agent_session_platform import RateLimitedError, RequestOptions, RetryPolicy
from agent_session_platform.sandbox import RateLimit, RefusedError, Sandbox

NEVER = RequestOptions(retry=RetryPolicy.none())


def refusal(limit: RateLimit) -> str:
    """What the next request is told, which is one too many."""
    with pytest.raises(RefusedError) as caught:
        limit.admit()
    return caught.value.headers["Retry-After"]


async def test_a_limit_in_the_time_of_the_sandbox_lets_nothing_through_until_that_moves(
    sandbox: Sandbox, org: Any
) -> None:
    """rate-limits: an assumption."""
    sandbox.rate_limit = RateLimit(500, burst=2, retry_after="fraction", clock=sandbox.clock)
    for _ in range(2):
        await org.sessions.create(options=NEVER)
    with pytest.raises(RateLimitedError) as caught:
        await org.sessions.create(options=NEVER)
    assert caught.value.retry_after == 0.002
    with pytest.raises(RateLimitedError):
        await org.sessions.create(options=NEVER)
    sandbox.clock.advance(seconds=0.002)
    await org.sessions.create(options=NEVER)
    assert sandbox.rate_limit.refused == 2


async def test_a_client_that_waits_where_time_stands_still_gives_up(sandbox: Sandbox) -> None:
    limit = sandbox.rate_limit = RateLimit(1000, burst=1, retry_after="fraction", clock=sandbox.clock)
    async with sandbox.client(retry=RetryPolicy(attempts=3)) as platform:
        org = platform.organization()
        await org.sessions.create()
        with pytest.raises(RateLimitedError):
            await org.sessions.create()
    assert limit.refused == 3


@pytest.mark.parametrize("per_second", [0.3, 3, 7, 50, 333])
@pytest.mark.parametrize("form", ["seconds", "fraction"])
def test_who_waits_as_long_as_was_told_is_let_through(sandbox: Sandbox, per_second: float, form: str) -> None:
    limit = RateLimit(per_second, retry_after=form, clock=sandbox.clock)
    limit.admit()
    for _ in range(50):
        sandbox.clock.advance(seconds=float(refusal(limit)))
        limit.admit()
        limit._tokens = min(limit._tokens, 0.0)


def test_a_clock_that_is_set_back_takes_nothing_away(sandbox: Sandbox) -> None:
    limit = RateLimit(1, burst=2, clock=sandbox.clock)
    limit.admit()
    sandbox.clock.set(sandbox.clock() - timedelta(days=1))
    limit.admit()
    assert refusal(limit) == "1"
