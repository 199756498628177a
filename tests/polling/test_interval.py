"""When to poll next."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError
from agent_session_platform.polling.interval import WaitTimes, jittered


def times(**settings: Any) -> WaitTimes:
    """Return times with defaults."""
    return WaitTimes(**{"timeout": 3600.0, "every": 10.0, "max_every": None, "stalled_after": None, **settings})


def test_the_interval_grows_by_a_half_up_to_six_times_the_first() -> None:
    found, interval = [], 10.0
    for _ in range(6):
        interval = times().longer(interval)
        found.append(interval)
    assert found == [15.0, 22.5, 33.75, 50.625, 60.0, 60.0]


def test_the_longest_interval_can_be_chosen() -> None:
    assert times(max_every=12.0).longer(10.0) == 12.0


def test_the_longest_interval_is_not_below_the_first() -> None:
    with pytest.raises(InvalidArgumentError, match="max_every must be at least every=10, not 9"):
        times(max_every=9)


@pytest.mark.parametrize(
    ("timeout", "took", "expected"), [(3600, 0, 99.9), (3600, 5, 90.0), (3600, 1000, 0.0 - 260), (0.5, 0, 99.95)]
)
def test_the_last_poll_ends_before_the_deadline(timeout: float, took: float, expected: float) -> None:
    assert times(timeout=timeout).last_poll(100.0, took) == pytest.approx(expected)


def test_an_interval_varies_by_a_tenth() -> None:
    assert jittered(10.0, lambda low, high: low) == pytest.approx(9.0)
    assert jittered(10.0, lambda low, high: high) == pytest.approx(11.0)
