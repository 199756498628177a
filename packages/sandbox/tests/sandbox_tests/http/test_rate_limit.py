"""The rate limit, in real time and in that of the sandbox."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from agent_session_platform import RateLimitedError, RequestOptions, RetryPolicy
from agent_session_platform_sandbox import RateLimit, RefusedError, Sandbox

NEVER = RequestOptions(retry=RetryPolicy.none())


def refusal(limit: RateLimit) -> str | None:
    """Return the Retry-After of the next request, which is refused."""
    with pytest.raises(RefusedError, match="too many requests") as caught:
        limit.admit()
    return caught.value.headers.get("Retry-After")


@pytest.mark.parametrize(("form", "header"), [("seconds", "1"), ("fraction", "0.500"), (None, None)])
def test_retry_after_has_the_given_form(form: str | None, header: str | None) -> None:
    limit = RateLimit(2, retry_after=form, clock=lambda: 0.0)
    limit.admit()
    assert refusal(limit) == header


@pytest.mark.parametrize(
    "settings", [{"per_second": 0}, {"per_second": 1, "burst": 0}, {"per_second": 1, "retry_after": "x"}]
)
def test_an_invalid_limit_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not"):
        RateLimit(**settings)


async def test_a_limit_by_the_sandboxs_clock_admits_nothing_until_it_moves(sandbox: Sandbox, org: Any) -> None:
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


@pytest.mark.parametrize("per_second", [0.3, 3, 7, 50, 333])
@pytest.mark.parametrize("form", ["seconds", "fraction"])
def test_a_client_that_waits_for_retry_after_is_admitted(sandbox: Sandbox, per_second: float, form: str) -> None:
    limit = RateLimit(per_second, retry_after=form, clock=sandbox.clock)
    limit.admit()
    for _ in range(50):
        sandbox.clock.advance(seconds=float(refusal(limit) or "nan"))
        limit.admit()
        limit._tokens = min(limit._tokens, 0.0)


def test_a_clock_that_is_set_back_removes_no_tokens(sandbox: Sandbox) -> None:
    limit = RateLimit(1, burst=2, clock=sandbox.clock)
    limit.admit()
    sandbox.clock.set(sandbox.clock() - timedelta(days=1))
    limit.admit()
    assert refusal(limit) == "1"
