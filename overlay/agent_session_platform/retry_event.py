"""One retry, as the program hears of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from ._api import Operation
    from .errors import AgentPlatformError


@attrs.frozen
class RetryEvent:
    """One retry, as `RetryPolicy.on_retry` gets it.

    Attributes:
        operation: The operation of the call.
        attempt: Number of the attempt that failed, from 1.
        error: The error of that attempt.
        delay: Seconds until the next attempt.
    """

    operation: Operation
    attempt: int
    error: AgentPlatformError
    delay: float
