"""The state that several processes share, and how one of them changes it: pure, for compare-and-set.

A process computes the next state from the last one that it knows and from what it has to report. Redis takes it only if
no other process was faster; otherwise the process does the same again with the newer state.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Self

import attrs

from .adaptive_rate import AdaptiveRate
from .permit import Permit
from .rate_state import RateState
from .retry_quota import within_quota

# A clock that is behind the state by more than this was set back, or belongs to another server.
CLOCK_SECONDS = 1.0

# If the local closure exceeds the shared one by more than this, the shared one was lost. Inexact clocks differ by less.
CLOSURE_SECONDS = 0.1

# Rounds are numbered from the time in milliseconds, so that no number is used again when a state is lost.
ROUNDS_PER_SECOND = 1000


@attrs.frozen
class Report:
    """Report of one process, with the permits that it needs.

    Attributes:
        wanted: How many permits it needs at most.
        over: How many requests are over, by the time of their permits.
        abandoned: How many requests were abandoned, by the same.
        accepted: How many requests were accepted, by the round of their permits.
        refusals: The permits of requests with a 429, and the seconds of Retry-After, or None without a hint.
        closed_for: For how many seconds the limiter is closed, as far as the process knows.
        latency: The shortest time in which the server has responded to a request of the process.
        quota_change: How many tokens of the retry quota were taken, without those that were given back.
    """

    wanted: int = 0
    over: Mapping[float, int] = attrs.field(factory=dict[float, int])
    abandoned: Mapping[float, int] = attrs.field(factory=dict[float, int])
    accepted: Mapping[int, int] = attrs.field(factory=dict[int, int])
    refusals: Sequence[tuple[Permit, float | None]] = ()
    closed_for: float = 0.0
    latency: float = math.inf
    quota_change: float = 0.0


@attrs.frozen
class SharedState:
    """The adaptive rate and the retry quota of all processes; times are those of Redis.

    Attributes:
        changed_at: When the state was changed for the last time.
        rate: The state of the adaptive rate.
        quota_used: How many tokens of the retry quota are taken.
    """

    changed_at: float
    rate: RateState
    quota_used: float = 0.0

    @classmethod
    def start(cls, now: float) -> Self:
        """Return the state in which nothing was learned yet."""
        fresh = AdaptiveRate()
        fresh.reset(int(now * ROUNDS_PER_SECOND), 0.0, now)
        return cls(now, RateState.of(fresh))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Parse what `to_json` has written; raises KeyError, TypeError or ValueError for anything else."""
        data = json.loads(text)
        return cls(data["changed_at"], RateState(**data["rate"]), data["quota_used"])

    def to_json(self) -> str:
        """Return the state as compact JSON that loses no digit of any number."""
        rate = attrs.asdict(self.rate, recurse=False)
        data = {"changed_at": self.changed_at, "rate": rate, "quota_used": self.quota_used}
        return json.dumps(data, separators=(",", ":"))

    @property
    def is_full(self) -> bool:
        """True if the window has no room for another request."""
        return self.rate.fresh >= int(self.rate.window)

    def at(self, now: float) -> Self:
        """Return the same state for a clock that shows *now*, which may have been set back."""
        back = self.changed_at - now
        if back <= CLOCK_SECONDS:
            return self
        return attrs.evolve(self, changed_at=now, rate=self.rate.earlier(back))

    def after(
        self, report: Report, now: float, uniform: Callable[[float, float], float] = random.uniform
    ) -> tuple[Self, list[Permit]]:
        """Compute the next state.

        Args:
            report: Report of one process.
            now: The time of Redis.
            uniform: Source of randomness.

        Returns:
            The next state, which is the same one if nothing has changed, and the permits that were granted.
        """
        old = self.at(now)
        now = max(now, old.changed_at)
        rate = old.rate.resume(uniform)
        if report.closed_for and now + report.closed_for > rate.closed_until + CLOSURE_SECONDS:
            rate.closed_until = now + report.closed_for
        rate.latency = min(rate.latency, report.latency)
        for at, number in report.over.items():
            for _ in range(number):
                rate.stop_counting(at)
        for at, number in report.abandoned.items():
            rate.balance += sum(rate.stop_counting(at) for _ in range(number))
        for round_, number in report.accepted.items():
            for _ in range(number):
                rate.accepted(Permit(round_, now))
        for permit, retry_after in report.refusals:
            rate.refused(permit, now, retry_after)

        permits: list[Permit] = []
        while len(permits) < report.wanted and (granted := rate.grant(now)):
            permits.append(granted)
        new = attrs.evolve(old, rate=RateState.of(rate), quota_used=within_quota(old.quota_used + report.quota_change))
        return (old if new == old else attrs.evolve(new, changed_at=now)), permits
