"""The seconds between two polls."""

from __future__ import annotations

import math
import random

from ..errors import InvalidArgumentError
from ..text import format_value

GROWTH = 1.5
JITTER = 0.1


class Interval:
    """The seconds between polls: more after each poll without a change, with jitter so that polls do not coincide."""

    def __init__(self, every: float, max_every: float | None) -> None:
        if isinstance(every, bool) or not isinstance(every, int | float) or not 0 < every < math.inf:  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"every must be a number of seconds, more than 0, not {format_value(every)}")
        self._every = every
        self._most = 6 * every if max_every is None else max_every
        self._current = every

    def next(self, *, changed: bool) -> float:
        """Return the seconds until the next poll."""
        self._current = self._every if changed else self._current
        seconds = self._current * random.uniform(1 - JITTER, 1 + JITTER)
        self._current = min(self._current * GROWTH, self._most)
        return seconds
