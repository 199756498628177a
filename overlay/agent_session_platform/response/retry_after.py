"""The wait that a response asks for: Retry-After, or RateLimit after a 429."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

# A parameter with a whole number, in an item of a structured field (RFC 9651).
PARAMETER = re.compile(r";\s*([a-z]+)=([0-9]+)")

# A hundred years. A longer wait is an error of the server, and may be too long to add to a date.
MAX_WAIT = 100 * 365 * 86400.0


def seconds_to_wait(headers: Mapping[str, Sequence[str]], now: datetime, *, reads_rate_limit: bool) -> float | None:
    """Return the longest wait that a response asks for (Retry-After: RFC 9110, section 10.2.3).

    Args:
        headers: The values of each header by lower-case name.
        now: The local time, used only if there is no Date header, because the clock of the server may differ.
        reads_rate_limit: Whether to read RateLimit if there is no Retry-After; True after a 429.

    Returns:
        Seconds, from 0 to MAX_WAIT; None if no wait can be read.
    """
    for value in headers.get("date", ())[:1]:
        now = parse_date(value) or now
    waits: list[float] = []
    for value in map(str.strip, headers.get("retry-after", ())):
        date = parse_date(value)
        if NUMBER.fullmatch(value):
            waits.append(float(value))
        elif date is not None:
            waits.append((date - now).total_seconds())
    if not waits and reads_rate_limit:
        waits = read_rate_limits(headers.get("ratelimit", ()))
    if not waits:
        return None
    return min(max(0.0, *waits), MAX_WAIT)


def parse_date(text: str) -> datetime | None:
    """Parse an HTTP-date in one of its three forms; return None for any other text, such as a wrong day of the week."""
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
    if not text.startswith(WEEKDAYS[date.weekday()]):
        return None
    if date.tzinfo is None:
        # The asctime form has no zone; HTTP-dates are in UTC.
        return date.replace(tzinfo=UTC)
    return date


def read_rate_limits(values: Sequence[str]) -> list[float]:
    """Return the waits of the rate limits that are used up, as in `"default";r=0;t=30`.

    Args:
        values: The values of RateLimit, as draft-ietf-httpapi-ratelimit-headers has it since its version 8. The form of
            earlier versions, such as `limit=100, remaining=0, reset=30`, is not read, and no header RateLimit-Reset.
    """
    waits: list[float] = []
    for item in ",".join(values).split(","):
        limit = dict(PARAMETER.findall(item))
        if limit.get("r") == "0" and "t" in limit:
            waits.append(float(limit["t"]))
    return waits
