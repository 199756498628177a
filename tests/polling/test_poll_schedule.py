"""When the next poll is due."""

from __future__ import annotations

import math
import sys
from typing import Any

import pytest
from agent_session_platform import AgentPlatformError, ProblemDetail, RateLimitedError
from agent_session_platform.polling.poll_schedule import PollSchedule, last_round

CHANGED: dict[str, Any] = {"changed": True}
NOTHING: dict[str, Any] = {"changed": False}


def asked(seconds: float) -> dict[str, Any]:
    """Return the arguments after a poll that failed, and whose response asks for a wait."""
    error = RateLimitedError("429", status=429, problem=ProblemDetail(), retry_after=seconds)
    return {"changed": False, "error": error}


def next_round(
    schedule: PollSchedule, now: float, *, changed: bool, error: AgentPlatformError | None = None
) -> float | None:
    """Return when the next poll is due after a poll."""
    if error is None:
        return schedule.after_success(now, changed=changed)
    return schedule.after_failure(now, error, changed=changed)


# What is known of each poll, which begins when it is due, and when the next poll is due.
POLLS: dict[str, tuple[dict[str, Any], list[tuple[dict[str, Any], float | None]]]] = {
    "the interval grows up to six times": (
        {},
        [(NOTHING, 15.0), (NOTHING, 36.0), (NOTHING, 67.5), (NOTHING, 121.5), (NOTHING, 180.0), (NOTHING, 240.0)],
    ),
    "a change makes it short again": ({}, [(NOTHING, 15.0), (NOTHING, 36.0), (CHANGED, 46.0)]),
    "a round lies where the phase says": ({"phase": 0.25}, [(CHANGED, 10.5), (CHANGED, 20.5)]),
    "a requested wait is the least": ({}, [(asked(99.0), 99.0)]),
    "a round after it is late by a fifth of the interval at most": ({"phase": 0.5}, [(asked(99.0), 100.5)]),
    "a shorter one changes nothing": ({}, [(asked(5.0), 15.0)]),
    "the next poll is as usual": ({}, [(asked(99.0), 99.0), (CHANGED, 108.0)]),
    "the last poll": ({"last_poll_at": 12.0}, [(NOTHING, 12.0), (NOTHING, None)]),
    "the last poll after a requested wait": ({"last_poll_at": 12.0}, [(asked(11.9), 12.0), (NOTHING, None)]),
    "a requested wait until the last poll": ({"last_poll_at": 12.0}, [(asked(12.0), 12.0), (NOTHING, None)]),
    "a requested wait beyond it": ({"last_poll_at": 12.0}, [(asked(12.1), None)]),
    "polls fail until they are given up": (
        {"give_up_after": 20.0},
        [(asked(0.0), 15.0), (asked(0.0), 20.0), (asked(0.0), None)],
    ),
    "a success ends the failing": (
        {"give_up_after": 20.0},
        [(asked(0.0), 15.0), (CHANGED, 24.0), (asked(20.0), 44.0), (asked(0.0), None)],
    ),
    "something new before the failure, too": (
        {"give_up_after": 20.0},
        [(asked(0.0), 15.0), ({**asked(20.0), "changed": True}, 35.0), (asked(0.0), None)],
    ),
    "no interval is longer than max_every": ({"max_every": 5.0}, [(NOTHING, 5.0), (CHANGED, 10.0)]),
}


@pytest.mark.parametrize(("settings", "polls"), POLLS.values(), ids=POLLS)
def test_the_next_poll_is_due(settings: Any, polls: Any) -> None:
    schedule = PollSchedule(10.0, **{"max_every": None, "phase": 0.0, **settings})
    now = 0.0
    for poll, due in polls:
        assert next_round(schedule, now, **poll) == due
        now = due


@pytest.mark.parametrize("every", [math.ulp(0.0), 1e-300, 1e300, sys.float_info.max])
@pytest.mark.parametrize("max_every", [None, math.ulp(0.0), sys.float_info.max])
@pytest.mark.parametrize("phase", [0.0, 0.999])
def test_the_next_poll_of_any_interval_is_later_than_now(every: float, max_every: float | None, phase: float) -> None:
    schedule = PollSchedule(every, max_every, phase)
    now = 1000.0
    for _ in range(100):
        round_at = schedule.after_success(now, changed=False)
        assert round_at is not None
        assert now < round_at < math.inf
        now = round_at


@pytest.mark.parametrize("timeout", [math.ulp(0.0), 0.1, 7.0, 20.0, 3600.0, 1e300])
def test_the_last_round_is_before_the_deadline(timeout: float) -> None:
    deadline = 1000.4 + timeout
    assert last_round(deadline, timeout) < deadline or timeout > 2**53


def test_waits_that_began_together_share_their_last_round() -> None:
    assert [last_round(deadline, 60.0) for deadline in (160.2, 160.7)] == [159.0, 159.0]
