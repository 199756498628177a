"""The token bucket estimate: the rate of a server's limiter, from what it has accepted. Pure arithmetic.

A token bucket (RFC 2475, section 2.3.3.1) holds a number of tokens, is filled at a fixed rate, and gives one token to
each request. Any limiter is modelled as one; a fixed time window of one second, for instance,
behaves much like a bucket.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

# Number of accepted requests, and the seconds in which they were accepted.
Interval: TypeAlias = tuple[int, float]

# The estimate rises by 1 % a step until it explains the intervals; this many steps reach 20,000 times the start.
STEP_FACTOR = 1.01
MOST_STEPS = 1000

# A bucket that refuses a request holds between no token and one: half a token on average.
TOKENS_LEFT = 0.5

# At least this share of the burst was in the bucket when it began: an empty bucket would explain any rate.
LEAST_BUCKET_SHARE = 0.5

# Two bursts that differ by no more than this share show a limiter that counts in fixed time windows.
SAME_BURST_SHARE = 0.1

# The shortest time that a rate is computed from, so that nothing is divided by zero.
LEAST_SECONDS = 0.001


def estimate_rate(burst: Interval, intervals: Sequence[Interval]) -> float:
    """Return the lowest fill rate of a bucket that explains what was accepted, in requests per second.

    Args:
        burst: What the full bucket gave before it refused for the first time.
        intervals: What was accepted after that, up to the next refusal; the bucket is empty before and after them.
    """
    accepted = sum(count for count, _ in intervals)
    rate = accepted / max(sum(seconds for _, seconds in intervals), LEAST_SECONDS)
    for _ in range(MOST_STEPS):
        # The tokens that were filled in during the burst were not in the bucket before.
        size = max(1.0, LEAST_BUCKET_SHARE * burst[0], burst[0] - rate * burst[1])
        tokens = 0.0
        for count, seconds in intervals:
            tokens = min(size, tokens + rate * seconds - count)
        if tokens >= TOKENS_LEFT:
            break
        rate *= STEP_FACTOR
    return rate


def first_estimate(burst: Interval, intervals: Sequence[Interval], accepted: int) -> float:
    """Return the estimate after the second burst, of so many *accepted* requests; see `estimate_rate`."""
    rate = estimate_rate(burst, intervals)
    if abs(accepted - burst[0]) <= SAME_BURST_SHARE * burst[0]:
        # A fixed time window accepts the same number again, however long the burst took.
        rate = max(rate, burst[0] / (burst[1] + intervals[0][1]))
    return rate


def without_refused(intervals: Sequence[Interval], accepted: int) -> list[Interval]:
    """Return the intervals cut from the end so that they count no more than the *accepted* requests.

    The last interval ends when the first refused request was sent. If it began only after that, its end lies before its
    start: its seconds are negative, and are taken from the interval before.
    """
    kept = list(intervals)
    refused = sum(count for count, _ in kept) - accepted
    while refused > 0 and len(kept) > 1:
        count, seconds = kept.pop()
        if count > refused or len(kept) == 1:
            kept.append((max(count - refused, 1), seconds))
            break
        refused -= count
        kept[-1] = (kept[-1][0], kept[-1][1] + min(seconds, 0.0))
    return kept
