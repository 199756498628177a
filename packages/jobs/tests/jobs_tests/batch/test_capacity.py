"""The concurrency: as many rows as there are places; where nobody knows them, halved by a refusal, and back by one."""

from __future__ import annotations

import pytest
from agent_session_platform_jobs.batch.run import FIRST_PAUSE, LONGEST_PAUSE, Capacity


def after(maximum: int, events: str) -> int:
    """Return the limit after events of the current round: `r` a refusal, `s` a success."""
    capacity = Capacity(maximum)
    for event in events:
        if event == "r":
            capacity.limited(capacity.current, 0.0, 0)
        else:
            capacity.succeeded(capacity.current)
    return capacity.limit(0.0)


@pytest.mark.parametrize(
    ("maximum", "events", "limit"),
    [
        (20, "", 20),
        (20, "s" * 100, 20),
        (20, "r", 10),
        (20, "rr", 5),
        (20, "rrrrrrr", 1),
        (1, "r", 1),
        (20, "r" + "s" * 9, 10),
        (20, "r" + "s" * 10, 11),
        (20, "r" + "s" * 21, 12),
        (4, "r" + "s" * 5, 4),
        (4, "r" + "s" * 50, 4),
        # A success before a refusal does not count after it.
        (8, "rsssrs", 2),
        (8, "rsssrss", 3),
    ],
)
def test_the_limit_is_halved_and_comes_back_by_one(maximum: int, events: str, limit: int) -> None:
    assert after(maximum, events) == limit


def test_requests_that_were_sent_together_lower_the_limit_once() -> None:
    capacity = Capacity(20)
    sent_in = capacity.current
    assert [capacity.limited(sent_in, 0.0, 0) for _ in range(20)] == [True] + [False] * 19
    assert capacity.limit(0.0) == 10


def test_a_success_of_an_earlier_round_does_not_raise_the_limit() -> None:
    capacity = Capacity(2)
    sent_in = capacity.current
    capacity.limited(sent_in, 0.0, 0)
    capacity.succeeded(sent_in)
    assert capacity.limit(0.0) == 1


def refused_with(held: int, maximum: int = 20) -> Capacity:
    """Return a capacity that was refused at the time 0 while so many rows held a place."""
    capacity = Capacity(maximum)
    capacity.limited(0, 0.0, held)
    return capacity


def test_a_refusal_leaves_the_places_that_are_held() -> None:
    assert refused_with(7).limit(0.0) == 7


def test_one_more_is_tried_after_a_pause() -> None:
    capacity = refused_with(7)
    assert capacity.grows_at == FIRST_PAUSE
    assert [capacity.limit(now) for now in (FIRST_PAUSE - 0.1, FIRST_PAUSE, 1000.0)] == [7, 8, 8]


def test_a_trial_that_is_refused_doubles_the_pause_up_to_a_minute() -> None:
    capacity, now, pauses = refused_with(7), 0.0, [FIRST_PAUSE]
    for _ in range(7):
        now = capacity.grows_at
        capacity.limited(capacity.current, now, 7)
        pauses.append(capacity.grows_at - now)
    assert pauses == [2.0, 4.0, 8.0, 16.0, 32.0, LONGEST_PAUSE, LONGEST_PAUSE, LONGEST_PAUSE]


def test_a_trial_that_is_accepted_is_followed_by_the_next_at_once() -> None:
    capacity = refused_with(7)
    capacity.accepted(capacity.current, FIRST_PAUSE, 8)
    assert capacity.limit(FIRST_PAUSE) == 9


def test_a_row_that_takes_a_free_place_is_no_trial() -> None:
    capacity = refused_with(7)
    capacity.accepted(capacity.current, 1.0, 7)
    assert capacity.limit(1.0) == 7


def test_rows_that_are_accepted_after_the_refusal_of_another_hold_places_as_well() -> None:
    capacity = Capacity(20)
    capacity.limited(0, 0.0, 1)
    for held in range(2, 11):
        capacity.accepted(0, 0.1, held)
    assert capacity.limit(0.1) == 10


def test_the_limit_never_exceeds_the_maximum() -> None:
    capacity = refused_with(7, maximum=8)
    capacity.accepted(capacity.current, 10.0, 8)
    assert (capacity.limit(1000.0), capacity.grows_at) == (8, float("inf"))


def test_successes_do_not_raise_a_limit_that_is_counted() -> None:
    capacity = refused_with(7)
    for _ in range(100):
        capacity.succeeded(capacity.current)
    assert capacity.limit(0.0) == 7
