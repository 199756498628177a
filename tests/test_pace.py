"""The pace: learned from what a limiter accepts, in virtual time."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from agent_platform.pace import Pace, refill_rate


@pytest.mark.parametrize("rate", [0.5, 5.0, 50.0, 500.0])
@pytest.mark.parametrize("excess", [1.1, 2.0, 10.0])
def test_the_refill_rate_follows_from_how_long_a_bucket_lasted(rate: float, excess: float) -> None:
    burst = 10.0
    tried = rate * excess
    assert refill_rate(burst, [(tried, burst / (tried - rate))]) == pytest.approx(rate, rel=1e-6)


def test_a_bucket_that_was_full_in_between_counts_from_there() -> None:
    # Half the rate for a long time leaves the bucket full.
    assert refill_rate(10, [(25, 60.0), (100, 0.2)]) == pytest.approx(50, rel=1e-6)


def test_nothing_is_held_back_before_the_first_429() -> None:
    pace = Pace()
    for now in range(100):
        pace.sent(now / 1000)
        pace.accepted(now / 1000)
    assert (pace.rate, pace.next_at) == (None, 0.0)


def test_nothing_is_sent_before_the_gate_opens() -> None:
    pace = Pace()
    pace.limited(5.0, 8.0)
    assert pace.next_at == 8.0


def test_another_429_of_the_same_round_tells_nothing_new() -> None:
    pace = Pace()
    pace.limited(5.0, 8.0)
    rate = pace.rate
    pace.limited(5.1, 8.5)
    assert (pace.rate, pace.next_at) == (rate, 8.5)


class Bucket:
    """A token bucket in virtual time."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst, self.tokens, self.at = rate, burst, burst, 0.0

    def admits(self, now: float) -> bool:
        self.tokens = min(self.burst, self.tokens + (now - self.at) * self.rate)
        self.at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


class Window:
    """A fixed window in virtual time."""

    def __init__(self, limit: int, seconds: float) -> None:
        self.limit, self.seconds, self.window, self.used = limit, seconds, -1, 0

    def admits(self, now: float) -> bool:
        window = int(now // self.seconds)
        if window != self.window:
            self.window, self.used = window, 0
        self.used += 1
        return self.used <= self.limit


@pytest.mark.parametrize(
    ("limiter", "per_second", "closed", "share"),
    [
        (lambda: Bucket(50, 10), 50, 0.05, 0.8),
        (lambda: Bucket(50, 10), 50, 1.0, 0.8),
        (lambda: Bucket(5, 3), 5, 1.0, 0.8),
        (lambda: Bucket(500, 50), 500, 1.0, 0.8),
        (lambda: Window(50, 1.0), 50, 1.0, 0.8),
        # A window of a minute is filled in a second, and then there is nothing to learn for the rest of it.
        (lambda: Window(600, 60.0), 10, 5.0, 0.3),
    ],
)
def test_a_limiter_of_any_kind_is_served_well(
    limiter: Callable[[], Bucket], per_second: float, closed: float, share: float
) -> None:
    """In the long run at least this share of what it allows goes through, and hardly anything is refused."""
    pace, limit, now, accepted, refused = Pace(), limiter(), 0.0, 0, 0
    while now < 300.0:
        now = max(now + 0.0005, pace.next_at)
        pace.sent(now)
        if limit.admits(now):
            accepted += 1
            pace.accepted(now)
        else:
            refused += 1
            pace.limited(now, now + closed)
    assert accepted >= share * per_second * 300
    assert refused <= 0.05 * accepted
