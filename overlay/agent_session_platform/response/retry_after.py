"""The Retry-After header (RFC 9110, section 10.2.3), in any form that a server may send."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

SECONDS = re.compile(r"[+-]?\d+(\.\d*)?|[+-]?\.\d+")


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """Read the header as seconds from *now*: a number, or an HTTP-date in one of its three forms.

    Fractions are read too, though the RFC has none. What lies in the past is 0. Returns None for a header that is
    absent or cannot be read.
    """
    text = (value or "").strip()
    if SECONDS.fullmatch(text):
        return max(0.0, float(text))
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError, IndexError):
        return None
    if moment.tzinfo is None:
        # The asctime form has no zone; HTTP-dates are in UTC.
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def longest(values: list[str]) -> str | None:
    """Of several Retry-After headers the one that asks for the longest wait; None when there is none."""
    now = datetime.now(UTC)
    return max(values, key=lambda value: parse_retry_after(value, now) or 0.0, default=None)
