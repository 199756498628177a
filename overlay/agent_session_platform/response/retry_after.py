"""Wait times that responses ask for: Retry-After (RFC 9110, section 10.2.3), and the hints of rate limits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

WAIT_HEADERS = (
    b"retry-after",
    b"date",
    b"ratelimit",
    b"ratelimit-policy",
    b"ratelimit-remaining",
    b"ratelimit-reset",
    b"x-ratelimit-remaining",
    b"x-ratelimit-reset",
)

SECONDS = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")

# A hundred years: more cannot be meant, and a float or a date may not hold it.
LONGEST = 100 * 365 * 86400.0

# A reset that is later is no number of seconds, but the time itself: seconds or milliseconds since 1970.
EPOCH_SECONDS = 10.0**9
EPOCH_MILLISECONDS = 10.0**12

WEEKDAY = re.compile("[A-Za-z]*")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

# The name of an item of a structured field (RFC 9651) with what follows it, and a parameter that is a whole number.
ITEM = re.compile(r'\s*("[^"]*"|[^";,\s]+)((?:"[^"]*"|[^",])*)')
PARAMETER = re.compile(r"(?:^|[;,])\s*([a-z]+)\s*=\s*([0-9]+)\s*(?=[;,]|$)")
QUOTED = re.compile(r'"[^"]*"')

Headers = Mapping[bytes, list[str]]


def seconds_to_wait(headers: Headers, now: datetime, *, hints: bool) -> float | None:
    """Return the longest wait that a response asks for; None when none can be read.

    Args:
        headers: The values of WAIT_HEADERS that came.
        now: The time here, which is used only without a Date header: the clock of the server may be another one.
        hints: Whether the headers of rate limits are read where there is no Retry-After, as after a 429.

    Returns:
        Seconds, at most LONGEST.
    """
    dates = (parse_date(value) for value in headers.get(b"date", ()))
    now = next((date for date in dates if date is not None), now)
    waits = [parse_retry_after(value, now) for value in headers.get(b"retry-after", ())]
    found = [wait for wait in waits if wait is not None]
    if not found and hints:
        found = (
            list(waits_of_policies(headers))
            or list(waits_of_resets(headers, b"ratelimit", now))
            or list(waits_of_resets(headers, b"x-ratelimit", now))
        )
        # A longer one is no hint, but nonsense.
        found = [wait for wait in found if wait < LONGEST]
    return max(found, default=None)


def parse_retry_after(value: str, now: datetime) -> float | None:
    """Parse the header into seconds from *now*; None if it is neither a number nor an HTTP-date.

    A number may have a fraction, though the RFC has none; a time in the past is 0.
    """
    text = value.strip(" \t")
    if SECONDS.fullmatch(text):
        return bounded(float(text))
    date = parse_date(text)
    return None if date is None else bounded((date - now).total_seconds())


def parse_date(text: str) -> datetime | None:
    """Parse an HTTP-date in one of its three forms; None for anything else, such as a wrong day of the week."""
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
    weekday = WEEKDAYS[date.weekday()]
    begins = WEEKDAY.match(text)
    # Python would read the digits of any script.
    if not text.isascii() or begins is None or begins[0] not in (weekday, weekday[:3]):
        return None
    # The asctime form has no zone; HTTP-dates are in UTC.
    return date.replace(tzinfo=UTC) if date.tzinfo is None else date


def bounded(seconds: float) -> float:
    """Return a number of seconds that can be slept."""
    return min(max(0.0, seconds), LONGEST)


def waits_of_policies(headers: Headers) -> Iterator[float]:
    """Yield the waits of used-up policies (draft-ietf-httpapi-ratelimit-headers).

    The field has an item for each policy, `"default";r=0;t=30`, or in older drafts `limit=10, remaining=0, reset=30`.
    Without a time the policy itself, `"default";q=10;w=60`, has the length of its window.
    """
    policies = [item for value in headers.get(b"ratelimit-policy", ()) for item in ITEM.findall(value)]
    windows = {name: parameters_of(text).get("w") for name, text in policies}
    for value in headers.get(b"ratelimit", ()):
        for name, text in ITEM.findall(value):
            parameters = parameters_of(text)
            seconds = parameters.get("t", windows.get(name))
            if parameters.get("r") == 0 and seconds is not None:
                yield bounded(seconds)
        whole = parameters_of(value)
        if whole.get("remaining") == 0 and "reset" in whole:
            yield bounded(whole["reset"])


def parameters_of(text: str) -> dict[str, float]:
    """Return the parameters in a text that are whole numbers."""
    return {name: float(number) for name, number in PARAMETER.findall(QUOTED.sub("", text))}


def waits_of_resets(headers: Headers, prefix: bytes, now: datetime) -> Iterator[float]:
    """Yield the waits of headers like X-RateLimit-Reset, unless X-RateLimit-Remaining says that there is no need."""
    if any(number > 0 for number in numbers_of(headers, prefix + b"-remaining")):
        return
    for seconds in numbers_of(headers, prefix + b"-reset"):
        if seconds >= EPOCH_MILLISECONDS:
            yield bounded(seconds / 1000 - now.timestamp())
        elif seconds >= EPOCH_SECONDS:
            yield bounded(seconds - now.timestamp())
        else:
            yield seconds


def numbers_of(headers: Headers, name: bytes) -> list[float]:
    """Return the values of a header that are numbers."""
    texts = (value.strip(" \t") for value in headers.get(name, ()))
    return [float(text) for text in texts if NUMBER.fullmatch(text)]
