"""The adaptive rate: how many requests may be sent per second, learned from 429s. No clock, no task, no I/O.

1. Until the first 429 a window bounds the requests without a response, as in slow start (RFC 5681, section 3.1). Each
   response widens it. A silent request no longer counts, so that a slow operation does not hold back others.
2. Every 429 closes the limiter. Then one request goes first, the probe. When it is accepted or silent, the others
   follow at the sending rate, in requests per second.
3. The first sending rate is the number of requests that were accepted in the last second before the first 429, divided
   by the time from the first of them to the end of the closure. Then the sending rate doubles again and again.
4. Later 429s measure the rate. A token bucket (RFC 2475, section 2.3.3.1) accepts its burst and the tokens that were
   filled in meanwhile. So each stretch of requests gives a lower bound, `(requests - burst) / seconds`. From one 429 to
   the next the bound is `requests / seconds`, because the bucket is empty both times. The highest bound counts.
5. Then the sending rate starts between the measured rate and the refused rate. It rises to the refused rate with the
   square of the time, similar to the convex part of CUBIC (RFC 9438, section 4.2). If no 429 comes at this rate, the
   limit has changed, and the sending rate doubles again.
6. The sending rate rises only while calls wait for it (RFC 7661).

The constants without a source were chosen with `benchmarks/limits.py`, which simulates servers with limits of all
kinds. Their comments say how many more requests its eighty servers refuse with another value.
"""

from __future__ import annotations

import math

import attrs

from ..retry import MAX_DOUBLINGS, add_jitter
from .interface import Backoff, Permit

# How many requests are sent before the first response: TCP's initial window (RFC 6928).
INITIAL_WINDOW = 10

# How much a response or a silent request adds to the window. TCP adds 1 for a response, but a 429 costs more than a
# lost packet. Twice the step: 52 % more refused.
WINDOW_STEP = 0.4

# The shortest time that counts: a request is not silent earlier, the stretches of requests begin at marks that are this
# far apart, and a late sender may send at once the requests that it missed within this time. Half of it: 28 % more
# refused. With more, slow operations hold back the others for longer.
MOMENT_SECONDS = 0.15

# A request without a response is silent after this multiple of the server's shortest response time, at most after
# MAX_SILENT_SECONDS. A multiple of 1: 16 % more refused; half of the maximum: 9 % more.
SILENT_LATENCIES = 1.5
MAX_SILENT_SECONDS = 0.5

# The requests that were accepted within this time before the first 429 are the burst. A client may have sent for hours
# before: that says nothing about the rate.
BURST_SECONDS = 1.0

# The sending rate doubles within this share of the closure, but not faster than a 429 can come back. Half of it: 17 %
# more refused.
DOUBLING_CLOSURES = 0.5

# The sending rate starts between the measured rate and the refused rate. After a larger burst the measured rate is less
# exact, and the start is nearer to the refused rate, up to this share of the way. Without the limit: 79 % more refused.
MAX_SLACK = 0.6

# The sending rate reaches the refused rate after this time and this multiple of the closure. Without the time: 8 % more
# refused; half of the multiple: 3 % more. A slower rise takes longer to find out that a limit was raised.
RISING_SECONDS = 3.0
RISING_CLOSURES = 10.0

# How much of the measured rate is left after another 429, which may have other causes than the rate. With 0, calls to a
# server that also refuses one request in fifty at random take a fifth longer.
MEASURED_SHARE = 0.9

# The lowest sending rate, in requests per second: a rate of 0 would never rise.
MIN_RATE = 0.05

# How many marks are kept, so that the state in Redis stays small.
MARKS_KEPT = 32

# After this time without a request, everything that was learned is forgotten: the limit may be another one by then.
IDLE_SECONDS = 60.0

# Every 429 closes for at least this long: refused calls need this time to return to the queue before later calls.
MIN_CLOSURE_SECONDS = 0.005


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

    def renew(self, now: float) -> None:
        """Stop counting the requests that were sent so far: they are silent, and must not hold back others."""
        self.size += WINDOW_STEP * self.fresh
        self.fresh, self.fresh_since = 0, now


@attrs.define
class Round:
    """The requests from the first permit after a 429 until the next 429.

    Attributes:
        number: Number of the round.
        probing: Whether the round waits for the response to its probe.
        sent: How many requests were sent.
        accepted: How many of these requests were accepted.
        marks: Times of the round, with the number of requests that were sent before.
        refused_at: When the first refused request was sent; None while no request was refused.
        refused_number: How many requests were sent before the first refused request.
    """

    number: int = 0
    probing: bool = False
    sent: int = 0
    accepted: int = 0
    marks: list[tuple[float, int]] = attrs.field(factory=list[tuple[float, int]])
    refused_at: float | None = None
    refused_number: int = 0

    def send(self, now: float) -> Permit:
        """Count a request."""
        if not self.marks or now - self.marks[-1][0] >= MOMENT_SECONDS:
            self.marks = [*self.marks[1 - MARKS_KEPT :], (now, self.sent)]
        self.sent += 1
        return Permit(self.number, now, self.sent - 1)

    def measure(self, burst: int, refused_at: float, refused_before: float) -> float:
        """Return the lowest rate that explains the accepted requests of each stretch.

        Args:
            burst: How many requests were accepted before the first 429.
            refused_at: When the first refused request of the round was sent.
            refused_before: When the first refused request of the previous round was sent.
        """
        bounds = [self.refused_number / max(MOMENT_SECONDS, refused_at - refused_before)]
        for at, count in self.marks:
            if refused_at - at >= MOMENT_SECONDS:
                bounds.append((self.refused_number - count - burst - 1) / (refused_at - at))
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

    start: float = 0.0
    target: float = 0.0
    since: float = 0.0
    seconds: float = 0.0
    doubling_seconds: float = MOMENT_SECONDS

    def rate_at(self, now: float) -> float:
        """Return the sending rate."""
        seconds = max(0.0, now - self.since)
        if seconds < self.seconds:
            rate = self.start + (self.target - self.start) * (seconds / self.seconds) ** 2
        else:
            rate = self.target * math.exp2(min((seconds - self.seconds) / self.doubling_seconds, MAX_DOUBLINGS))
        return max(MIN_RATE, rate)


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
        next_at: When the sending rate lets the next request go; while the round is probing, when the probe is silent.
        granted_at: When the last permit was granted.
        latency: The shortest time in which a request was accepted; 0 before the first accepted request.
        backoffs: How many 429s without Retry-After came one after another.
        burst: How many requests were accepted before the first 429; None before the first 429.
        refused_before: When the first refused request of the previous round was sent.
        measured: The measured rate; 0 before the second 429.
    """

    round: Round = attrs.field(factory=Round)
    window: Window = attrs.field(factory=Window)
    rise: Rise = attrs.field(factory=Rise)
    closed_until: float = 0.0
    next_at: float = 0.0
    granted_at: float = 0.0
    latency: float = 0.0
    backoffs: int = 0
    burst: int | None = None
    refused_before: float = 0.0
    measured: float = 0.0

    def opens_at(self) -> float:
        """Return when the next request may go; a response that comes earlier may let it go sooner."""
        if self.burst is None and self.round.refused_at is None and self.window.is_full:
            return self.window.fresh_since + self._silent_seconds()
        return max(self.closed_until, self.next_at)

    def closed_for(self, now: float) -> float:
        """Return for how many seconds the limiter is still closed by a 429."""
        return max(0.0, self.closed_until - now)

    def sending_rate(self) -> float | None:
        """Return the sending rate at the latest request; None before the first 429."""
        return None if self.burst is None else self.rise.rate_at(self.granted_at)

    def reason(self, now: float) -> str | None:
        """Return why no request may be sent now; None if there is no reason except the sending rate."""
        if now < self.closed_until:
            return "429 without Retry-After" if self.backoffs else "429 with Retry-After"
        is_waiting = self.round.probing or self.round.refused_at is not None
        return "one request goes first after a 429" if is_waiting else None

    def is_valid(self, permit: Permit) -> bool:
        """Return whether no 429 has come since *permit* was granted."""
        return permit.round == self.round.number and self.round.refused_at is None

    def grant(self, now: float) -> Permit | None:
        """Return a permit for a request, or None if the request must wait until `opens_at`, or for a response."""
        if now - max(self.granted_at, self.closed_until) > IDLE_SECONDS:
            self.burst, self.measured, self.next_at = None, 0.0, 0.0
            self.round, self.window, self.rise = Round(self.round.number + 1), Window(), Rise()
        if now >= self.window.fresh_since + self._silent_seconds():
            self.window.renew(now)
        if self.round.probing and now >= self.next_at:
            # The probe is silent. It must not hold back others.
            self._end_probing(now)
        if now < self.opens_at():
            return None
        if self.round.refused_at is not None:
            self._begin_round(now, self.round.refused_at)
        elif self.burst is not None:
            if now - self.next_at > MOMENT_SECONDS:
                # Calls did not wait for the sending rate, so nothing was learned about it.
                self.rise.since += now - self.granted_at
            self.next_at = max(self.next_at, now - MOMENT_SECONDS) + 1 / self.rise.rate_at(now)
        self.granted_at = now
        self.window.fresh += 1
        return self.round.send(now)

    def finished(self, permit: Permit, now: float, *, accepted: bool) -> None:
        """Learn from the end of a request. The end of a request of an earlier round changes only the window.

        Args:
            permit: The permit of the request.
            now: The current time.
            accepted: Whether a response other than 429 came. If not, the response was a 429 or will not come.
        """
        if self.window.fresh and permit.at >= self.window.fresh_since:
            self.window.fresh -= 1
        if accepted and permit.round == self.round.number:
            self.latency = min(self.latency or math.inf, now - permit.at)
            self.round.accepted += 1
            self.window.size += WINDOW_STEP
        if self.is_valid(permit):
            if accepted:
                self.backoffs = 0
            if self.round.probing:
                # The probe was accepted, or has no result because its call was cancelled.
                self._end_probing(now)

    def refused(self, permit: Permit, now: float, retry_after: float | None, backoff: Backoff) -> None:
        """Close after a 429; several 429s of one round count as one.

        Args:
            permit: The permit of the refused request.
            now: The current time.
            retry_after: For how many seconds to close; None without Retry-After, when *backoff* decides.
            backoff: Returns the seconds of a closure without Retry-After, from the number of such closures in a row.
        """
        current = self.round
        seconds = retry_after or 0.0
        if self.is_valid(permit):
            current.probing = False
            self.backoffs = self.backoffs + 1 if retry_after is None else 0
            seconds = backoff(self.backoffs) if retry_after is None else add_jitter(retry_after)
        self.closed_until = max(self.closed_until, now + max(seconds, MIN_CLOSURE_SECONDS))
        if permit.round == current.number and (current.refused_at is None or permit.at < current.refused_at):
            current.refused_at, current.refused_number = permit.at, permit.number

    def _silent_seconds(self) -> float:
        return min(max(MOMENT_SECONDS, SILENT_LATENCIES * self.latency), MAX_SILENT_SECONDS)

    def _end_probing(self, now: float) -> None:
        """Let the other requests follow the probe at the sending rate."""
        self.round.probing = False
        self.rise.since = now
        self.next_at = max(now, self.granted_at + 1 / self.rise.rate_at(now))

    def _begin_round(self, now: float, refused_at: float) -> None:
        """Measure the rate, now that all responses are in, and begin the next round with a probe."""
        ended, rise = self.round, self.rise
        closed = max(MIN_CLOSURE_SECONDS, self.closed_until - refused_at)
        refused_rate = rise.rate_at(refused_at)
        rise.doubling_seconds = max(self._silent_seconds(), DOUBLING_CLOSURES * closed)
        if self.burst is None:
            since, count = next(mark for mark in ended.marks if mark[0] >= refused_at - BURST_SECONDS)
            self.burst = max(1, ended.accepted - count)
            rise.start = rise.target = self.burst / max(closed, self.closed_until - since)
        elif ended.refused_number:
            # The round is more than a refused probe, which would measure nothing.
            measured = ended.measure(self.burst, refused_at, self.refused_before)
            self.measured = max(measured, MEASURED_SHARE * self.measured)
            slack = min(MAX_SLACK, self.burst / ended.refused_number)
            rise.target = refused_rate
            rise.start = min(refused_rate, self.measured ** (1 - slack) * refused_rate**slack)
            rise.seconds = RISING_SECONDS + RISING_CLOSURES * closed
        self.refused_before, rise.since = refused_at, now
        self.round = Round(ended.number + 1, probing=True)
        self.next_at = now + self._silent_seconds()
