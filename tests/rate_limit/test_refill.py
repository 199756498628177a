"""The rate of a limiter, from what it has let through."""

from __future__ import annotations

import pytest
from agent_session_platform.rate_limit.token_bucket import LEFT, STEP, refill_rate, without_surplus


@pytest.mark.parametrize("rate", [0.5, 5.0, 50.0, 500.0])
@pytest.mark.parametrize("excess", [1.1, 2.0, 10.0])
def test_the_refill_rate_follows_from_how_long_a_full_bucket_lasted(rate: float, excess: float) -> None:
    burst = 1000
    lasted = (burst - LEFT) / (rate * excess - rate)
    taken = round(rate * excess * lasted)
    closure = burst / rate
    assert refill_rate((burst, 0.0), [(0, closure), (taken, lasted)]) == pytest.approx(rate, rel=0.05)


def test_what_was_filled_in_during_the_burst_was_not_in_the_bucket() -> None:
    # A bucket of 20 that fills with 200 a second gives 40 in a tenth of a second.
    full_again = (0, 1.0)
    assert refill_rate((40, 0.1), [full_again, (70, 0.25)]) == pytest.approx(200, rel=0.03)


def test_a_burst_that_took_long_does_not_explain_any_rate() -> None:
    """Else whatever was sent last would pass for the rate of a bucket of one."""
    assert refill_rate((20, 0.4), [(0, 0.4), (5, 0.1), (9, 0.1), (9, 0.05)]) < 60


def test_a_bucket_that_did_not_fill_gives_the_average() -> None:
    assert refill_rate((1000, 0.0), [(0, 1.0), (50, 1.0)]) == pytest.approx(25, rel=2 * (STEP - 1))


def test_pieces_are_cut_to_what_was_accepted() -> None:
    pieces = [(0, 1.0), (10, 1.0), (20, 0.5)]
    assert without_surplus(pieces, 30) == pieces
    assert without_surplus(pieces, 12) == [(0, 1.0), (10, 1.0), (2, 0.5)]
    assert without_surplus(pieces, 7) == [(0, 1.0), (7, 1.0)]


def test_a_piece_behind_the_refusal_gives_its_negative_seconds_to_the_one_before() -> None:
    assert without_surplus([(0, 1.0), (10, 1.0), (3, -0.25)], 9) == [(0, 1.0), (9, 0.75)]
