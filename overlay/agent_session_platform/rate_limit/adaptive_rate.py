"""How many requests may be under way, and how fast they follow: learned from what a server accepts, and from its 429s.

Nothing here knows a kind of limiter, a clock or a task: a state and its changes. `gate.lua` is the same in the words of
a Redis script, for processes that share one; change both.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from .interface import Permit
from .token_bucket import refill_rate, without_surplus

# How many requests go out before the first answers are in, and how much room each answer makes.
FIRST_WINDOW = 10
ROOM_PER_ANSWER = 0.25

# What was accepted within so many seconds before the first 429 counts as one burst.
BURST_SECONDS = 1.0

# After it the rate is such that as many would go in so many seconds; it is doubled again and again, each time after so
# long and so many answers.
BURST_TAKEN_IN = 0.25
RAMP_SECONDS = 0.1
RAMP_ANSWERS = 3

# The next 429 measures. From then on the rate stays a little below that, and rises ever faster, to notice when there is
# more: the later, the more a 429 costs.
MARGIN = 0.97
PLATEAU_CLOSURES = 10.0
PLATEAU_REQUESTS = 50
LEAST_PLATEAU = 3.0
LONGEST_PLATEAU = 60.0

# So many requests prove that so much goes at least, and the best of the last proofs counts: a 429 may have to do with
# no rate at all.
PROOF = 20
REMEMBERED = 8
SLOWEST = 0.05

# Two bursts that differ by no more than this share are two windows.
SAME_SHARE = 0.1

PIECE_SECONDS = 1.0
LONGEST_MEMORY = 32

# A pace that slept too long may make up for so much.
CATCH_UP_SECONDS = 0.05

# After so long without a request what was learned no longer counts.
FORGET_SECONDS = 60.0

# What is put on top of a Retry-After, so that those who were told the same second do not come back in the same instant.
SPREAD_LEAST = 0.05
SPREAD_SHARE = 0.05

# How long to wait after a 429 without a hint: at first, and doubled with each that follows at once.
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 8.0
DOUBLINGS = 16


class Pace:
    """Free until the first 429, then ramped up to the next one, then cruising at what was measured.

    `window` is how many requests may be under way, `rate` how many a second (None: any). A round is what lies between
    two closures; `round` is its number. Times are those of one clock, in seconds.
    """

    def __init__(self, uniform: Callable[[float, float], float] = random.uniform) -> None:
        self._uniform = uniform
        self.round = 0
        self.closed_until = 0.0
        self._forget(0.0)

    def _forget(self, now: float) -> None:
        self.window = float(FIRST_WINDOW)
        self.rate: float | None = None
        self.next_at = 0.0
        # How many went in how many seconds before the first 429.
        self._burst = (1, 0.0)
        # The rates that the last rounds proved, the best of them, and since when the pace cruises there.
        self._proven: list[float] = []
        self._base: float | None = None
        self._since = now
        self._plateau = LEAST_PLATEAU
        # The pieces of this round, of one rate each: how many went in how many seconds. The first is the closure.
        self._pieces: list[tuple[int, float]] = []
        self._piece_at = self._sent_at = now
        self._piece = 0
        self._accepted = self._answers = 0
        # When the first request went that was refused in this round; None as long as there is none.
        self._refused_at: float | None = None
        self._pauses = 0

    @property
    def opens_at(self) -> float:
        """When the next request may go, if there is room for it."""
        return max(self.closed_until, self.next_at)

    def grant(self, now: float, under_way: int) -> Permit | None:
        """Let one more request go, besides those that are *under_way*, if it may."""
        if now - self._sent_at > FORGET_SECONDS and now >= self.closed_until and not under_way:
            self._forget(now)
        if under_way >= int(self.window) or now < self.opens_at:
            return None
        if self._refused_at is not None:
            self._end_round(now, self._refused_at)
        elif self.rate is None:
            if now - self._piece_at > BURST_SECONDS:
                self._accepted = 0
                self._begin_piece(now)
        elif self._base is None:
            if now - self._piece_at >= RAMP_SECONDS and self._answers >= RAMP_ANSWERS:
                self._end_piece(now)
                self.rate *= 2
        else:
            if now - self._sent_at > PIECE_SECONDS:
                # Nothing is learned from silence.
                self._since += now - self._sent_at
            if now - self._piece_at >= PIECE_SECONDS:
                self._end_piece(now)
        if self._base is not None:
            self.rate = self._base * (MARGIN + (1 - MARGIN) * ((now - self._since) / self._plateau) ** 3)
        if self.rate is not None:
            self.next_at = max(self.next_at, now - CATCH_UP_SECONDS) + 1 / self.rate
        self._sent_at = now
        self._piece += 1
        return Permit(self.round, now)

    def is_good(self, permit: Permit) -> bool:
        """Whether no 429 has come since *permit* was given."""
        return permit.round == self.round and self._refused_at is None

    def accepted(self, permit: Permit) -> None:
        """Learn from an answer that was no 429."""
        if permit.round != self.round:
            return
        self._accepted += 1
        self._answers += 1
        self._pauses = 0
        if self._refused_at is not None:
            return
        if self.window < FIRST_WINDOW:
            self.window = float(FIRST_WINDOW)
        elif self.rate is None:
            self.window += ROOM_PER_ANSWER
        else:
            self.window += 1.0 if self._base else 1 / self.window

    def limited(self, now: float, seconds: float | None, permit: Permit) -> None:
        """Learn from a 429: let no request go for *seconds*, or for as long as seems right."""
        fresh = permit.round == self.round
        if seconds is None and fresh and self._refused_at is None:
            pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0**self._pauses)
            seconds = self._uniform(pause / 2, pause)
            self._pauses = min(self._pauses + 1, DOUBLINGS)
        elif fresh and self._refused_at is None and seconds:
            seconds = spread(seconds, self._uniform)
        self.closed_until = max(self.closed_until, now + (seconds or 0.0))
        self.next_at = max(self.next_at, self.closed_until)
        if fresh:
            self.window = 1.0
            self._refused_at = min(permit.at, self._refused_at or permit.at)

    def _end_round(self, now: float, refused_at: float) -> None:
        """Measure by what was accepted, now that all answers are in, and begin the next round."""
        closed = now - refused_at
        # Closed, the pace does not rise.
        self._since += closed
        self._end_piece(refused_at)
        self._pieces = without_surplus(self._pieces, self._accepted)
        if self.rate is None:
            self._burst = (max(1, self._accepted), self._pieces[0][1])
            self.rate = self._burst[0] / BURST_TAKEN_IN
            self._begin_proof()
        elif self._base is None and self._accepted:
            self._base = self._first_measured()
            self._since = now
            self._begin_proof()
        elif self._base is not None and self._accepted >= PROOF:
            if self.rate > self._base:
                # Faster than was proven: it begins to rise anew.
                self._since = now
            self._proven = [*self._proven[1 - REMEMBERED :], refill_rate(self._burst, self._pieces)]
            self._base = max(SLOWEST, *self._proven)
            self._begin_proof()
        if self._base is not None:
            plateau = max(LEAST_PLATEAU, PLATEAU_CLOSURES * closed, PLATEAU_REQUESTS / self._base)
            self._plateau = min(LONGEST_PLATEAU, plateau)
        self._pieces.append((0, closed))
        self.round += 1
        self._refused_at = None
        self._begin_piece(now)

    def _begin_proof(self) -> None:
        self._pieces = []
        self._accepted = 0

    def _first_measured(self) -> float:
        rate = refill_rate(self._burst, self._pieces)
        if abs(self._accepted - self._burst[0]) <= SAME_SHARE * self._burst[0]:
            # The same number again, whatever the time: a window.
            rate = max(rate, self._burst[0] / (self._burst[1] + self._pieces[0][1]))
        return max(SLOWEST, rate)

    def _begin_piece(self, now: float) -> None:
        self._piece_at, self._piece, self._answers = now, 0, 0

    def _end_piece(self, now: float) -> None:
        self._pieces.append((self._piece, now - self._piece_at))
        if len(self._pieces) > LONGEST_MEMORY:
            self._accepted -= self._pieces.pop(1)[0]
        self._begin_piece(now)


def spread(hint: float, uniform: Callable[[float, float], float]) -> float:
    """What is waited for a Retry-After of *hint* seconds: a little longer, each time a different one."""
    return hint + uniform(0.0, max(SPREAD_LEAST, SPREAD_SHARE * hint))
