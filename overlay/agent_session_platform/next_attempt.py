"""The step after a failed attempt, of a call and of a download: another one, or the reason why there is none."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from .errors import AgentPlatformError
from .retry_event import RetryEvent

if TYPE_CHECKING:
    from ._api import Operation
    from .retry import Decision, RetryPolicy
    from .runtime import ClientRuntime

logger = logging.getLogger("agent_session_platform")


def plan_attempt(
    runtime: ClientRuntime,
    policy: RetryPolicy,
    operation: Operation,
    error: Exception,
    attempt: int,
    time_left: float,
    closed_for: float | None = None,
) -> Decision:
    """Decide on another attempt, take its tokens of the retry quota, and report it; the wait is the caller's.

    A success gives the tokens back, which only the caller sees.

    Args:
        runtime: The parts that the calls of a client share.
        policy: How often and how long is attempted.
        operation: The operation that is called.
        error: The error of the attempt; if it is final, its message says why.
        attempt: Number of that attempt, from 1.
        time_left: Seconds until the deadline.
        closed_for: After a 429 the seconds until the rate limiter opens; None after any other failure.

    Returns:
        The decision; its `delay` is None when the failure is final.
    """
    quota = runtime.rate_limiter.retry_quota
    decision = policy.decide(operation.method, error, attempt, time_left, closed_for, tokens=quota.tokens)
    if decision.delay is None:
        if decision.reason and isinstance(error, AgentPlatformError):
            error.because(decision.reason)
        return decision
    if decision.tokens:
        quota.take(decision.tokens)
    logger.info("%s; waiting %.2f s before attempt %d", error, decision.delay, attempt + 1)
    if policy.on_retry is not None and isinstance(error, AgentPlatformError):
        policy.on_retry(RetryEvent(operation, attempt, error, decision.delay))
    return decision
