"""The adaptive rate: how many requests may follow per second, learned from 429s; pure, without a clock or a task.

1. Until the first 429 a window bounds the requests without a response, as in slow start (RFC 5681, section 3.1); each
   response widens it. A request that is silent for a moment no longer counts: a slow operation holds back no other.
2. Every 429 closes the limiter. Then a single probe goes first; when it is accepted, the others follow at a pace.
3. The first pace sends what was accepted before the 429 once more, in the time of that and of the closure. It doubles.
4. A 429 measures the rate. A token bucket (RFC 2475, section 2.3.3.1) accepts no more than its burst and what is filled
   in, so every stretch of requests gives a lower bound: `(requests - burst) / seconds`, and from one refusal to the
   next, both with an empty bucket, `requests / seconds`. The highest of the last rounds is the measured rate.
5. Then the pace starts between the measured rate and the one that was refused, and rises to that, ever faster, as in
   the convex part of CUBIC (RFC 9438, section 4.2), but with the square of the time. If it is not refused there, the
   limit has changed, and it doubles again.
6. The pace rises only while it is what calls wait for (RFC 7661).
"""

from __future__ import annotations

import math

import attrs

from ..retry import lengthen
from .interface import Backoff, Permit

# How many requests go before the first responses are in: TCP's initial window (RFC 6928).
INITIAL_WINDOW = 10

# How much a response adds to the window. TCP adds 1; we add less, because a 429 costs more than a lost packet.
WINDOW_PER_RESPONSE = 0.35

# A request without a response is silent after so many times the server's shortest time to accept one, between two
# bounds; before the first one, after the third bound.
SILENT_LATENCIES = 1.5
LEAST_SILENT_SECONDS = 0.1
MOST_SILENT_SECONDS = 0.5
FIRST_SILENT_SECONDS = 0.2

# How much a silent request adds to the window.
WINDOW_PER_SILENT = 0.5

# What was accepted within this time before the first 429 is the burst.
BURST_SECONDS = 1.0

# The pace doubles within this share of the closure, but not before a 429 can come back.
DOUBLING_CLOSURES = 0.4

# The pace starts between the measured rate and the refused one: nearer to the latter, the larger the burst is beside
# the requests of the round, because the bound is loose then. It starts below this share of the refused pace in any
# case, and is back there after so many closures.
LOOSE_POWER = 1.5
MOST_LOOSE = 0.6
MOST_START_SHARE = 0.9
RISING_CLOSURES = 10.0
LEAST_RISING_SECONDS = 3.0

# The highest of so many measurements counts: a 429 may have other causes than the rate.
MEASUREMENTS_KEPT = 8
LEAST_RATE = 0.05

# Stretches of requests begin at marks of at least this distance; of too many marks, every other one is dropped.
MARK_SECONDS = 0.1
MARKS_KEPT = 32

# A sender that was late may send at once what it missed in this time.
CATCH_UP_SECONDS = 0.02

# After this time without a request, what was learned is forgotten.
IDLE_SECONDS = 60.0

# A closure without Retry-After lasts as long as the policy says, and at least until the next request is due, if that is
# within this time.
MOST_DUE_SECONDS = 8.0

# Every 429 closes for at least this long: refused calls need it to come back to the queue before later calls.
LEAST_CLOSURE_SECONDS = 0.005

# More doublings would overflow.
MOST_DOUBLINGS = 30.0


@attrs.define
class AdaptiveRate:
    """The algorithm and its state, which is changed in place; times are seconds of one clock.

    Attributes:
        round: Number of the round; it ends with the first permit after a 429.
        closed_until: Before that time no request may be sent.
        next_at: When the pace lets the next request go.
        granted_at: When the last request went.
        latency: The shortest time in which a request was accepted; infinite before the first one.
        window: How many requests may be fresh before the first 429; only its integer part counts.
        fresh: How many requests were sent since `fresh_since` and have no response.
        fresh_since: When the requests before became silent.
        probing: Whether the round waits for the response to a probe.
        refused_at: When the first refused request of the round was sent; None while there is none.
        refused_number: How many requests of the round were sent before that one.
        hinted: Whether the last 429 had a Retry-After.
        backoffs: How many 429s without Retry-After came one after another.
        burst: How many requests were accepted before the first 429, and in which time; None before it.
        sent: How many requests of the round were sent.
        accepted_count: How many of them were accepted.
        accepted_until: When the last of those was sent.
        marks: Times of the round, with the number of requests that were sent before.
        last_refused_at: `refused_at` of the round before.
        measurements: The last lower bounds of the rate.
        start: Requests per second at the beginning of the rise.
        target: Requests per second at its end.
        rising_since: When the rise began.
        rising_seconds: How long it takes.
        doubling_seconds: How long the pace takes to double after it.
    """

    round: int = 0
    closed_until: float = 0.0
    next_at: float = 0.0
    granted_at: float = 0.0
    latency: float = math.inf
    window: float = INITIAL_WINDOW
    fresh: int = 0
    fresh_since: float = 0.0
    probing: bool = False
    refused_at: float | None = None
    refused_number: int = 0
    hinted: bool = False
    backoffs: int = 0
    burst: tuple[int, float] | None = None
    sent: int = 0
    accepted_count: int = 0
    accepted_until: float = 0.0
    marks: list[tuple[float, int]] = attrs.field(factory=list[tuple[float, int]])
    last_refused_at: float = 0.0
    measurements: list[float] = attrs.field(factory=list[float])
    start: float = LEAST_RATE
    target: float = LEAST_RATE
    rising_since: float = 0.0
    rising_seconds: float = 0.0
    doubling_seconds: float = LEAST_SILENT_SECONDS

    def opens_at(self) -> float:
        """Return when the next request may go, unless a response comes before."""
        if self.burst is None and self.refused_at is None and self.fresh >= int(self.window):
            return self.fresh_since + self._silent_seconds()
        return max(self.closed_until, self.next_at)

    def reason(self, now: float) -> str | None:
        """Return why no request may be sent now, but for the pace."""
        if now < self.closed_until:
            return "429 with Retry-After" if self.hinted else "429 without Retry-After"
        return "one request goes first after a 429" if self.probing or self.refused_at is not None else None

    def is_valid(self, permit: Permit) -> bool:
        """Return whether no 429 has come since *permit* was granted."""
        return permit.round == self.round and self.refused_at is None

    def grant(self, now: float) -> Permit | None:
        """Return a permit for one more request, or None when it has to wait for `opens_at`, or for a response."""
        if now - max(self.granted_at, self.closed_until) > IDLE_SECONDS:
            self._forget(now)
        if now < self.closed_until:
            return None
        if self.refused_at is not None:
            self._begin_round(now, self.refused_at)
        elif now < self.next_at or (self.burst is None and not self._has_room(now)):
            return None
        elif self.burst is not None and not self.probing:
            if now - self.next_at > CATCH_UP_SECONDS:
                # Calls did not wait for the pace, so nothing was learned about it.
                self.rising_since += now - self.granted_at
            self.next_at = max(self.next_at, now - CATCH_UP_SECONDS) + 1 / self.pace(now)
        if not self.marks or now - self.marks[-1][0] >= MARK_SECONDS:
            self.marks.append((now, self.sent))
            if len(self.marks) > MARKS_KEPT:
                del self.marks[1::2]
        self.granted_at = now
        self.sent += 1
        self.fresh += 1
        if self.probing:
            # Probes that stay silent are replaced, each sooner than the one before.
            self.next_at = now + self._silent_seconds() / self.sent
        return Permit(self.round, now, self.sent - 1)

    def over(self, permit: Permit) -> None:
        """Stop counting a request whose response has come, or will not come, towards the window."""
        if self.fresh and permit.at >= self.fresh_since:
            self.fresh -= 1
        if self.probing and self.is_valid(permit):
            # A probe without a result, such as that of a cancelled call.
            self.next_at = permit.at

    def accepted(self, permit: Permit, now: float) -> None:
        """Learn from a response other than 429; one of an earlier round says nothing."""
        if permit.round != self.round:
            return
        self.latency = min(self.latency, now - permit.at)
        self.backoffs = 0
        self.accepted_count += 1
        self.accepted_until = max(self.accepted_until, permit.at)
        self.window += WINDOW_PER_RESPONSE
        if self.probing and self.refused_at is None:
            self.probing = False
            self.rising_since = now
            self.next_at = max(now, self.granted_at + 1 / self.pace(now))

    def refused(self, permit: Permit, now: float, retry_after: float | None, backoff: Backoff) -> None:
        """Close after a 429; several of one round are one event.

        Args:
            permit: The permit of the refused request.
            now: The current time.
            retry_after: For how many seconds to close; None: with exponential backoff.
            backoff: Returns the seconds of that, by the number of closures without a hint that came one after another.
        """
        is_current = permit.round == self.round
        seconds = retry_after or 0.0
        if is_current and self.refused_at is None:
            self.hinted = retry_after is not None
            if retry_after is None:
                self.backoffs += 1
                # Sooner than the next request is due, the probe would be refused.
                due = 1 / max(self.measurements) if self.measurements else 0.0
                seconds = max(backoff(self.backoffs), min(due, MOST_DUE_SECONDS))
            elif retry_after:
                seconds = lengthen(retry_after)
        self.closed_until = max(self.closed_until, now + max(seconds, LEAST_CLOSURE_SECONDS))
        if is_current and (self.refused_at is None or permit.at < self.refused_at):
            self.refused_at, self.refused_number = permit.at, permit.number

    def _forget(self, now: float) -> None:
        """Forget all that was learned, but for the closure and the distance of the server."""
        fresh = AdaptiveRate(self.round + 1, self.closed_until, granted_at=now, latency=self.latency, fresh_since=now)
        for name, value in attrs.asdict(fresh, recurse=False).items():
            setattr(self, name, value)

    def _silent_seconds(self) -> float:
        if self.latency == math.inf:
            return FIRST_SILENT_SECONDS
        return min(max(LEAST_SILENT_SECONDS, SILENT_LATENCIES * self.latency), MOST_SILENT_SECONDS)

    def _has_room(self, now: float) -> bool:
        """Return whether the window has room. Silent requests widen it: they must not hold back others."""
        if now >= self.fresh_since + self._silent_seconds():
            self.window += WINDOW_PER_SILENT * self.fresh
            self.fresh, self.fresh_since = 0, now
        return self.fresh < int(self.window)

    def pace(self, now: float) -> float:
        """Return how many requests per second may be sent, as soon as there is a `burst`."""
        seconds = max(0.0, now - self.rising_since)
        if seconds < self.rising_seconds:
            return self.start + (self.target - self.start) * (seconds / self.rising_seconds) ** 2
        return self.target * math.exp2(min((seconds - self.rising_seconds) / self.doubling_seconds, MOST_DOUBLINGS))

    def _begin_round(self, now: float, refused_at: float) -> None:
        """Measure the rate, now that all responses are in, and begin the next round with a probe."""
        closed = now - refused_at
        if self.probing and self.accepted_count:
            # Probes were taken for silent that were only slow.
            self.latency *= 2
        refused_pace = self.pace(refused_at)
        self.doubling_seconds = max(self._silent_seconds(), DOUBLING_CLOSURES * closed)
        if self.burst is None:
            since, count = next((mark for mark in self.marks if mark[0] >= refused_at - BURST_SECONDS), (refused_at, 0))
            self.burst = max(1, self.accepted_count - count), max(0.0, self.accepted_until - since)
            self.start = self.target = max(LEAST_RATE, self.burst[0] / (self.burst[1] + closed))
        elif not self.probing:
            self.measurements = [*self.measurements[1 - MEASUREMENTS_KEPT :], self._measure(*self.burst, refused_at)]
            measured = max(LEAST_RATE, *self.measurements)
            loose = min(MOST_LOOSE, (self.burst[0] / max(1, self.refused_number)) ** LOOSE_POWER)
            between = measured ** (1 - loose) * refused_pace**loose
            self.target = max(LEAST_RATE, refused_pace)
            self.start = max(LEAST_RATE, min(MOST_START_SHARE * refused_pace, between))
            self.rising_seconds = max(LEAST_RISING_SECONDS, RISING_CLOSURES * closed)
        self.last_refused_at, self.refused_at = refused_at, None
        self.round += 1
        self.probing = True
        self.sent = self.accepted_count = 0
        self.marks = []

    def _measure(self, burst: int, burst_seconds: float, refused_at: float) -> float:
        """Return the highest lower bound of the rate: no stretch of requests is explained by less.

        Args:
            burst: What was accepted before the first 429.
            burst_seconds: In which time: what was filled in meanwhile was not in the bucket before.
            refused_at: When the first refused request of the round was sent.
        """
        number = self.refused_number
        bounds = [number / max(MARK_SECONDS, refused_at - self.last_refused_at)]
        for at, count in self.marks:
            seconds = refused_at - at
            if seconds >= 2 * burst_seconds + MARK_SECONDS:
                bounds.append((number - count - burst - 1) / (seconds - burst_seconds))
        return max(bounds)
