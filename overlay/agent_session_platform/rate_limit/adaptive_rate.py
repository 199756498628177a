"""The adaptive rate: how many requests may be in flight and how many may follow per second, learned from 429s.

Three phases, each of which resembles a part of TCP's congestion control:

1. Until the first 429 only the window limits. It begins small and grows with each response, as in slow start (RFC 5681,
   section 3.1), and with silent requests while they are more than the responses: they must not hold back others.
2. After it, the rate is doubled again and again until the next 429: slow start once more, of a rate.
3. That 429 gives the measured rate, by the token bucket estimate. From then on the rate starts a little below it and
   rises with the cube of the time, as in CUBIC (RFC 9438, section 4.2): flat near the measured rate, then ever faster,
   to find out whether more is accepted by now. Each further 429 measures again.

Every 429 closes the limiter and sets the window to one: a single probe goes first, as after a timeout of
TCP. A probe that stays silent is replaced. In phase 2 the window then increases additively, by one per window of
responses (AIMD), in phase 3 by one per response. Nothing here uses a clock, a task or Redis.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from ..retry import lengthen
from .fresh_requests import FreshRequests
from .permit import Backoff, Permit
from .token_bucket import Interval, estimate_rate, first_estimate, without_refused

# How many requests may be fresh before the first responses are in: TCP's initial window (RFC 6928).
INITIAL_WINDOW = 10

# How much each response adds to the window before the first 429. TCP adds 1; we add less, because a 429 is noticed
# later than a lost packet. A silent request adds 1: it comes later anyway.
WINDOW_PER_RESPONSE = 0.25

# What was accepted within this time before the first 429 counts as the burst.
BURST_SECONDS = 1.0

# After the first 429 the rate would send the burst once more in this time.
BURST_REPEATED_SECONDS = 0.25

# The rate is doubled after DOUBLING_SECONDS, but not before DOUBLING_RESPONSES responses or a silent request.
DOUBLING_SECONDS = 0.1
DOUBLING_RESPONSES = 3

# Probing starts at this share of the measured rate. It is back at the measured rate after the probing interval, which
# is longer if a 429 costs more: PROBING_CLOSURES times the closure or the time of PROBING_REQUESTS requests, between
# two bounds.
PROBING_START = 0.97
PROBING_CLOSURES = 10.0
PROBING_REQUESTS = 50
LEAST_PROBING_SECONDS = 3.0
MOST_PROBING_SECONDS = 60.0

# A measurement takes MEASUREMENT_REQUESTS accepted requests, and the highest of the last MEASUREMENTS_KEPT counts: a
# 429 may have other causes than the rate.
MEASUREMENT_REQUESTS = 20
MEASUREMENTS_KEPT = 8
LEAST_RATE = 0.05

# What is sent is counted per interval of this length, and the last intervals are kept.
INTERVAL_SECONDS = 1.0
INTERVALS_KEPT = 32

# A sender that was late may send at once what it missed in this time.
CATCH_UP_SECONDS = 0.05

# After this time without a request, what was learned is forgotten.
IDLE_SECONDS = 60.0

# How long a 429 without Retry-After closes the limiter at first; doubled with each that follows at once.
FIRST_CLOSURE_SECONDS = 0.5
MOST_CLOSURE_SECONDS = 8.0
MOST_DOUBLINGS = 16

# Every 429 closes for at least this long, also with `Retry-After: 0`: the refused calls need it to come back to the
# queue before later calls are served.
LEAST_CLOSURE_SECONDS = 0.005


class AdaptiveRate(FreshRequests):
    """The algorithm and its state; `RateState` describes the attributes.

    It is changed in place: with a new frozen state for each change a request would cost ten times as much here.
    """

    def __init__(self, uniform: Callable[[float, float], float] = random.uniform) -> None:
        self.uniform = uniform
        self.latency = math.inf
        self.reset(0, 0.0, 0.0)

    def reset(self, round_: int, closed_until: float, now: float) -> None:
        """Forget all that was learned.

        Args:
            round_: Number of the current round.
            closed_until: When the limiter opens, in seconds of the clock of *now*.
            now: The current time.
        """
        self.forget(now)
        self.round = round_
        self.closed_until = closed_until
        self.window = float(INITIAL_WINDOW)
        self.rate: float | None = None
        self.next_at = 0.0
        self.granted_at = self.interval_at = self.probing_since = now
        self.refused_at: float | None = None
        self.backoffs = 0
        self.burst: Interval = (1, 0.0)
        self.measurements: tuple[float, ...] = ()
        self.measured_rate: float | None = None
        self.probing_seconds = LEAST_PROBING_SECONDS
        self.intervals: list[Interval] = []
        self.interval_count = self.response_count = self.accepted_count = 0

    @property
    def opens_at(self) -> float:
        """The time at which the next request may go, if the window has room for it."""
        return max(self.closed_until, self.next_at)

    def grant(self, now: float) -> Permit | None:
        """Return a permit for one more request, or None when it has to wait: for `opens_at`, or for room."""
        if now - self.granted_at > IDLE_SECONDS and now >= self.closed_until:
            self.reset(self.round, self.closed_until, now)
        if now >= self.expires_at and (silent := self.expire(now)) and self.refused_at is None:
            self.window += silent
            self.response_count += DOUBLING_RESPONSES
        if self.fresh >= int(self.window) or now < self.closed_until or now < self.next_at:
            return None
        if self.refused_at is not None:
            self._end_round(now, self.refused_at)
        elif self.rate is None:
            if now - self.interval_at > BURST_SECONDS:
                self.accepted_count = 0
                self._begin_interval(now)
        elif self.measured_rate is None:
            if now - self.interval_at >= DOUBLING_SECONDS and self.response_count >= DOUBLING_RESPONSES:
                self._end_interval(now)
                self.rate *= 2
        else:
            if now - self.granted_at > INTERVAL_SECONDS:
                # Nothing is learned while nothing is sent.
                self.probing_since += now - self.granted_at
            if now - self.interval_at >= INTERVAL_SECONDS:
                self._end_interval(now)
        if self.measured_rate is not None:
            probed = (now - self.probing_since) / self.probing_seconds
            self.rate = self.measured_rate * (PROBING_START + (1 - PROBING_START) * probed**3)
        if self.rate is not None:
            self.next_at = max(self.next_at, now - CATCH_UP_SECONDS) + 1 / self.rate
        self.granted_at = now
        self.interval_count += 1
        self.fresh += 1
        self.newest += 1
        return Permit(self.round, now)

    def stop_counting(self, at: float) -> bool:
        """Stop counting the request that was sent at that time, and return whether it still counted."""
        if at >= self.newest_since:
            counted = self.newest > 0
            self.newest -= counted
        else:
            counted = at >= self.older_since and self.fresh > self.newest
        self.fresh -= counted
        return counted

    def is_valid(self, permit: Permit) -> bool:
        """Return whether no 429 has come since *permit* was granted."""
        return permit.round == self.round and self.refused_at is None

    def accepted(self, permit: Permit) -> None:
        """Update the state after a response other than 429; ignore permits of earlier rounds."""
        if permit.round != self.round:
            return
        self.balance -= 1
        self.accepted_count += 1
        self.response_count += 1
        self.backoffs = 0
        if self.refused_at is not None:
            return
        if self.window < INITIAL_WINDOW:
            self.window = float(INITIAL_WINDOW)
        elif self.rate is None:
            self.window += WINDOW_PER_RESPONSE
        else:
            self.window += 1.0 if self.measured_rate else 1 / self.window

    def refused(self, permit: Permit, now: float, retry_after: float | None, backoff: Backoff | None = None) -> None:
        """Update the state after a 429, and close.

        Args:
            permit: The permit of the refused request.
            now: The current time.
            retry_after: For how many seconds to close; None: with exponential backoff.
            backoff: Returns the seconds of that, by the number of closures without a hint that came one after another.
        """
        is_current = permit.round == self.round
        seconds = retry_after
        if is_current and self.refused_at is None:
            # Several 429s to one round are one event.
            if seconds is None:
                longest = min(MOST_CLOSURE_SECONDS, FIRST_CLOSURE_SECONDS * 2.0**self.backoffs)
                self.backoffs = min(self.backoffs + 1, MOST_DOUBLINGS)
                seconds = self.uniform(longest / 2, longest) if backoff is None else backoff(self.backoffs)
            elif seconds:
                seconds = lengthen(seconds, self.uniform)
        self.closed_until = max(self.closed_until, now + max(seconds or 0.0, LEAST_CLOSURE_SECONDS))
        self.next_at = max(self.next_at, self.closed_until)
        if is_current:
            self.window = 1.0
            self.refused_at = min(permit.at, self.refused_at or permit.at)

    def _end_round(self, now: float, refused_at: float) -> None:
        """Measure the rate, now that all responses are in, and begin the next round."""
        closed = now - refused_at
        # The rate does not rise while the limiter is closed.
        self.probing_since += closed
        self._end_interval(refused_at)
        intervals = without_refused(self.intervals, self.accepted_count)
        is_measured = True
        if self.rate is None:
            self.burst = (max(1, self.accepted_count), intervals[0][1])
            self.rate = self.burst[0] / BURST_REPEATED_SECONDS
        elif self.measured_rate is None and self.accepted_count:
            self.measured_rate = max(LEAST_RATE, first_estimate(self.burst, intervals, self.accepted_count))
            self.probing_since = now
        elif self.measured_rate is not None and self.accepted_count >= MEASUREMENT_REQUESTS:
            if self.rate > self.measured_rate:
                self.probing_since = now
            self.measurements = (*self.measurements[1 - MEASUREMENTS_KEPT :], estimate_rate(self.burst, intervals))
            self.measured_rate = max(LEAST_RATE, *self.measurements)
        else:
            is_measured = False
        if is_measured:
            self.accepted_count, intervals = 0, []
        if self.measured_rate is not None:
            seconds = max(LEAST_PROBING_SECONDS, PROBING_CLOSURES * closed, PROBING_REQUESTS / self.measured_rate)
            self.probing_seconds = min(MOST_PROBING_SECONDS, seconds)
        self.intervals = [*intervals, (0, closed)]
        self.round += 1
        self.refused_at = None
        self._begin_interval(now)

    def _begin_interval(self, now: float) -> None:
        self.interval_at, self.interval_count, self.response_count = now, 0, 0

    def _end_interval(self, now: float) -> None:
        self.intervals.append((self.interval_count, now - self.interval_at))
        if len(self.intervals) > INTERVALS_KEPT:
            # The first interval is the closure: it stays.
            self.accepted_count -= self.intervals.pop(1)[0]
        self._begin_interval(now)
