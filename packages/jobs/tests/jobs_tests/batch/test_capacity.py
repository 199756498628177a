"""The concurrency is the number of places. If that is unknown, a refusal halves the concurrency; successes raise it."""

from __future__ import annotations

import pytest
from agent_session_platform_jobs.batch.run import FIRST_PAUSE, LONGEST_PAUSE, Capacity


@pytest.mark.parametrize(
    # Each event is of the current round: `r` is a refusal, `s` a success.
    ("maximum", "events", "limit"),
    [
        (20, "s" * 100, 20),
        (20, "r", 10),
        (20, "rrrrrrr", 1),
        (20, "r" + "s" * 9, 10),
        (20, "r" + "s" * 10, 11),
        (20, "r" + "s" * 21, 12),
        (4, "r" + "s" * 50, 4),
        # A success before a refusal does not count after it.
        (8, "rsssrs", 2),
        (8, "rsssrss", 3),
    ],
)
def test_the_limit_is_halved_and_comes_back_by_one(maximum: int, events: str, limit: int) -> None:
    capacity = Capacity(maximum)
    for event in events:
        if event == "r":
            capacity.limited(capacity.current, 0.0, 0)
        else:
            capacity.succeeded(capacity.current)
    assert capacity.limit(0.0) == limit


def test_what_was_sent_in_an_earlier_round_says_nothing() -> None:
    capacity = Capacity(2)
    assert [capacity.limited(0, 0.0, 0) for _ in range(20)] == [True] + [False] * 19
    capacity.succeeded(0)
    assert capacity.limit(0.0) == 1


def test_one_more_than_the_places_that_are_held_is_tried_after_pauses() -> None:
    capacity, now, pauses = Capacity(20), 0.0, list[float]()
    for _ in range(8):
        capacity.limited(capacity.current, now, 7)
        # A row that takes a free place is not a trial of another place.
        capacity.accepted(capacity.current, now, 7)
        pauses.append(capacity.grows_at - now)
        assert [capacity.limit(now), capacity.limit(capacity.grows_at)] == [7, 8]
        now = capacity.grows_at
    assert pauses == [FIRST_PAUSE, 4.0, 8.0, 16.0, 32.0, LONGEST_PAUSE, LONGEST_PAUSE, LONGEST_PAUSE]
    # A trial that is accepted is followed by the next one at once.
    capacity.accepted(capacity.current, now, 8)
    assert capacity.limit(now) == 9
