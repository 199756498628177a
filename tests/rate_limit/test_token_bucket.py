"""The token bucket estimate: the rate of a limiter, from what it has accepted."""

from __future__ import annotations

import pytest
from agent_session_platform.rate_limit.token_bucket import STEP_FACTOR, TOKENS_LEFT, estimate_rate, without_refused


@pytest.mark.parametrize("rate", [0.5, 5.0, 50.0, 500.0])
@pytest.mark.parametrize("excess", [1.1, 2.0, 10.0])
def test_the_rate_follows_from_how_long_a_full_bucket_lasted(rate: float, excess: float) -> None:
    burst = 1000
    lasted = (burst - TOKENS_LEFT) / (rate * excess - rate)
    taken = round(rate * excess * lasted)
    closure = burst / rate
    assert estimate_rate((burst, 0.0), [(0, closure), (taken, lasted)]) == pytest.approx(rate, rel=0.05)


def test_tokens_filled_in_during_the_burst_were_not_in_the_bucket() -> None:
    # A bucket of 20 that fills with 200 a second gives 40 in a tenth of a second.
    full_again = (0, 1.0)
    assert estimate_rate((40, 0.1), [full_again, (70, 0.25)]) == pytest.approx(200, rel=0.03)


def test_a_slow_burst_does_not_explain_any_rate() -> None:
    """Otherwise whatever was sent last would be the rate of a bucket of one token."""
    assert estimate_rate((20, 0.4), [(0, 0.4), (5, 0.1), (9, 0.1), (9, 0.05)]) < 60


def test_a_bucket_that_did_not_fill_gives_the_average_rate() -> None:
    assert estimate_rate((1000, 0.0), [(0, 1.0), (50, 1.0)]) == pytest.approx(25, rel=2 * (STEP_FACTOR - 1))


def test_intervals_are_cut_to_what_was_accepted() -> None:
    intervals = [(0, 1.0), (10, 1.0), (20, 0.5)]
    assert without_refused(intervals, 30) == intervals
    assert without_refused(intervals, 12) == [(0, 1.0), (10, 1.0), (2, 0.5)]
    assert without_refused(intervals, 7) == [(0, 1.0), (7, 1.0)]


def test_negative_seconds_behind_the_refusal_are_taken_from_the_interval_before() -> None:
    assert without_refused([(0, 1.0), (10, 1.0), (3, -0.25)], 9) == [(0, 1.0), (9, 0.75)]
