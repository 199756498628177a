"""The Retry-After header (RFC 9110, section 10.2.3), in any form that a server may send."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

SECONDS = re.compile(r"[+-]?\d+(\.\d*)?|[+-]?\.\d+")


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """Parse the header into seconds from *now*.

    A number may have a fraction, though the RFC has none; a time in the past is 0. Returns None for a header that is
    absent or that is neither a number nor an HTTP-date in one of its three forms.
    """
    text = (value or "").strip()
    if SECONDS.fullmatch(text):
        return max(0.0, float(text))
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError, IndexError):
        return None
    if date.tzinfo is None:
        # The asctime form has no zone; HTTP-dates are in UTC.
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - now).total_seconds())


def longest_retry_after(values: Iterable[str]) -> float | None:
    """Return the longest wait in seconds that any of several headers asks for; None when none can be read."""
    now = datetime.now(UTC)
    waits = [seconds for value in values if (seconds := parse_retry_after(value, now)) is not None]
    return max(waits, default=None)
