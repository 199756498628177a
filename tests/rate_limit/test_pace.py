"""The pace: a state and its changes, in made-up time."""

from __future__ import annotations

import pytest
from agent_session_platform.rate_limit.adaptive_rate import FIRST_WINDOW, FORGET_SECONDS, LONGEST_PAUSE, Pace
from agent_session_platform.rate_limit.interface import Permit


def middle(low: float, high: float) -> float:
    return (low + high) / 2


def granted(pace: Pace, now: float, under_way: int = 0) -> Permit:
    permit = pace.grant(now, under_way)
    assert permit is not None
    return permit


def limited(now: float = 5.0, seconds: float | None = 3.0, accepted: int = 4) -> Pace:
    """A pace that had so many accepted answers and then a 429."""
    pace = Pace(middle)
    for _ in range(accepted):
        pace.accepted(granted(pace, now))
    pace.limited(now, seconds, granted(pace, now))
    return pace


def test_nothing_is_held_back_before_the_first_429() -> None:
    pace = Pace()
    for now in range(100):
        pace.accepted(granted(pace, now / 1000))
    assert (pace.rate, pace.next_at) == (None, 0.0)


def test_only_so_many_go_before_the_first_answers_are_in() -> None:
    pace = Pace()
    assert pace.grant(0.0, FIRST_WINDOW - 1)
    assert pace.grant(0.0, FIRST_WINDOW) is None


def test_each_answer_makes_room() -> None:
    pace = Pace()
    for _ in range(8):
        pace.accepted(granted(pace, 0.0))
    assert pace.window == FIRST_WINDOW + 2


def test_nothing_is_sent_before_the_time_has_passed() -> None:
    pace = limited(5.0, 3.0)
    assert pace.grant(7.999, 0) is None
    assert pace.opens_at == pytest.approx(8.0 + 3.0 * 0.05 / 2)


def test_then_one_goes_first() -> None:
    pace = limited(5.0, 3.0)
    probe = granted(pace, 9.0)
    assert pace.grant(9.0, 1) is None
    pace.accepted(probe)
    assert pace.grant(10.0, 1)


def test_without_a_hint_the_pause_is_doubled_with_each_429() -> None:
    pace, pauses, now = Pace(middle), [], 0.0
    for _ in range(7):
        pace.limited(now, None, granted(pace, now))
        pauses.append(pace.closed_until - now)
        now = pace.closed_until
    assert pauses[:3] == pytest.approx([0.375, 0.75, 1.5])
    assert pauses[-1] == pytest.approx(LONGEST_PAUSE * 0.75)


def test_of_several_429s_to_one_round_only_the_first_tells_anything() -> None:
    pace = Pace(middle)
    permits = [granted(pace, 1.0, count) for count in range(5)]
    for permit in permits:
        pace.limited(1.5, None, permit)
    assert pace.closed_until == pytest.approx(1.875)


def test_a_429_of_an_earlier_round_closes_too() -> None:
    pace = limited(5.0, 1.0)
    granted(pace, 7.0)
    pace.limited(7.0, 2.0, Permit(0, 5.0))
    assert pace.grant(8.9, 0) is None


def test_the_rate_is_measured_by_the_second_429() -> None:
    """A bucket of 10 that fills with 50 a second, asked far too often."""
    pace, tokens, at, now = Pace(middle), 10.0, 0.0, 0.0
    refused = 0
    while refused < 2:
        now = max(now + 0.0005, pace.opens_at)
        permit = granted(pace, now)
        tokens, at = min(10.0, tokens + (now - at) * 50), now
        if tokens >= 1:
            tokens -= 1
            pace.accepted(permit)
        else:
            refused += 1
            pace.limited(now, 1.0, permit)
    granted(pace, pace.opens_at)
    assert pace.rate == pytest.approx(50, rel=0.08)


def test_a_probe_that_is_refused_teaches_nothing_about_the_rate() -> None:
    pace = limited(5.0, 1.0, accepted=4)
    probe = granted(pace, 7.0)
    rate = pace.rate
    pace.limited(7.0, 1.0, probe)
    granted(pace, 9.0)
    assert pace.rate == rate


def test_what_was_learned_is_forgotten_after_a_silence() -> None:
    pace = limited(5.0, 3.0)
    granted(pace, 5.0 + FORGET_SECONDS + 1)
    assert (pace.rate, pace.window) == (None, FIRST_WINDOW)


def test_a_silence_with_requests_under_way_is_none() -> None:
    pace = limited(5.0, 3.0)
    assert pace.grant(5.0 + FORGET_SECONDS + 1, 1) is None


def test_a_pace_that_slept_too_long_makes_up_for_a_little_only() -> None:
    pace = limited(5.0, 0.0, accepted=10)
    pace.accepted(granted(pace, 6.0))
    assert pace.rate == 40
    burst = 0
    while pace.grant(8.0, 0):
        burst += 1
    assert burst == 3


def test_a_429_does_not_hurry_the_pace() -> None:
    """Also with `Retry-After: 0`, and when it is of an earlier round."""
    pace = limited(5.0, 0.0, accepted=10)
    pace.accepted(granted(pace, 6.0))
    last = granted(pace, 6.1)
    opens_at = pace.opens_at
    pace.limited(6.05, 0.0, Permit(0, 5.0))
    assert pace.opens_at == opens_at
    pace.limited(6.05, 0.0, last)
    assert pace.opens_at == opens_at
