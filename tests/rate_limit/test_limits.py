"""A whole client against limiters of every kind, in virtual time: no call fails, and few requests are wasted."""

from __future__ import annotations

import random

import pytest
from limits import HEADERS, MATRIX, sdk, measure


class RandomRefusal:
    """A limiter that refuses a share of all requests at random, whatever their rate."""

    def __init__(self, share: float) -> None:
        self.share = share

    def admit(self, now: float) -> float | None:
        return 0.01 if random.random() < self.share else None

    def ideal(self, requests: int) -> float:
        return 1.0


BUCKET = "token bucket 50/s burst 10"


@pytest.mark.parametrize("hint", ["none", "integer", "fraction"])
@pytest.mark.parametrize("limiter", LIMITERS)
def test_no_call_fails_behind_a_limiter(limiter: str, hint: str) -> None:
    outcome = measure(LIMITERS[limiter], hint, 300, 0.01, seed=1)
    assert outcome.failed == 0
    # Of a large quota that is used up in one burst, part of the next requests is refused.
    assert outcome.waste <= 0.2


@pytest.mark.parametrize(
    ("hint", "ratio"),
    # Two closures of a second that 429s with an integer cost at least 1.16.
    [("none", 1.15), ("integer", 1.22), ("fraction", 1.05)],
)
def test_500_calls_at_once_lose_little_behind_a_token_bucket(hint: str, ratio: float) -> None:
    outcome = measure(LIMITERS[BUCKET], hint, 500, 0.002, seed=1)
    assert (outcome.failed, outcome.waste <= 0.05, outcome.ratio <= ratio) == (0, True, True), outcome


@pytest.mark.parametrize("limiter", LIMITERS)
def test_a_run_in_virtual_time_is_the_same_each_time(limiter: str) -> None:
    assert measure(LIMITERS[limiter], "fraction", 150, 0.01, seed=3) == measure(
        LIMITERS[limiter], "fraction", 150, 0.01, seed=3
    )


@pytest.mark.parametrize("hint", ["none", "integer", "fraction"])
def test_429s_that_do_not_depend_on_the_rate_bring_no_client_to_a_halt(hint: str) -> None:
    """Each is taken for a limit, but what is accepted measures the rate again."""
    outcome = measure(lambda: RandomRefusal(0.02), hint, 1000, 0.01, seed=1)
    assert outcome.failed == 0
