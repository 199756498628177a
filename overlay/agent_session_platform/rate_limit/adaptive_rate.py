"""The adaptive rate of one limit: how many requests may be sent, learned from 429s. No clock, no task, no I/O.

    state       what may go                                       ends with
    unlimited   FIRST_REQUESTS at once, and PER_RESPONSE more     a 429
                for each response
    closed      nothing; now and then one request that asks       the end of the closure
                again, if the closure is too long to wait for
    probing     one request, the probe                            its response; or SILENT_SECONDS
    limited     as many requests per second as the rate says      a 429

A limit that was closed is forgotten when it had no request for IDLE_SECONDS, any other one soon after its last call.
Then it begins as unlimited again.

After the first 429 the rate is what the server accepted in the last second, and it doubles every DOUBLING_SECONDS.
A later 429 takes the rate back to RATE_KEPT of what it was. From there it rises to the old rate within RISING_SECONDS,
and then it doubles again. This is slow start (RFC 5681, section 3.1), and then the convex part of CUBIC (RFC 9438,
section 4.2). As in RFC 7661, the rate rises only while calls wait for it.

Requests take tokens from a bucket, which holds at most as many as the server has accepted at once. So requests that
fell due while the event loop was blocked are sent at once.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import attrs

# How many requests are sent before the first response, and how many more for each response, and for each request that
# ends without one: the number that is sent in a round trip grows from 16 to 32, 64, 128.
FIRST_REQUESTS = 16
PER_RESPONSE = 2

# How many requests per second are sent in any case before the first 429, so that slow operations hold back nobody.
RATE_WITHOUT_RESPONSES = 40.0

# How long the others wait for the response to a probe.
SILENT_SECONDS = 0.5

# What a later 429 leaves of the rate, the same share as in CUBIC.
RATE_KEPT = 0.7
RISING_SECONDS = 6.0
DOUBLING_SECONDS = 0.6

# How much of the burst of the server may go at once: some of it may be in flight.
BURST_SHARE = 0.8

# The rate after the first 429 is measured over this time.
MEASURED_SECONDS = 1.0

# The lowest rate after the first 429, and after a later one: a rate of 0 would never rise.
LOWEST_FIRST_RATE = 4.0
LOWEST_RATE = 0.05

# A waiting call looks again after this time, because the rate rises while it waits.
LOOK_AGAIN_SECONDS = 0.5

# After this time without a request, everything that was learned is forgotten: the limit may be another one by then.
IDLE_SECONDS = 60.0

# Refused calls need this time to return to the queue before later calls.
MIN_CLOSURE_SECONDS = 0.005

# More doublings would overflow a float.
MAX_DOUBLINGS = 60.0

# Rounding must not leave a token at 0.9999999.
ONE_TOKEN = 1.0 - 1e-9


class Permit(NamedTuple):
    """Permission to send one request.

    Attributes:
        round: Number of the round in which it was granted; a round ends with the first permit after a closure.
        sent_at: When it was granted, in seconds of the limiter's clock.
        rate: The rate at that time, in requests per second.
        number: How many requests of the round were granted before.
    """

    round: int
    sent_at: float
    rate: float
    number: int


@attrs.define
class Rise:
    """The rise of the rate: from `start` to `target` in RISING_SECONDS, and then it doubles.

    Attributes:
        start: Requests per second at the beginning; 0 means that the rate doubles from the beginning.
        target: Requests per second that the rise leads to.
        since: When the rise began.
    """

    start: float = 0.0
    target: float = 0.0
    since: float = 0.0

    def rate_at(self, now: float) -> float:
        """Return the rate."""
        seconds = max(0.0, now - self.since)
        if self.start:
            if seconds < RISING_SECONDS:
                return self.start + (self.target - self.start) * (seconds / RISING_SECONDS) ** 2
            seconds -= RISING_SECONDS
        return self.target * math.exp2(min(seconds / DOUBLING_SECONDS, MAX_DOUBLINGS))


@attrs.define
class Acceptance:
    """How many requests a server has accepted within MEASURED_SECONDS.

    Attributes:
        began: When the first of them was sent.
        count: How many they are.
    """

    began: float = 0.0
    count: int = 0

    def add(self, sent_at: float) -> None:
        """Count a request that was accepted."""
        if self.count == 0 or sent_at > self.began + MEASURED_SECONDS:
            self.began = sent_at
            self.count = 0
        self.count += 1


@attrs.define
class AdaptiveRate:
    """The algorithm and its state, which is changed in place; times are seconds of one clock.

    Attributes:
        round: Number of the round; a new one begins with the first permit after a closure.
        sent: How many requests of the round were sent.
        tokens: How many requests may go at once.
        filled_at: When tokens were last added.
        acceptance: What was accepted before the first 429.
        burst: How many requests the server has accepted at once; 0 before the first 429.
        rise: The rate after the first 429.
        refused: The first permit of the round that was refused: what is learned from when the closure ends. None if no
            permit of the round was refused.
        closed_until: When the closure ends that the server has asked for.
        opens_at: When requests may go again: at the end of the closure, or a random time later.
        closure: How long the latest closure is, in seconds.
        closures: How many closures there were in a row, without a request that was accepted.
        opened_for: How long the closure before the round was, in seconds.
        opened_late: How many seconds after that closure the round began; the event loop may have been blocked.
        is_excused: Whether the latest refusal has changed nothing, because the rate does not explain it.
        probed_at: When the probe was sent; None while there is none.
        asked_at: When the latest request was sent, or refused, during a closure.
        asking: The permit that was granted during the closure; see `ask_again`.
        used_at: When the latest permit was granted.
    """

    round: int = 0
    sent: int = 0
    tokens: float = FIRST_REQUESTS
    filled_at: float = 0.0
    acceptance: Acceptance = attrs.field(factory=Acceptance)
    burst: int = 0
    rise: Rise = attrs.field(factory=Rise)
    refused: Permit | None = None
    closed_until: float = 0.0
    opens_at: float = 0.0
    closure: float = 0.0
    closures: int = 0
    opened_for: float = 0.0
    opened_late: float = 0.0
    is_excused: bool = False
    probed_at: float | None = None
    asked_at: float = 0.0
    asking: Permit | None = None
    used_at: float = 0.0

    def rate_at(self, now: float) -> float:
        """Return the rate in requests per second, whatever the state is."""
        return self.rise.rate_at(now) if self.burst else RATE_WITHOUT_RESPONSES

    def sending_rate(self) -> float | None:
        """Return the rate at the latest request; None before the first 429."""
        return self.rise.rate_at(self.used_at) if self.burst else None

    def closed_for(self, now: float) -> float:
        """Return for how many seconds the server still asks to wait."""
        return max(0.0, self.closed_until - now)

    @property
    def is_new(self) -> bool:
        """Whether there was no 429 yet."""
        return not self.burst and self.refused is None

    def is_idle(self, now: float) -> bool:
        """Return whether there was neither a request nor a closure for IDLE_SECONDS."""
        return now - max(self.used_at, self.opens_at) > IDLE_SECONDS

    def is_valid(self, permit: Permit) -> bool:
        """Return whether no 429 has come since *permit* was granted."""
        return permit.round == self.round and self.refused is None and permit.sent_at >= self.opens_at

    def closure_number(self, permit: Permit) -> int:
        """Return which closure in a row a 429 for *permit* begins or lengthens."""
        return self.closures + 1 if self.is_valid(permit) or permit == self.asking else self.closures

    def next_look(self, now: float) -> float:
        """Return when to call `grant` again after it has returned None; a response may let a request go earlier."""
        if now < self.opens_at:
            return self.opens_at
        if self.probed_at is not None:
            return self.probed_at + SILENT_SECONDS
        missing = max(0.0, 1.0 - self.tokens)
        return self.filled_at + min(missing / self.rate_at(now), LOOK_AGAIN_SECONDS)

    def grant(self, now: float) -> Permit | None:
        """Return a permit for a request; None if none may be sent now."""
        if now < self.opens_at:
            return None
        if self.refused is not None:
            self._open(now, self.refused)
            return self._send(now)
        if self.probed_at is not None:
            if now < self.probed_at + SILENT_SECONDS:
                return None
            self._end_probe(now, self.probed_at)
        self._fill(now)
        if self.tokens < ONE_TOKEN:
            return None
        self.tokens -= 1.0
        return self._send(now)

    def ask_again(self, now: float) -> Permit:
        """Return a permit during a closure: the server may open earlier than it said."""
        permit = self._send(now)
        self.ask(permit)
        return permit

    def ask(self, permit: Permit) -> None:
        """Note that a request was sent during a closure."""
        self.asked_at = permit.sent_at
        self.asking = permit

    def accepted(self, permit: Permit, now: float) -> None:
        """Learn from a response other than 429."""
        if permit == self.asking:
            # The server has opened earlier than it said.
            self.closed_until = self.opens_at = now
        if not self.burst:
            self.acceptance.add(permit.sent_at)
            self.tokens += PER_RESPONSE
        if self.is_valid(permit):
            self.closures = 0
            if self.probed_at is not None:
                self._end_probe(now, self.probed_at)

    def ended(self, permit: Permit, now: float) -> None:
        """Learn that no response will come: the call was cancelled, or its connection failed."""
        if not self.burst:
            self.tokens += PER_RESPONSE
        if self.is_valid(permit) and self.probed_at is not None:
            self._end_probe(now, self.probed_at)

    def refuse(self, permit: Permit, now: float, seconds: float, jitter: float) -> None:
        """Close after a 429. What was in flight when a 429 came closes as well, but teaches nothing about the rate.

        Args:
            permit: The permit of the refused request.
            now: The current time.
            seconds: For how long to close.
            jitter: How many seconds after the closure requests may go again.
        """
        opens_at = now + max(seconds + jitter, MIN_CLOSURE_SECONDS)
        if self.is_valid(permit) or permit == self.asking:
            self.closures += 1
            self.closure = seconds
            self.closed_until = now + seconds
            self.opens_at = opens_at
            self.asked_at = now
            self.asking = self.probed_at = None
        self.closed_until = max(self.closed_until, now + seconds)
        self.opens_at = max(self.opens_at, opens_at)
        if permit.round == self.round and (self.refused is None or permit.sent_at < self.refused.sent_at):
            self.refused = permit

    def keep_closure(self, other: AdaptiveRate) -> None:
        """Take over the closure of another state."""
        self.closed_until = other.closed_until
        self.opens_at = other.opens_at
        self.closures = other.closures
        self.asked_at = other.asked_at

    def _send(self, now: float) -> Permit:
        self.used_at = now
        permit = Permit(self.round, now, self.rate_at(now), self.sent)
        self.sent += 1
        return permit

    def _fill(self, now: float) -> None:
        """Add the tokens of the time since the last call; a full bucket means that no call waits for the rate."""
        rate = self.rate_at(now)
        most = self._most_tokens()
        self.tokens += (now - self.filled_at) * rate
        self.filled_at = now
        if self.tokens > most:
            self.rise.since += (self.tokens - most) / rate
            self.tokens = most

    def _most_tokens(self) -> float:
        """Return how many tokens the bucket holds."""
        if self.burst:
            return max(1.0, BURST_SHARE * self.burst)
        return max(self.tokens, FIRST_REQUESTS)

    def _open(self, now: float, refused: Permit) -> None:
        """Learn from the refused request, now that all responses are in, and let a probe go."""
        if not self.burst:
            self._measure(now, refused)
        elif self._is_unexplained(refused):
            self.is_excused = True
            # The rise goes on where it was.
            self.rise.since += now - refused.sent_at
        else:
            self.is_excused = False
            target = max(refused.rate, LOWEST_RATE)
            self.rise = Rise(RATE_KEPT * target, target, now)
        self.opened_for = self.closure
        self.opened_late = max(0.0, now - self.opens_at)
        self.round += 1
        self.sent = 0
        self.refused = self.asking = None
        self.probed_at = now

    def _measure(self, now: float, refused: Permit) -> None:
        """Set the first rate: what was accepted within a second, divided by the time until the closure ended."""
        seconds = min(MEASURED_SECONDS, max(0.0, refused.sent_at - self.acceptance.began))
        closed = max(MIN_CLOSURE_SECONDS, self.opens_at - refused.sent_at)
        self.burst = max(1, self.acceptance.count)
        rate = self.burst / (seconds + closed)
        self.rise = Rise(target=max(rate, LOWEST_FIRST_RATE), since=now)

    def _is_unexplained(self, refused: Permit) -> bool:
        """Return whether the rate does not explain a refusal, which then teaches nothing; never twice in a row.

        A closure that was long enough to refill the burst of the server lets at least so many requests pass.
        """
        refilled = min(float(self.burst), self.opened_for * self.rise.rate_at(self.rise.since))
        return refused.number < refilled and not self.is_excused

    def _end_probe(self, now: float, probed_at: float) -> None:
        """Let the others follow the probe at the rate."""
        waited = now - probed_at
        self.rise.since += waited
        self.filled_at = now
        rate = self.rate_at(now)
        tokens = min(1.0, waited * rate) + self.opened_late * rate
        self.tokens = min(tokens, self._most_tokens())
        self.probed_at = None
