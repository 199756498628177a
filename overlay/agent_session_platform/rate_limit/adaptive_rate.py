"""The adaptive rate: how many requests may follow per second, learned from 429s; without a clock, a task or I/O.

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

from ..retry import add_jitter
from .interface import Backoff, Permit

# How many requests go before the first responses are in: TCP's initial window (RFC 6928).
INITIAL_WINDOW = 10

# How much a response adds to the window. TCP adds 1; we add less, because a 429 costs more than a lost packet.
WINDOW_PER_RESPONSE = 0.35

# A request without a response counts as silent after this multiple of the server's shortest time to accept one, within
# two bounds. Before the first response it is silent after the last of these times.
SILENT_LATENCIES = 1.5
MIN_SILENT_SECONDS = 0.1
MAX_SILENT_SECONDS = 0.5
FIRST_SILENT_SECONDS = 0.2

# How much a silent request adds to the window.
WINDOW_PER_SILENT = 0.5

# What was accepted within this time before the first 429 is the burst.
BURST_SECONDS = 1.0

# The pace doubles within this share of the closure, but not before a 429 can come back.
DOUBLING_CLOSURES = 0.4

# The pace starts between the measured rate and the refused one. The larger the burst was, the looser is the bound that
# was measured, and the nearer to the refused pace it starts, but never above this share of it. It reaches the refused
# pace again after as many closures.
LOOSE_POWER = 1.5
MAX_LOOSE = 0.6
MAX_START_SHARE = 0.9
RISING_CLOSURES = 10.0
MIN_RISING_SECONDS = 3.0

# The highest of this many measurements counts, because a 429 may have other causes than the rate.
MEASUREMENTS_KEPT = 8
MIN_RATE = 0.05

# Stretches of requests begin at marks of at least this distance; of too many marks, every other one is dropped.
MARK_SECONDS = 0.1
MARKS_KEPT = 32

# A sender that was late may send at once what it missed in this time.
CATCH_UP_SECONDS = 0.02

# After this time without a request, everything that was learned is forgotten.
IDLE_SECONDS = 60.0

# A closure without Retry-After lasts as long as the policy says, and at least until the next request is due. This
# second bound is at most so many seconds.
MAX_DUE_SECONDS = 8.0

# Every 429 closes for at least this long: refused calls need it to come back to the queue before later calls.
MIN_CLOSURE_SECONDS = 0.005

# More doublings would overflow.
MAX_DOUBLINGS = 30.0


@attrs.define
class Window:
    """The bound before the first 429: how many requests may be without a response, unless they are silent.

    Attributes:
        size: How many requests may be fresh; only its integer part counts.
        fresh: How many requests were sent since `fresh_since` and have no response.
        fresh_since: When the requests before became silent.
    """

    size: float = INITIAL_WINDOW
    fresh: int = 0
    fresh_since: float = 0.0

    @property
    def is_full(self) -> bool:
        """True while no more requests may be fresh."""
        return self.fresh >= int(self.size)

    def has_room(self, now: float, silent_seconds: float) -> bool:
        """Return whether one more request may go. Silent requests widen the window: they must not hold back others."""
        if now >= self.fresh_since + silent_seconds:
            self.size += WINDOW_PER_SILENT * self.fresh
            self.fresh, self.fresh_since = 0, now
        return not self.is_full


@attrs.define
class Round:
    """The requests from the first permit after a 429 until the next 429.

    Attributes:
        number: Number of the round.
        probing: Whether it waits for the response to a probe.
        sent: How many requests were sent.
        accepted_count: How many of them were accepted.
        accepted_until: When the last of those was sent.
        marks: Times of the round, with the number of requests that were sent before.
        refused_at: When the first refused request was sent; None while there is none.
        refused_number: How many requests were sent before that one.
        had_retry_after: Whether its 429 had one.
    """

    number: int = 0
    probing: bool = False
    sent: int = 0
    accepted_count: int = 0
    accepted_until: float = 0.0
    marks: list[tuple[float, int]] = attrs.field(factory=list[tuple[float, int]])
    refused_at: float | None = None
    refused_number: int = 0
    had_retry_after: bool = False

    def send(self, now: float) -> Permit:
        """Count a request."""
        if not self.marks or now - self.marks[-1][0] >= MARK_SECONDS:
            self.marks.append((now, self.sent))
            if len(self.marks) > MARKS_KEPT:
                del self.marks[1::2]
        self.sent += 1
        return Permit(self.number, now, self.sent - 1)

    def measure(self, burst: int, burst_seconds: float, refused_at: float, refused_before: float) -> float:
        """Return the highest lower bound of the rate: no stretch of requests is explained by less; 0 if none was sent.

        Args:
            burst: What was accepted before the first 429.
            burst_seconds: In which time: what was filled in meanwhile was not in the bucket before.
            refused_at: When the first refused request of the round was sent.
            refused_before: The same of the round before.
        """
        bounds = [self.refused_number / max(MARK_SECONDS, refused_at - refused_before)]
        for at, count in self.marks:
            seconds = refused_at - at
            if seconds >= 2 * burst_seconds + MARK_SECONDS:
                bounds.append((self.refused_number - count - burst - 1) / (seconds - burst_seconds))
        return max(bounds)


@attrs.define
class Rise:
    """Rise of the pace after a 429: from the start to the target, and then it doubles.

    Attributes:
        start: Requests per second at the beginning.
        target: Requests per second after `seconds`.
        since: When the rise began.
        seconds: How long it takes.
        doubling_seconds: How long the pace takes to double after it.
    """

    start: float = MIN_RATE
    target: float = MIN_RATE
    since: float = 0.0
    seconds: float = 0.0
    doubling_seconds: float = MIN_SILENT_SECONDS

    def pace(self, now: float) -> float:
        """Return how many requests per second may be sent."""
        seconds = max(0.0, now - self.since)
        if seconds < self.seconds:
            return self.start + (self.target - self.start) * (seconds / self.seconds) ** 2
        return self.target * math.exp2(min((seconds - self.seconds) / self.doubling_seconds, MAX_DOUBLINGS))


@attrs.define
class AdaptiveRate:
    """The algorithm and its state, which is changed in place; times are seconds of one clock.

    Until the first 429 there is no `burst`, and `window` decides; after it a probe opens each `round`, and `rise` says
    when the next request may go.

    Attributes:
        round: The requests since the last closure; another one begins with the first permit after a 429.
        window: The bound before the first 429.
        rise: The pace after it.
        closed_until: Before that time no request may be sent.
        next_at: When the pace lets the next request go.
        granted_at: When the last request went.
        latency: The shortest time in which a request was accepted; infinite before the first one.
        backoffs: How many 429s without Retry-After came one after another.
        burst: How many requests were accepted before the first 429, and in which time; None before it.
        refused_before: When the first refused request of the round before was sent.
        measurements: The last lower bounds of the rate, each above 0.
    """

    round: Round = attrs.field(factory=Round)
    window: Window = attrs.field(factory=Window)
    rise: Rise = attrs.field(factory=Rise)
    closed_until: float = 0.0
    next_at: float = 0.0
    granted_at: float = 0.0
    latency: float = math.inf
    backoffs: int = 0
    burst: tuple[int, float] | None = None
    refused_before: float = 0.0
    measurements: list[float] = attrs.field(factory=list[float])

    @classmethod
    def beginning(cls, now: float, number: int = 0, closed_until: float = 0.0) -> AdaptiveRate:
        """Return a rate that has learned nothing, with the number of its round and a closure."""
        return cls(Round(number), Window(fresh_since=now), closed_until=closed_until, granted_at=now)

    def opens_at(self) -> float:
        """Return when the next request may go; a response that comes before may let it go sooner."""
        if self.burst is None and self.round.refused_at is None and self.window.is_full:
            return self.window.fresh_since + self._silent_seconds()
        return max(self.closed_until, self.next_at)

    def pace(self, now: float) -> float | None:
        """Return how many requests per second may be sent; None before the first 429."""
        return None if self.burst is None else self.rise.pace(now)

    def reason(self, now: float) -> str | None:
        """Return why no request may be sent now, but for the pace."""
        if now < self.closed_until:
            return "429 with Retry-After" if self.round.had_retry_after else "429 without Retry-After"
        is_waiting = self.round.probing or self.round.refused_at is not None
        return "one request goes first after a 429" if is_waiting else None

    def is_valid(self, permit: Permit) -> bool:
        """Return whether no 429 has come since *permit* was granted."""
        return permit.round == self.round.number and self.round.refused_at is None

    def grant(self, now: float) -> Permit | None:
        """Return a permit for one more request, or None when it has to wait for `opens_at`, or for a response."""
        if now - max(self.granted_at, self.closed_until) > IDLE_SECONDS:
            self._forget(now)
        if now < self.closed_until:
            return None
        if self.round.refused_at is not None:
            self._begin_round(now, self.round.refused_at)
        elif now < self.next_at:
            return None
        elif self.burst is None:
            if not self.window.has_room(now, self._silent_seconds()):
                return None
        elif not self.round.probing:
            if now - self.next_at > CATCH_UP_SECONDS:
                # Calls did not wait for the pace, so nothing was learned about it.
                self.rise.since += now - self.granted_at
            self.next_at = max(self.next_at, now - CATCH_UP_SECONDS) + 1 / self.rise.pace(now)
        permit = self.round.send(now)
        self.granted_at = now
        self.window.fresh += 1
        if self.round.probing:
            # Probes that stay silent are replaced, each sooner than the one before.
            self.next_at = now + self._silent_seconds() / self.round.sent
        return permit

    def finished(self, permit: Permit) -> None:
        """Stop counting a request whose response has come, or will not come, towards the window."""
        if self.window.fresh and permit.at >= self.window.fresh_since:
            self.window.fresh -= 1
        if self.round.probing and self.is_valid(permit):
            # A probe without a result, such as that of a cancelled call.
            self.next_at = permit.at

    def accepted(self, permit: Permit, now: float) -> None:
        """Learn from a response other than 429; one of an earlier round says nothing."""
        if permit.round != self.round.number:
            return
        self.latency = min(self.latency, now - permit.at)
        self.backoffs = 0
        self.round.accepted_count += 1
        self.round.accepted_until = max(self.round.accepted_until, permit.at)
        self.window.size += WINDOW_PER_RESPONSE
        if self.round.probing and self.round.refused_at is None:
            self.round.probing = False
            self.rise.since = now
            self.next_at = max(now, self.granted_at + 1 / self.rise.pace(now))

    def refused(self, permit: Permit, now: float, retry_after: float | None, backoff: Backoff) -> None:
        """Close after a 429; several of one round are one event.

        Args:
            permit: The permit of the refused request.
            now: The current time.
            retry_after: For how many seconds to close; None: with exponential backoff.
            backoff: Returns the seconds of that, by how many closures without Retry-After came one after another.
        """
        current = self.round
        is_current = permit.round == current.number
        seconds = retry_after or 0.0
        if is_current and current.refused_at is None:
            current.had_retry_after = retry_after is not None
            if retry_after is None:
                self.backoffs += 1
                # A probe before the next request is due would be refused.
                due = 1 / max(self.measurements) if self.measurements else 0.0
                seconds = max(backoff(self.backoffs), min(due, MAX_DUE_SECONDS))
            elif retry_after:
                seconds = add_jitter(retry_after)
        self.closed_until = max(self.closed_until, now + max(seconds, MIN_CLOSURE_SECONDS))
        if is_current and (current.refused_at is None or permit.at < current.refused_at):
            current.refused_at, current.refused_number = permit.at, permit.number

    def _forget(self, now: float) -> None:
        """Forget all that was learned, but for the closure and the distance of the server."""
        beginning = AdaptiveRate.beginning(now, self.round.number + 1, self.closed_until)
        beginning.latency = self.latency
        for field in attrs.fields(AdaptiveRate):
            setattr(self, field.name, getattr(beginning, field.name))

    def _silent_seconds(self) -> float:
        if self.latency == math.inf:
            return FIRST_SILENT_SECONDS
        return min(max(MIN_SILENT_SECONDS, SILENT_LATENCIES * self.latency), MAX_SILENT_SECONDS)

    def _begin_round(self, now: float, refused_at: float) -> None:
        """Measure the rate, now that all responses are in, and begin the next round with a probe."""
        closed, ended, rise = now - refused_at, self.round, self.rise
        if ended.probing and ended.accepted_count:
            # Probes were taken for silent that were only slow.
            self.latency *= 2
        refused_pace = rise.pace(refused_at)
        rise.doubling_seconds = max(self._silent_seconds(), DOUBLING_CLOSURES * closed)
        if self.burst is None:
            recent = (mark for mark in ended.marks if mark[0] >= refused_at - BURST_SECONDS)
            since, count = next(recent, (refused_at, 0))
            burst = max(1, ended.accepted_count - count)
            self.burst = burst, max(0.0, ended.accepted_until - since)
            rise.start = rise.target = max(MIN_RATE, burst / (self.burst[1] + closed))
        elif not ended.probing:
            # A probe that was taken for silent may be refused after a later one was accepted: that measures nothing.
            if measured := ended.measure(*self.burst, refused_at, self.refused_before):
                self.measurements = [*self.measurements[1 - MEASUREMENTS_KEPT :], measured]
            measured = max((MIN_RATE, *self.measurements))
            loose = min(MAX_LOOSE, (self.burst[0] / max(1, ended.refused_number)) ** LOOSE_POWER)
            between = measured ** (1 - loose) * refused_pace**loose
            rise.target = max(MIN_RATE, refused_pace)
            rise.start = max(MIN_RATE, min(MAX_START_SHARE * refused_pace, between))
            rise.seconds = max(MIN_RISING_SECONDS, RISING_CLOSURES * closed)
        self.refused_before = refused_at
        self.round = Round(ended.number + 1, probing=True, had_retry_after=ended.had_retry_after)
