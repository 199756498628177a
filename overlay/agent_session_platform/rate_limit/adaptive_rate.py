"""The adaptive rate of one limit: how many requests may be sent, learned from 429s. No clock, no task, no I/O.

    state       what may go                                       ends with
    unlimited   FIRST_REQUESTS at once, PER_RESPONSE more for     a 429
                each that ends, and RATE_WITHOUT_RESPONSES
                per second in any case
    closed      nothing                                           the end of the closure, or a `ClosureTest`
    probing     one request, the probe                            its end, or PROBE_SECONDS
    limited     as many requests per second as the rate says      a 429

A limit that had no request for IDLE_SECONDS is forgotten, unless it is closed. Then it begins as unlimited again.

The first rate is what was accepted in the MEASURED_SECONDS before the 429, divided by that time plus the closure. It
doubles every DOUBLING_SECONDS, as in slow start (RFC 5681, section 3.1). A later 429 takes the rate back to RATE_KEPT
of what it was, as in CUBIC (RFC 9438, section 4.6). From there it rises to the old rate within RISING_SECONDS, slowly
at first, and then it doubles again. As in RFC 7661, it rises only while calls wait for it.

Requests take tokens from a bucket, which holds at most BUCKET_SHARE of what the server accepted in MEASURED_SECONDS. So
requests that fell due while the event loop was blocked are sent at once.

A request is accepted if its response is not a 429, whatever else the response says. For example, with a round trip of
0.1 s and a server that refuses after 22 requests:

    second  state      what happens
    0.0     unlimited  FIRST_REQUESTS are sent
    0.1     unlimited  all 16 are accepted, so 32 more are sent
    0.2     closed     6 of the 32 are accepted; then a 429 asks for a second: 1.05 s with jitter
    1.25    probing    the probe is sent, and the first rate is known: 22 requests / 1.25 s = 17.6 requests per second
    1.35    limited    the probe is accepted; one request follows at once, and 17.6 a second
    2.15    limited    the rate has doubled to 35.2
    2.25    closed     what was sent at 2.15 gets a 429, which again asks for a second
    3.3     probing    the rate is RATE_KEPT of what it was when the refused request was sent: 24.6
    3.4     limited    the probe is accepted, and the rate begins to rise
    9.4     limited    the rate is 35.2 again, and doubles from now on
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import attrs

# How many requests are sent before the first response, and how many more for each response, and for each request that
# ends without one: the number that is sent in a round trip grows from 16 to 32, 64, 128.
FIRST_REQUESTS = 16
PER_RESPONSE = 2

# How many requests per second are sent in any case before the first 429, so that slow operations hold back nobody.
RATE_WITHOUT_RESPONSES = 40.0

# How long the others wait for the response to a probe.
PROBE_SECONDS = 0.5

# What a later 429 leaves of the rate, the same share as in CUBIC; how long the rise to the old rate takes; and in which
# time the rate doubles after that, and after the first 429.
RATE_KEPT = 0.7
RISING_SECONDS = 6.0
DOUBLING_SECONDS = 0.8

# The size of the bucket, as a share of what the server has accepted at once: the rest may be in flight.
BUCKET_SHARE = 0.8

# The rate after the first 429 is measured over this time.
MEASURED_SECONDS = 1.0

# The lowest rate after the first 429, and after a later one: a rate of 0 would never rise.
LOWEST_FIRST_RATE = 4.0
LOWEST_RATE = 0.05

# A waiting call looks again after this time, because the rate rises while it waits.
LOOK_AGAIN_SECONDS = 0.5

# A closure that is too long to wait for is tested at most once in this time.
MIN_TEST_SECONDS = 1.0

# After this time without a request, everything that was learned is forgotten: the limit may be another one by then.
IDLE_SECONDS = 60.0

# More doublings would overflow a float.
MAX_DOUBLINGS = 60.0

# Rounding must not leave a token at 0.9999999.
ONE_TOKEN = 1.0 - 1e-9


NEVER = -math.inf

State: TypeAlias = Literal["unlimited", "closed", "probing", "limited"]
"""What may go; see the table above."""


@attrs.frozen
class RequestEnd:
    """A request is over, without a 429.

    Attributes:
        sent_at: When it was sent.
        now: The current time.
        accepted: Whether a response came. Otherwise the request was cancelled, or its connection failed.
    """

    sent_at: float
    now: float
    accepted: bool


@attrs.frozen
class Refusal:
    """A request got a 429, which closes the limit.

    Attributes:
        sent_at: When it was sent.
        now: The current time.
        seconds: For how long the server asks to wait.
        pause: After how many seconds a request may go again; at least *seconds*, and more than 0.
    """

    sent_at: float
    now: float
    seconds: float
    pause: float


@attrs.frozen
class ClosureTest:
    """A call does not wait for the closure, so a probe finds out whether the server opens earlier than it said.

    Attributes:
        now: The current time.
        longest_closure: How many seconds of a closure the call waits for.
    """

    now: float
    longest_closure: float


Event: TypeAlias = RequestEnd | Refusal | ClosureTest
"""What an adaptive rate learns of."""


@attrs.define
class AdaptiveRate:
    """The algorithm and its state, which is changed in place; times are seconds of one clock.

    Attributes:
        bucket_tokens: How many requests may go at once.
        bucket_size: How many tokens the bucket holds; before the first 429 it may hold more.
        filled_at: When tokens were last added.
        last_request_at: When the latest request was sent.
        counted_since: When the first request was sent that `accepted_count` counts.
        accepted_count: How many requests were accepted since then, for MEASURED_SECONDS at most. It makes the first
            rate, and is not counted after the first 429.
        accepted_before: How many were accepted in the MEASURED_SECONDS before those.
        rate_at_429: The rate at the latest 429 that has changed it, in requests per second; 0 before the first.
        rising_since: Since when the rate rises from a part of `rate_at_429`. Time that does not count moves it forward.
        refused_at: When the request was sent whose 429 has begun the closure.
        is_probe_due: Whether the request after the closure is the probe.
        closed_until: When the closure ends that the server has asked for.
        opens_at: When requests may go again: at the end of the closure, or a random time later.
        closures: How many closures there were in a row, without a request that was accepted.
        probed_at: When the probe was sent; NEVER once the others may follow it.
    """

    bucket_tokens: float = FIRST_REQUESTS
    bucket_size: float = FIRST_REQUESTS
    filled_at: float = 0.0
    last_request_at: float = 0.0
    counted_since: float = NEVER
    accepted_count: int = 0
    accepted_before: int = 0
    rate_at_429: float = 0.0
    rising_since: float = 0.0
    refused_at: float = 0.0
    is_probe_due: bool = False
    closed_until: float = 0.0
    opens_at: float = 0.0
    closures: int = 0
    probed_at: float = NEVER

    def state_at(self, now: float) -> State:
        """Return the state."""
        if now < self.opens_at:
            return "closed"
        if self.is_probe_due or now < self.probed_at + PROBE_SECONDS:
            return "probing"
        if self.rate_at_429:
            return "limited"
        return "unlimited"

    def is_idle(self, now: float) -> bool:
        """Return whether there was neither a request nor a closure for IDLE_SECONDS."""
        return now - max(self.last_request_at, self.opens_at) > IDLE_SECONDS

    def closed_for(self, now: float) -> float:
        """Return for how many seconds the server still asks to wait."""
        return max(0.0, self.closed_until - now)

    def is_test_due(self, now: float, longest_closure: float) -> bool:
        """Return whether no request was sent for *longest_closure* seconds, so that the closure may be tested."""
        return now >= self.last_request_at + max(longest_closure, MIN_TEST_SECONDS)

    def is_after_closure(self, sent_at: float) -> bool:
        """Return whether a request was sent after the latest closure: a 429 to it begins another one."""
        return sent_at >= self.opens_at

    def closure_number(self, sent_at: float) -> int:
        """Return how many closures in a row there are if the request that was sent at *sent_at* gets a 429."""
        if self.is_after_closure(sent_at):
            return self.closures + 1
        return max(1, self.closures)

    def rate_at(self, now: float) -> float:
        """Return the rate in requests per second, whatever the state is."""
        if not self.rate_at_429:
            return RATE_WITHOUT_RESPONSES
        seconds = max(0.0, now - self.rising_since)
        if seconds < RISING_SECONDS:
            risen = (seconds / RISING_SECONDS) ** 2
            return self.rate_at_429 * (RATE_KEPT + (1.0 - RATE_KEPT) * risen)
        doublings = (seconds - RISING_SECONDS) / DOUBLING_SECONDS
        return self.rate_at_429 * math.exp2(min(doublings, MAX_DOUBLINGS))

    def take_permit(self, now: float) -> bool:
        """Return whether a request may be sent now, and count it as sent."""
        match self.state_at(now):
            case "closed":
                return False
            case "probing":
                if not self.is_probe_due:
                    return False
                self._change_rate(now)
                self._begin_probe(now)
            case "unlimited" | "limited":
                self._end_probe(now)
                self._fill_bucket(now)
                if self.bucket_tokens < ONE_TOKEN:
                    return False
                self.bucket_tokens -= 1.0
        self.last_request_at = now
        return True

    def next_look(self, now: float) -> float:
        """Return when to call `take_permit` again after it has refused; a response may let a request go earlier."""
        if now < self.opens_at:
            return self.opens_at
        if self.probed_at != NEVER:
            return self.probed_at + PROBE_SECONDS
        missing = max(0.0, 1.0 - self.bucket_tokens)
        return self.filled_at + min(missing / self.rate_at(now), LOOK_AGAIN_SECONDS)

    def learn_from(self, event: Event) -> None:
        """Learn of an event."""
        match event:
            case RequestEnd():
                self._end_request(event)
            case Refusal():
                self._close(event)
            case ClosureTest(now, longest_closure):
                if self.is_test_due(now, longest_closure):
                    self.closed_until = now
                    self.opens_at = now

    def _end_request(self, end: RequestEnd) -> None:
        """Count what was accepted, and let the others follow the probe."""
        if not self.rate_at_429:
            self.bucket_tokens += PER_RESPONSE
            if end.accepted:
                self._count_accepted(end.sent_at)
        # What was sent before the closure says nothing of the time after it.
        if self.is_after_closure(end.sent_at):
            if end.accepted:
                self.closures = 0
            self._end_probe(end.now)

    def _count_accepted(self, sent_at: float) -> None:
        """Count an accepted request. After MEASURED_SECONDS the counter begins anew, and keeps its last value."""
        age = sent_at - self.counted_since
        if age > MEASURED_SECONDS:
            self.accepted_before = 0
            if age <= 2 * MEASURED_SECONDS:
                self.accepted_before = self.accepted_count
            self.counted_since = sent_at
            self.accepted_count = 0
        self.accepted_count += 1

    def _close(self, refusal: Refusal) -> None:
        """Close after a 429. What was in flight when a 429 came closes as well, but does not change the rate."""
        if self.is_after_closure(refusal.sent_at):
            self.closures += 1
            self.refused_at = refusal.sent_at
            self.is_probe_due = True
            self.probed_at = NEVER
        self.closed_until = max(self.closed_until, refusal.now + refusal.seconds)
        self.opens_at = max(self.opens_at, refusal.now + refusal.pause)

    def _fill_bucket(self, now: float) -> None:
        """Add the tokens since the last call. Time in which the bucket is full does not count for the rise."""
        rate = self.rate_at(now)
        most = max(self.bucket_tokens, self.bucket_size)
        self.bucket_tokens += (now - self.filled_at) * rate
        self.filled_at = now
        if self.bucket_tokens > most:
            self._pause_rise((self.bucket_tokens - most) / rate)
            self.bucket_tokens = most

    def _pause_rise(self, seconds: float) -> None:
        """Do not count some time for the rise of the rate: no call waited for the rate."""
        self.rising_since += seconds

    def _change_rate(self, now: float) -> None:
        """Change the rate after the 429 that has begun the closure, now that all responses are in."""
        if self.rate_at_429:
            self.rate_at_429 = max(self.rate_at(self.refused_at), LOWEST_RATE)
            self.rising_since = now
            return
        accepted, seconds = self._accepted_before_429()
        closed = self.opens_at - self.refused_at
        self.bucket_size = max(1.0, BUCKET_SHARE * accepted)
        self.rate_at_429 = max(accepted / (seconds + closed), LOWEST_FIRST_RATE)
        # The measured rate needs no rise: it doubles from the beginning.
        self.rising_since = now - RISING_SECONDS

    def _accepted_before_429(self) -> tuple[float, float]:
        """Return how many requests were accepted before the 429, and within how many seconds."""
        accepted = max(1.0, self.accepted_count)
        seconds = min(MEASURED_SECONDS, max(0.0, self.refused_at - self.counted_since))
        if not self.accepted_before:
            return accepted, seconds
        # A counter that has just begun anew takes the rest of the time from its last value.
        rest = 1.0 - seconds / MEASURED_SECONDS
        return accepted + self.accepted_before * rest, MEASURED_SECONDS

    def _begin_probe(self, now: float) -> None:
        """Let a probe go first. If it goes late, because the event loop was blocked, more may follow it at once."""
        late = now - self.opens_at
        self.bucket_tokens = min(late * self.rate_at(now), self.bucket_size)
        self.probed_at = now
        self.is_probe_due = False

    def _end_probe(self, now: float) -> None:
        """Let the others follow the probe at the rate, and one of them at once if the probe took long."""
        if self.probed_at == NEVER:
            return
        waited = now - self.probed_at
        self.probed_at = NEVER
        self._pause_rise(waited)
        self.filled_at = now
        tokens = self.bucket_tokens + min(1.0, waited * self.rate_at(now))
        self.bucket_tokens = min(tokens, self.bucket_size)
