"""The state of the adaptive rate as a value, which several processes can exchange."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Self

import attrs

from .adaptive_rate import AdaptiveRate
from .token_bucket import Interval


def _intervals(values: Iterable[Iterable[float]]) -> tuple[Interval, ...]:
    return tuple(_interval(value) for value in values)


def _interval(value: Iterable[float]) -> Interval:
    count, seconds = value
    return int(count), seconds


@attrs.frozen
class RateState:
    """State of an `AdaptiveRate`. Its times are seconds of one clock, its rates requests per second.

    Attributes:
        round: Number of the round; a round ends with the first permit after a 429.
        closed_until: Before that time no request may be sent.
        latency: The shortest time in which the server responded; infinite before its first response.
        fresh: How many requests count towards the window; `FreshRequests` describes the details.
        newest: How many of them were sent in the current interval of those.
        newest_since: When that interval began.
        older_since: When the one before it began.
        expires_at: When it ends.
        balance: How many requests were abandoned in the current interval, less the responses.
        window: How many requests may be fresh; only its integer part counts.
        rate: How many requests may be sent per second; None before the first 429.
        next_at: When the rate lets the next request go.
        granted_at: When the last request went.
        refused_at: When the first refused request of this round went; None while there is none.
        backoffs: How many 429s without a hint came one after another.
        burst: What was accepted before the first 429.
        measurements: The last measured rates.
        measured_rate: The highest of them; None before the first measurement.
        probing_since: When probing began at the measured rate.
        probing_seconds: The probing interval: the time after which the rate is the measured one again.
        intervals: What was sent since the last measurement; the first one is the closure, in which nothing was sent.
        interval_at: When the current interval began.
        interval_count: How many requests went in the current interval.
        response_count: How many of them were accepted.
        accepted_count: How many requests were accepted since the last measurement.
    """

    round: int
    closed_until: float
    latency: float
    fresh: int
    newest: int
    newest_since: float
    older_since: float
    expires_at: float
    balance: int
    window: float
    rate: float | None
    next_at: float
    granted_at: float
    refused_at: float | None
    backoffs: int
    burst: Interval = attrs.field(converter=_interval)
    measurements: tuple[float, ...] = attrs.field(converter=tuple)
    measured_rate: float | None
    probing_since: float
    probing_seconds: float
    intervals: tuple[Interval, ...] = attrs.field(converter=_intervals)
    interval_at: float
    interval_count: int
    response_count: int
    accepted_count: int

    @classmethod
    def of(cls, rate: AdaptiveRate) -> Self:
        """Return the state of *rate*."""
        return cls(**{name: value for name, value in vars(rate).items() if name != "uniform"})

    def resume(self, uniform: Callable[[float, float], float]) -> AdaptiveRate:
        """Return an adaptive rate that goes on from this state."""
        rate = AdaptiveRate(uniform)
        vars(rate).update(attrs.asdict(self, recurse=False), intervals=list(self.intervals))
        return rate

    def earlier(self, seconds: float) -> Self:
        """Return the same state for a clock that was set back by *seconds*."""
        times = ("closed_until", "next_at", "granted_at", "refused_at", "probing_since", "interval_at")
        fresh = ("newest_since", "older_since", "expires_at")
        return attrs.evolve(
            self, **{name: value - seconds for name in times + fresh if (value := getattr(self, name)) is not None}
        )
