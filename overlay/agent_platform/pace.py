"""How fast to send once a server has said 429: learned from what it accepts, without knowing its kind of limiter."""

from __future__ import annotations

# How long a rate is tried before it is doubled, and how many answers must have come meanwhile.
RAMP_SECONDS = 0.1
RAMP_ANSWERS = 3

# Where the ramp begins at least: a first answer that is a 429 says nothing of how many would be accepted.
START = 5.0

# So many of the rates that were tried are remembered: more say nothing of a bucket that was full in between.
LONGEST_MEMORY = 32

# Within so many seconds before the first 429 the answers count as one burst.
BURST_SECONDS = 1.0

# A little below what was measured, and a little more each second, to notice when there is more.
MARGIN = 0.97
GROWTH = 0.01

SLOWEST = 0.1
LEAST_SHARE = 0.6
HALVINGS = 30


class Pace:
    """The rate at which requests are sent: free until the first 429, then ramped up to the next one, then cruising.

    Times are those of one clock, in seconds; the class reads none. `next_at` is when the next request may be sent.
    """

    def __init__(self) -> None:
        self.rate: float | None = None
        self.next_at = 0.0
        self._burst = 1
        self._cruising = False
        self._since = 0.0
        self._accepted = 0
        # The rates that were tried since the gate opened, and for how long.
        self._tried: list[tuple[float, float]] = []

    def sent(self, now: float) -> None:
        """A request is sent."""
        if self.rate is None:
            return
        elapsed = now - self._since
        if self._cruising and elapsed >= 1.0:
            self._go_on(now, self.rate * (1 + GROWTH) ** elapsed)
        elif not self._cruising and elapsed >= RAMP_SECONDS and self._accepted >= RAMP_ANSWERS:
            self._go_on(now, self.rate * 2)
        self.next_at = max(self.next_at, now) + 1 / self.rate

    def accepted(self, now: float) -> None:
        """An answer came that was no 429."""
        if self.rate is None and now - self._since > BURST_SECONDS:
            self._begin(now)
        self._accepted += 1

    def limited(self, now: float, reopens_at: float) -> None:
        """A 429 came, the first one of a round; nothing is sent before *reopens_at*."""
        if self.rate is not None and now < self._since:
            # Still of the round before: it says no more than that did.
            self.next_at = max(self.next_at, reopens_at)
            return
        if self.rate is None:
            self._burst = max(1, self._accepted)
            begun = max(self._since, now - BURST_SECONDS)
            self.rate = max(START, self._burst / max(reopens_at - begun, RAMP_SECONDS))
        else:
            # What was tried before the last rate went well, but may have lived on the bucket.
            well = max((rate for rate, _ in self._tried), default=self.rate)
            self._tried.append((self.rate, max(now - self._since, 0.0)))
            self.rate = max(SLOWEST, well * LEAST_SHARE, MARGIN * refill_rate(self._burst, self._tried))
            self._cruising = True
        self.next_at = reopens_at
        self._tried.clear()
        self._begin(reopens_at)

    def _go_on(self, now: float, rate: float) -> None:
        if self.rate is not None:
            self._tried.append((self.rate, now - self._since))
            del self._tried[:-LONGEST_MEMORY]
        self.rate = rate
        self._begin(now)

    def _begin(self, now: float) -> None:
        self._since = now
        self._accepted = 0


def refill_rate(burst: float, tried: list[tuple[float, float]]) -> float:
    """The rate at which a bucket of *burst* tokens, full at first, fills when it is empty after what was tried.

    *tried* are rates and for how long each. Any limiter is some bucket seen from here; found by halving.
    """
    low, high = 0.0, max(rate for rate, _ in tried)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        level = burst
        for rate, seconds in tried:
            level = min(burst, level + (middle - rate) * seconds)
        low, high = (middle, high) if level <= 0 else (low, middle)
    return high
