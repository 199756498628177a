"""Whether a call is retried, and after what delay."""

from __future__ import annotations

import random
from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatformError,
    ConnectionFailedError,
    DecodeError,
    NotFoundError,
    PoolTimeoutError,
    RateLimitedError,
    RetryPolicy,
    ServerError,
)

POLICY = RetryPolicy()
LATEST = 1e9


def problem(cls: type[Any], status: int, retry_after: float | None = None) -> Any:
    return cls("no", status=status, retry_after=retry_after)


READS = ("GET", "PUT", "DELETE")
WRITES = ("POST", "PATCH")


@pytest.mark.parametrize(
    ("error", "reads", "writes"),
    [
        (problem(RateLimitedError, 429), True, True),
        (problem(ServerError, 503, 3.0), True, False),
        (problem(ServerError, 503), True, False),
        (problem(ServerError, 500), True, False),
        (ConnectionFailedError("could not connect"), True, True),
        (ConnectionFailedError("reset", received=True), True, False),
        (problem(NotFoundError, 404), False, False),
        (PoolTimeoutError("full"), False, False),
        (DecodeError("HTML", operation=None, status=200), False, False),
    ],
    ids=str,
)
def test_the_error_and_the_method_decide_about_a_retry(error: AgentPlatformError, reads: bool, writes: bool) -> None:
    for methods, expected in ((READS, reads), (WRITES, writes)):
        for method in methods:
            assert (POLICY.decide(method, error, 1, LATEST).delay is not None) is expected, method


TIMEOUT = ConnectionFailedError("no data for 30 s", received=True, timed_out=True)


@pytest.mark.parametrize(
    ("error", "taken"),
    [
        (problem(ServerError, 500), 5.0),
        (ConnectionFailedError("could not connect"), 5.0),
        (ConnectionFailedError("reset", received=True), 5.0),
        (TIMEOUT, 5.0),
        (problem(RateLimitedError, 429), 0.0),
    ],
    ids=str,
)
def test_a_retry_takes_tokens_and_is_not_made_without_them(error: AgentPlatformError, taken: float) -> None:
    enough = POLICY.decide("GET", error, 1, LATEST, tokens=taken)
    assert (enough.delay is not None, enough.tokens, enough.reason) == (True, taken, None)
    if taken:
        too_few = POLICY.decide("GET", error, 1, LATEST, tokens=taken - 1.0)
        assert (too_few.delay, too_few.tokens) == (None, 0.0)
        assert too_few.reason == (
            "given up after 1 attempt: too many calls of this client fail, so its retry quota is used up"
        )


def test_a_failure_that_is_final_anyway_names_no_quota() -> None:
    assert POLICY.decide("GET", problem(NotFoundError, 404), 1, LATEST, tokens=0.0).reason is None
    assert POLICY.decide("GET", problem(ServerError, 500), 5, LATEST, tokens=0.0).reason == "given up after 5 attempts"


@pytest.mark.parametrize(
    ("attempt", "ceiling"), [(1, 0.5), (2, 1.0), (3, 2.0), (4, 4.0), (5, 8.0), (6, 8.0), (50, 8.0), (5000, 8.0)]
)
def test_the_backoff_doubles_up_to_its_cap(attempt: int, ceiling: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.uniform", lambda low, high: high)
    policy = RetryPolicy(attempts=10_000)
    assert policy.decide("GET", problem(ServerError, 500), attempt, LATEST).delay == ceiling


def test_the_backoff_is_random_from_zero_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.uniform", random.Random(1).uniform)
    delays = [POLICY.decide("GET", problem(ServerError, 500), 4, LATEST).delay or 0.0 for _ in range(200)]
    assert min(delays) < 0.5
    assert max(delays) > 3.5


def test_retry_after_is_obeyed_with_jitter_on_top(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.uniform", random.Random(1).uniform)
    error = problem(ServerError, 503, 10.0)
    delays = [POLICY.decide("GET", error, 1, LATEST).delay or 0.0 for _ in range(200)]
    assert 10.0 <= min(delays) < 10.05
    assert 10.45 < max(delays) <= 10.5


def test_a_retry_after_beyond_the_cap_is_not_waited_for() -> None:
    assert POLICY.decide("GET", problem(RateLimitedError, 429, 61.0), 1, LATEST, closed_for=0.0).delay is None
    assert POLICY.decide("GET", problem(RateLimitedError, 429, 60.0), 1, LATEST, closed_for=60.0).delay == 60.0


def test_a_delay_beyond_the_deadline_is_not_begun() -> None:
    assert POLICY.decide("GET", problem(RateLimitedError, 429, 10.0), 1, time_left=9.0, closed_for=10.0).delay is None


def test_a_policy_with_another_number_of_attempts_keeps_the_rest() -> None:
    assert RetryPolicy(deadline=7.0).with_attempts(2) == RetryPolicy(attempts=2, deadline=7.0)
