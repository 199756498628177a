"""Models of the limiters that servers have: each admits a request, or returns how long to wait."""

from __future__ import annotations

import math
from collections import deque
from typing import Protocol


class Limiter(Protocol):
    """A limiter of a server."""

    def admit(self, now: float) -> float | None:
        """Return None if the request is admitted, else the seconds until a request can be admitted."""
        ...

    def ideal(self, requests: int) -> float:
        """Return the shortest time, in seconds, in which this number of requests can be admitted."""
        ...


class TokenBucket:
    """A token bucket: *rate* requests per second in the long run, and a burst."""

    def __init__(self, rate: float, burst: int) -> None:
        self.rate, self.burst = rate, burst
        self._tokens, self._at = float(burst), 0.0

    def admit(self, now: float) -> float | None:
        self._tokens = min(float(self.burst), self._tokens + (now - self._at) * self.rate)
        self._at = now
        if self._tokens >= 1:
            self._tokens -= 1
            return None
        return (1 - self._tokens) / self.rate

    def ideal(self, requests: int) -> float:
        return max(0.0, (requests - self.burst) / self.rate)


class FixedWindow:
    """A fixed window: *limit* requests in each window of *window* seconds."""

    def __init__(self, limit: int, window: float) -> None:
        self.limit, self.window = limit, window
        self._current, self._count = -1, 0

    def admit(self, now: float) -> float | None:
        current = int(now // self.window)
        if current != self._current:
            self._current, self._count = current, 0
        if self._count < self.limit:
            self._count += 1
            return None
        return (current + 1) * self.window - now

    def ideal(self, requests: int) -> float:
        return (requests - 1) // self.limit * self.window


class SlidingWindow:
    """A sliding window: *limit* requests in any period of *window* seconds."""

    def __init__(self, limit: int, window: float) -> None:
        self.limit, self.window = limit, window
        self._admitted: deque[float] = deque()

    def admit(self, now: float) -> float | None:
        while self._admitted and self._admitted[0] <= now - self.window:
            self._admitted.popleft()
        if len(self._admitted) < self.limit:
            self._admitted.append(now)
            return None
        return self._admitted[0] + self.window - now

    def ideal(self, requests: int) -> float:
        return (requests - 1) // self.limit * self.window


class Queue:
    """Workers with a queue. Without places in the queue, this is a limit of concurrency.

    Args:
        workers: How many requests are processed at the same time.
        seconds: How long a worker takes for a request.
        places: How many more requests may wait in the queue.
    """

    def __init__(self, workers: int, seconds: float, places: int = 0) -> None:
        self.workers, self.seconds, self.places = workers, seconds, places
        self._ends: deque[float] = deque()

    def admit(self, now: float) -> float | None:
        while self._ends and self._ends[0] <= now:
            self._ends.popleft()
        if len(self._ends) >= self.workers + self.places:
            return self._ends[0] - now
        begins = now if len(self._ends) < self.workers else self._ends[-self.workers]
        self._ends.append(max(begins, now) + self.seconds)
        return None

    def takes(self, now: float) -> float:
        """Return the seconds until the latest admitted request is done."""
        return self._ends[-1] - now

    def ideal(self, requests: int) -> float:
        return math.ceil(requests / self.workers) * self.seconds


class Changing:
    """A token bucket whose rate changes after a time."""

    def __init__(self, before: float, after: float, seconds: float, burst: int = 10) -> None:
        self.before, self.after, self.seconds = before, after, seconds
        self._bucket = TokenBucket(before, burst)

    def admit(self, now: float) -> float | None:
        if now >= self.seconds:
            self._bucket.rate = self.after
        return self._bucket.admit(now)

    def ideal(self, requests: int) -> float:
        first = min(requests, self._bucket.burst + self.before * self.seconds)
        return (first - self._bucket.burst) / self.before + (requests - first) / self.after
