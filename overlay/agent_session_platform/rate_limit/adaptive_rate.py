"""The adaptive rate: how many requests may be sent per second, learned from 429s. No clock, no task, no I/O.

1. Until the first 429 a window bounds the requests without a response, as in slow start (RFC 5681, section 3.1); each
   response widens it. A request that is silent for a moment no longer counts, so that a slow operation does not hold
   back others.
2. Every 429 closes the limiter. Then a single probe goes first; when it is accepted, the other requests follow at the
   sending rate, in requests per second.
3. The first sending rate is the number of requests that were accepted before the first 429, divided by the time from
   the first of them to the end of the closure. The sending rate then doubles again and again.
4. The next 429s measure the rate. A token bucket (RFC 2475, section 2.3.3.1) accepts at most its burst and the tokens
   that were filled in, so every stretch of requests gives a lower bound: `(requests - burst) / seconds`. From one
   refusal to the next the bound is `requests / seconds`, because the bucket is empty both times. The measured rate is
   the highest bound of the last rounds.
5. Then the sending rate starts between the measured rate and the refused rate. It rises to the refused rate, ever
   faster, as in the convex part of CUBIC (RFC 9438, section 4.2), but with the square of the time. If no 429 comes at
   this rate, the limit has changed, and the sending rate doubles again.
6. The sending rate rises only while calls wait for it (RFC 7661).

The constants without a source were chosen with `benchmarks/limits.py`, which simulates servers with limits of all
kinds. Trials with half and with twice their values show which constants matter. SLACK_POWER, MAX_SLACK,
MAX_START_SHARE, RISING_CLOSURES and FIRST_SILENT_SECONDS change how long the calls take. WINDOW_PER_RESPONSE,
WINDOW_PER_SILENT, DOUBLING_CLOSURES and SILENT_LATENCIES with its two bounds change how many requests are refused. The
exact values of the others change almost nothing.
"""

from __future__ import annotations

import math

import attrs

from ..retry import add_jitter
from .interface import Backoff, Permit

# How many requests are sent before the first response: TCP's initial window (RFC 6928).
INITIAL_WINDOW = 10

# How much a response adds to the window. TCP adds 1; we add less, because a 429 costs more than a lost packet.
WINDOW_PER_RESPONSE = 0.35

# A request without a response counts as silent after this multiple of the server's shortest response time, but within
# the two bounds. Before the first response it counts as silent after FIRST_SILENT_SECONDS.
SILENT_LATENCIES = 1.5
MIN_SILENT_SECONDS = 0.1
MAX_SILENT_SECONDS = 0.5
FIRST_SILENT_SECONDS = 0.2

# How much a silent request adds to the window.
WINDOW_PER_SILENT = 0.5

# The requests that were accepted within this time before the first 429 are the burst.
BURST_SECONDS = 1.0

# The sending rate doubles within this share of the closure, but not faster than a 429 can come back.
DOUBLING_CLOSURES = 0.4

# The sending rate starts between the measured rate and the refused rate. After a larger burst the measured rate is less
# exact, and the start is nearer to the refused rate, but at most at MAX_START_SHARE of the refused rate. The sending
# rate reaches the refused rate after RISING_CLOSURES times the closure.
SLACK_POWER = 1.5
MAX_SLACK = 0.6
MAX_START_SHARE = 0.9
RISING_CLOSURES = 10.0
MIN_RISING_SECONDS = 3.0

# How many measurements are kept. The highest one counts, because a 429 may have other causes than the rate.
MEASUREMENTS_KEPT = 8
MIN_RATE = 0.05

# Stretches of requests begin at marks, which are at least this far apart; if there are too many marks, every other mark
# is dropped.
MARK_SECONDS = 0.1
MARKS_KEPT = 32

# A late sender may send at once the requests that it missed within this time.
CATCH_UP_SECONDS = 0.02

# After this time without a request, everything that was learned is forgotten.
IDLE_SECONDS = 60.0

# A closure without Retry-After lasts as long as the policy says, and at least until the next request is due. This
# second bound is at most this many seconds.
MAX_DUE_SECONDS = 8.0

# Every 429 closes for at least this long: refused calls need this time to return to the queue before later calls.
MIN_CLOSURE_SECONDS = 0.005

# The greatest number of doublings: more of them would overflow a float.
MAX_DOUBLINGS = 30.0


@attrs.define
class Window:
    """The bound before the first 429: how many requests may be without a response, unless they are silent.

    Attributes:
        size: How many requests may be fresh; only the integer part counts.
        fresh: How many fresh requests there are: sent since `fresh_since`, without a response.
        fresh_since: When the earlier requests became silent.
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
        probing: Whether the round waits for the response to a probe.
        sent: How many requests were sent.
        accepted_count: How many of these requests were accepted.
        accepted_until: When the last accepted request was sent.
        marks: Times of the round, with the number of requests that were sent before.
        refused_at: When the first refused request was sent; None while no request was refused.
        refused_number: How many requests were sent before the first refused request.
        had_retry_after: Whether the 429 of the round had a Retry-After.
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
        """Return the lowest rate that explains the accepted requests of each stretch; 0 if no request was sent.

        Args:
            burst: How many requests were accepted before the first 429.
            burst_seconds: The time in which these requests were sent; *burst* includes the tokens that were filled in
                meanwhile.
            refused_at: When the first refused request of the round was sent.
            refused_before: When the first refused request of the previous round was sent.
        """
        bounds = [self.refused_number / max(MARK_SECONDS, refused_at - refused_before)]
        for at, count in self.marks:
            seconds = refused_at - at
            if seconds >= 2 * burst_seconds + MARK_SECONDS:
                bounds.append((self.refused_number - count - burst - 1) / (seconds - burst_seconds))
        return max(bounds)


@attrs.define
class Rise:
    """Rise of the sending rate after a 429: from the start to the target, and then it doubles.

    Attributes:
        start: Requests per second at the beginning.
        target: Requests per second after `seconds`.
        since: When the rise began.
        seconds: How long the rise to the target takes.
        doubling_seconds: How long the sending rate takes to double after the target.
    """

    start: float = MIN_RATE
    target: float = MIN_RATE
    since: float = 0.0
    seconds: float = 0.0
    doubling_seconds: float = MIN_SILENT_SECONDS

    def rate_at(self, now: float) -> float:
        """Return how many requests per second may be sent."""
        seconds = max(0.0, now - self.since)
        if seconds < self.seconds:
            return self.start + (self.target - self.start) * (seconds / self.seconds) ** 2
        return self.target * math.exp2(min((seconds - self.seconds) / self.doubling_seconds, MAX_DOUBLINGS))


@attrs.define
class AdaptiveRate:
    """The algorithm and its state, which is changed in place; times are seconds of one clock.

    Until the first 429 there is no `burst`, and `window` decides. After the first 429 a probe opens each `round`, and
    `rise` says when the next request may go.

    Attributes:
        round: The requests since the last closure; a new round begins with the first permit after a 429.
        window: The bound before the first 429.
        rise: The sending rate after the first 429.
        closed_until: Before that time no request may be sent.
        next_at: When the sending rate lets the next request go.
        granted_at: When the last request went.
        latency: The shortest time in which a request was accepted; infinite before the first accepted request.
        backoffs: How many 429s without Retry-After came one after another.
        burst: How many requests were accepted before the first 429, and in how many seconds; None before the first 429.
        refused_before: When the first refused request of the previous round was sent.
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
    def unlearned(cls, now: float, number: int = 0, closed_until: float = 0.0) -> AdaptiveRate:
        """Return a rate that has learned nothing, with the given number of its round and the given closure."""
        return cls(Round(number), Window(fresh_since=now), closed_until=closed_until, granted_at=now)

    def opens_at(self) -> float:
        """Return when the next request may go; a response that comes earlier may let it go sooner."""
        if self.burst is None and self.round.refused_at is None and self.window.is_full:
            return self.window.fresh_since + self._silent_seconds()
        return max(self.closed_until, self.next_at)

    def rate_at(self, now: float) -> float | None:
        """Return how many requests per second may be sent; None before the first 429."""
        return None if self.burst is None else self.rise.rate_at(now)

    def reason(self, now: float) -> str | None:
        """Return why no request may be sent now; None if there is no reason except the sending rate."""
        if now < self.closed_until:
            return "429 with Retry-After" if self.round.had_retry_after else "429 without Retry-After"
        is_waiting = self.round.probing or self.round.refused_at is not None
        return "one request goes first after a 429" if is_waiting else None

    def is_valid(self, permit: Permit) -> bool:
        """Return whether no 429 has come since *permit* was granted."""
        return permit.round == self.round.number and self.round.refused_at is None

    def grant(self, now: float) -> Permit | None:
        """Return a permit for a request, or None if the request must wait until `opens_at`, or for a response."""
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
                # Calls did not wait for the sending rate, so nothing was learned about it.
                self.rise.since += now - self.granted_at
            self.next_at = max(self.next_at, now - CATCH_UP_SECONDS) + 1 / self.rise.rate_at(now)
        permit = self.round.send(now)
        self.granted_at = now
        self.window.fresh += 1
        if self.round.probing:
            # A probe that stays silent is replaced; each further probe is replaced sooner.
            self.next_at = now + self._silent_seconds() / self.round.sent
        return permit

    def finished(self, permit: Permit) -> None:
        """Stop counting a request towards the window, because its response has come or will not come."""
        if self.window.fresh and permit.at >= self.window.fresh_since:
            self.window.fresh -= 1
        if self.round.probing and self.is_valid(permit):
            # This probe has no result, for example because its call was cancelled.
            self.next_at = permit.at

    def accepted(self, permit: Permit, now: float) -> None:
        """Learn from a response other than 429; a response of an earlier round is ignored."""
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
            self.next_at = max(now, self.granted_at + 1 / self.rise.rate_at(now))

    def refused(self, permit: Permit, now: float, retry_after: float | None, backoff: Backoff) -> None:
        """Close after a 429; several 429s of one round count as one.

        Args:
            permit: The permit of the refused request.
            now: The current time.
            retry_after: For how many seconds to close; None without Retry-After, when *backoff* decides.
            backoff: Returns the seconds of a closure without Retry-After, from the number of such closures in a row.
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
        """Forget everything that was learned, except the closure and the latency of the server."""
        fresh = AdaptiveRate.unlearned(now, self.round.number + 1, self.closed_until)
        fresh.latency = self.latency
        for field in attrs.fields(AdaptiveRate):
            setattr(self, field.name, getattr(fresh, field.name))

    def _silent_seconds(self) -> float:
        if self.latency == math.inf:
            return FIRST_SILENT_SECONDS
        return min(max(MIN_SILENT_SECONDS, SILENT_LATENCIES * self.latency), MAX_SILENT_SECONDS)

    def _begin_round(self, now: float, refused_at: float) -> None:
        """Measure the rate, now that all responses are in, and begin the next round with a probe."""
        closed, ended, rise = now - refused_at, self.round, self.rise
        if ended.probing and ended.accepted_count:
            # Slow probes were wrongly taken for silent ones.
            self.latency *= 2
        refused_rate = rise.rate_at(refused_at)
        rise.doubling_seconds = max(self._silent_seconds(), DOUBLING_CLOSURES * closed)
        if self.burst is None:
            recent = (mark for mark in ended.marks if mark[0] >= refused_at - BURST_SECONDS)
            since, count = next(recent, (refused_at, 0))
            burst = max(1, ended.accepted_count - count)
            self.burst = burst, max(0.0, ended.accepted_until - since)
            rise.start = rise.target = max(MIN_RATE, burst / (self.burst[1] + closed))
        elif not ended.probing:
            # A probe that was taken for silent may be refused after a later probe was accepted: such a refusal measures
            # nothing.
            if measured := ended.measure(*self.burst, refused_at, self.refused_before):
                self.measurements = [*self.measurements[1 - MEASUREMENTS_KEPT :], measured]
            measured = max((MIN_RATE, *self.measurements))
            slack = min(MAX_SLACK, (self.burst[0] / max(1, ended.refused_number)) ** SLACK_POWER)
            between = measured ** (1 - slack) * refused_rate**slack
            rise.target = max(MIN_RATE, refused_rate)
            rise.start = max(MIN_RATE, min(MAX_START_SHARE * refused_rate, between))
            rise.seconds = max(MIN_RISING_SECONDS, RISING_CLOSURES * closed)
        self.refused_before = refused_at
        self.round = Round(ended.number + 1, probing=True, had_retry_after=ended.had_retry_after)
