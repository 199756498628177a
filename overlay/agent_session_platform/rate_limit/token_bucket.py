"""The rate at which a limiter lets requests through, from what it has let through so far: pure arithmetic.

A piece is how many requests were let through in how many seconds.
"""

from __future__ import annotations

# The rate is found by going up in steps of a hundredth; so many reach far enough.
STEP = 1.01
STEPS = 1000

# A bucket that refuses has less than one in it: half a one, most likely.
LEFT = 0.5

# So much of the burst was in the bucket at least: a bucket of nothing would explain any rate.
LEAST_BUCKET = 0.5

Pieces = list[tuple[int, float]]


def refill_rate(burst: tuple[int, float], pieces: Pieces) -> float:
    """The rate at which a bucket fills that was empty before *pieces* and is behind them; requests a second.

    *burst* is how many could be taken of the full bucket, and in how many seconds. Any limiter is some bucket, seen
    from here; of the rates that explain what was taken it is the least.
    """
    taken = sum(count for count, _ in pieces)
    rate = taken / max(sum(seconds for _, seconds in pieces), 0.001)
    for _ in range(STEPS):
        # What was filled in during the burst was not in the bucket before.
        size = max(1.0, LEAST_BUCKET * burst[0], burst[0] - rate * burst[1])
        level = 0.0
        for count, seconds in pieces:
            level = min(size, level + rate * seconds - count)
        if level >= LEFT:
            break
        rate *= STEP
    return rate


def without_surplus(pieces: Pieces, accepted: int) -> Pieces:
    """The pieces, whose last ones count requests that were refused, cut to what was *accepted*.

    The last one may have begun behind the first refusal: then its seconds are negative, and belong to the one before.
    """
    kept = list(pieces)
    surplus = sum(count for count, _ in kept) - accepted
    while surplus > 0 and len(kept) > 1:
        count, seconds = kept.pop()
        if count > surplus or len(kept) == 1:
            kept.append((max(count - surplus, 1), seconds))
            break
        surplus -= count
        kept[-1] = (kept[-1][0], kept[-1][1] + min(seconds, 0.0))
    return kept
