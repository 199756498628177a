"""The state that several processes share, and how one of them changes it: pure, for compare-and-set.

A process computes the next state from the last one that it knows and from what it has to report. Redis takes it only if
no other process was faster; otherwise the process does the same again with the newer state.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Self

import attrs

from .adaptive_rate import AdaptiveRate
from .interface import Permit
from .rate_state import RateState

# A process that has reported nothing for this long may be gone: its requests no longer count.
LEASE_SECONDS = 10.0

# A lease is written again after this time, also if its number of requests is the same.
LEASE_AGE_SECONDS = 2.0

# A clock that is behind the state by more than this was set back, or belongs to another server.
CLOCK_SECONDS = 1.0

# If the local closure exceeds the shared one by more than this, the shared one was lost. Inexact clocks differ by less.
CLOSURE_SECONDS = 0.1

# Rounds are numbered from the time in milliseconds, so that no number is used again when a state is lost.
ROUNDS_PER_SECOND = 1000


@attrs.frozen
class Lease:
    """Number of requests of one process in flight, and when it reported that."""

    in_flight: int
    renewed_at: float


@attrs.frozen
class Report:
    """Report of one process, with the permits that it needs.

    Attributes:
        process: Name of the process.
        in_flight: How many of its requests are in flight.
        wanted: How many permits it needs at most.
        accepted: How many requests were accepted, by the round of their permits.
        refusals: The permits of requests with a 429, and the seconds of Retry-After, or None without a hint.
        closed_for: For how many seconds the limiter is closed, as far as the process knows.
    """

    process: str
    in_flight: int
    wanted: int = 0
    accepted: Mapping[int, int] = attrs.field(factory=dict[int, int])
    refusals: Sequence[tuple[Permit, float | None]] = ()
    closed_for: float = 0.0


@attrs.frozen
class SharedState:
    """The adaptive rate of all processes, and their leases by process; times are those of Redis.

    Attributes:
        changed_at: When the state was changed for the last time.
        rate: The state of the adaptive rate.
        leases: How many requests each process has in flight.
    """

    changed_at: float
    rate: RateState
    leases: Mapping[str, Lease] = attrs.field(factory=dict[str, Lease])

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
        leases = {process: Lease(*lease) for process, lease in data["leases"].items()}
        return cls(data["changed_at"], RateState(**data["rate"]), leases)

    def to_json(self) -> str:
        """Return the state as compact JSON that loses no digit of any number."""
        leases = {process: attrs.astuple(lease) for process, lease in self.leases.items()}
        data = {"changed_at": self.changed_at, "rate": attrs.asdict(self.rate, recurse=False), "leases": leases}
        return json.dumps(data, separators=(",", ":"))

    @property
    def in_flight(self) -> int:
        """Number of requests of all processes in flight."""
        return sum(lease.in_flight for lease in self.leases.values())

    @property
    def is_full(self) -> bool:
        """True if the window has no room for another request."""
        return self.in_flight >= int(self.rate.window)

    def at(self, now: float) -> Self:
        """Return the same state for a clock that shows *now*, which may have been set back."""
        back = self.changed_at - now
        if back <= CLOCK_SECONDS:
            return self
        leases = {
            process: attrs.evolve(lease, renewed_at=lease.renewed_at - back) for process, lease in self.leases.items()
        }
        return attrs.evolve(self, changed_at=now, rate=self.rate.earlier(back), leases=leases)

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
        for round_, number in report.accepted.items():
            for _ in range(number):
                rate.accepted(Permit(round_, now))
        for permit, retry_after in report.refusals:
            rate.refused(permit, now, retry_after)

        leases = {process: lease for process, lease in old.leases.items() if now - lease.renewed_at <= LEASE_SECONDS}
        mine = leases.pop(report.process, Lease(0, now))
        others = sum(lease.in_flight for lease in leases.values())
        permits: list[Permit] = []
        in_flight = report.in_flight
        while len(permits) < report.wanted and (granted := rate.grant(now, others + in_flight)):
            permits.append(granted)
            in_flight += 1
        if in_flight != mine.in_flight or now - mine.renewed_at > LEASE_AGE_SECONDS:
            mine = Lease(in_flight, now)
        if in_flight:
            leases[report.process] = mine
        new = attrs.evolve(old, rate=RateState.of(rate), leases=leases)
        return (old if new == old else attrs.evolve(new, changed_at=now)), permits
