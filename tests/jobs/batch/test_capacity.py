"""Adaptive concurrency: halved by a refusal, back by one."""

from __future__ import annotations

import pytest
from agent_session_platform.jobs.batch.capacity import Capacity


def after(maximum: int, events: str) -> int:
    """Return the limit after events of the current round: `r` a refusal, `s` a success."""
    capacity = Capacity(maximum)
    for event in events:
        if event == "r":
            capacity.refused(capacity.current)
        else:
            capacity.succeeded(capacity.current)
    return capacity.limit


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
    assert [capacity.refused(sent_in) for _ in range(20)] == [True] + [False] * 19
    assert capacity.limit == 10


def test_a_success_of_an_earlier_round_does_not_raise_the_limit() -> None:
    capacity = Capacity(2)
    sent_in = capacity.current
    capacity.refused(sent_in)
    capacity.succeeded(sent_in)
    assert capacity.limit == 1
