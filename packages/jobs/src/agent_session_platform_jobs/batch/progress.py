"""A line on a terminal that shows the progress of a batch."""

from __future__ import annotations

import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import TextIO

# Seconds between two lines: a terminal over a slow connection keeps up.
EVERY = 0.1


class ProgressBar:
    """One line that is written again in its place: rows by state, rows in a second, rows in flight.

    Args:
        stream: Where to write it; None takes stderr.
        enabled: Whether to write; None writes only on a terminal.
        clock: Returns seconds.
    """

    def __init__(
        self, stream: TextIO | None = None, enabled: bool | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._enabled = self._stream.isatty() if enabled is None else enabled
        self._clock = clock
        self._began = self._written = clock()
        self._counts: Counter[str] = Counter()

    def count(self, state: str) -> None:
        """Count a row that has come to its end in this run."""
        self._counts[state] += 1

    def show(self, in_flight: int, limit: int, *, last: bool = False) -> None:
        """Write the line, unless one was written just now; the *last* one stays on the terminal."""
        now = self._clock()
        if not self._enabled or (now - self._written < EVERY and not last):
            return
        self._written = now
        rate = self._counts.total() / max(now - self._began, EVERY)
        states = ", ".join(f"{count} {state}" for state, count in self._counts.items()) or "0 rows"
        line = f"{states} | {rate:.1f}/s | {in_flight} of at most {limit} in flight"
        width = shutil.get_terminal_size().columns - 1
        # Blanks cover what is left of a longer line.
        self._stream.write(f"\r{line[:width]:<{width}}{chr(10) if last else ''}")
        self._stream.flush()
