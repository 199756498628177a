"""The retry quota: tokens for the retries of a client, so that a server that is down gets few of them.

It is the one of botocore's standard mode: each retry takes tokens, and each success gives some back.
"""

from __future__ import annotations

# How many tokens there are: enough for 100 retries while nothing succeeds.
MOST_TOKENS = 500.0

# A success without a retry gives back so much.
TOKENS_PER_SUCCESS = 1.0


class RetryQuota:
    """A bucket of tokens that retries take.

    Attributes:
        used: How many tokens are taken; most of the time none.
        change: By how much it has changed since the last report; only a RedisRateLimiter reports.
    """

    def __init__(self) -> None:
        self.used = 0.0
        self.change = 0.0

    @property
    def tokens(self) -> float:
        """Number of tokens that are left."""
        return MOST_TOKENS - self.used

    def take(self, tokens: float) -> None:
        """Take the tokens of a retry."""
        self.change += tokens
        self.used = within_quota(self.used + tokens)

    def give_back(self, tokens: float) -> None:
        """Give tokens back after a success: what the retries of the call took, or TOKENS_PER_SUCCESS without any."""
        self.take(-(tokens or TOKENS_PER_SUCCESS))


def within_quota(used: float) -> float:
    """Return a number of used tokens, moved to the nearest one that is possible."""
    return min(max(used, 0.0), MOST_TOKENS)
