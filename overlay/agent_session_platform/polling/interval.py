"""Choose when to poll next: often after a change, less often without one, and once more before the deadline."""

from __future__ import annotations

import random
from collections.abc import Callable

import attrs

from ..errors import InvalidArgumentError
from ..validators import seconds

GROWTH = 1.5
# The longest interval without `max_every`, as a multiple of `every`.
SLOWEST = 6.0
# Waits that began together must not poll together.
JITTER = 0.1
# The last poll begins this long before the deadline, or twice as long as a poll takes; at most this share of the wait.
LAST_POLL_SECONDS = 0.1
LAST_POLL_SHARE = 0.1


@attrs.frozen(kw_only=True)
class Interval:
    """The seconds between two polls.

    Attributes:
        every: Seconds between two polls in the beginning, and after a change.
        max_every: Seconds between two polls at most, at least `every`; None: six times `every`.

    Raises:
        InvalidArgumentError: A value is not a positive and finite number, or `max_every` is less than `every`.
    """

    every: float = attrs.field(validator=seconds(positive=True, finite=True))
    max_every: float | None = attrs.field(
        default=None, validator=attrs.validators.optional(seconds(positive=True, finite=True))
    )

    def __attrs_post_init__(self) -> None:
        if self.max_every is not None and self.max_every < self.every:
            raise InvalidArgumentError(f"max_every must be at least every={self.every:g}, not {self.max_every:g}")

    def longer(self, interval: float) -> float:
        """Return the interval after a poll without a change."""
        longest = SLOWEST * self.every if self.max_every is None else self.max_every
        return min(GROWTH * interval, longest)


@attrs.frozen(kw_only=True)
class WaitTimes(Interval):
    """The seconds between the polls of a wait, and for all of it.

    Attributes:
        timeout: Seconds for the whole wait.
        stalled_after: Seconds without any change that end the wait; None: never.

    Raises:
        InvalidArgumentError: A value is not a positive and finite number, or `max_every` is less than `every`.
    """

    timeout: float = attrs.field(validator=seconds(positive=True, finite=True))
    stalled_after: float | None = attrs.field(validator=attrs.validators.optional(seconds(positive=True, finite=True)))

    def last_poll(self, deadline: float, took: float) -> float:
        """Return when the last poll begins, so that it ends before the deadline.

        Args:
            deadline: When the wait ends.
            took: Seconds that the latest poll took.
        """
        return deadline - min(max(LAST_POLL_SECONDS, 2.0 * took), LAST_POLL_SHARE * self.timeout)


@attrs.frozen(kw_only=True)
class FollowTimes(Interval):
    """The seconds between the polls of a follower, and until it gives up.

    Attributes:
        give_up_after: Seconds of failing polls after which the latest error is raised, at least 0.
    """

    give_up_after: float = attrs.field(validator=seconds(positive=False))


def jittered(interval: float, uniform: Callable[[float, float], float] = random.uniform) -> float:
    """Return an interval, a little shorter or longer at random."""
    return interval * uniform(1.0 - JITTER, 1.0 + JITTER)
