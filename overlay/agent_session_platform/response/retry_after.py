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

# An item of a structured field (RFC 9651), and one of its parameters.
ITEM = re.compile(r'(?:"[^"]*"|[^",])+')
PARAMETER = re.compile(r"(?:^|[;,])[ \t]*([a-z]+)[ \t]*=[ \t]*([0-9]+)[ \t]*(?=[;,]|$)")
QUOTED = re.compile(r'"[^"]*"')


def seconds_to_wait(headers: Mapping[bytes, list[str]], now: datetime, *, hints: bool) -> float | None:
    """Return the longest wait that a response asks for; None when none can be read.

    Args:
        headers: The values of WAIT_HEADERS that came.
        now: The time here, which is used only without a Date header: the clock of the server may be another one.
        hints: Whether the headers of rate limits are read where there is no Retry-After, as after a 429.
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


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """Parse the header into seconds from *now*.

    A number may have a fraction, though the RFC has none; a time in the past is 0. Returns None for a header that is
    absent or that is neither a number nor an HTTP-date in one of its three forms.
    """
    text = (value or "").strip(" \t")
    if SECONDS.fullmatch(text):
        return bounded(float(text))
    date = parse_date(text)
    return None if date is None else bounded((date - now).total_seconds())


def parse_date(text: str) -> datetime | None:
    """Parse an HTTP-date; None for anything else."""
    if not text.isascii():
        # Python would read the digits of any script.
        return None
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
    # The asctime form has no zone; HTTP-dates are in UTC.
    return date.replace(tzinfo=UTC) if date.tzinfo is None else date


def bounded(seconds: float) -> float:
    """Return a number of seconds that can be slept."""
    return min(max(0.0, seconds), LONGEST)


def waits_of_policies(headers: Mapping[bytes, list[str]]) -> Iterator[float]:
    """Yield the waits of used-up policies (draft-ietf-httpapi-ratelimit-headers).

    The field has an item for each policy, `"default";r=0;t=30`, or in older drafts `limit=10, remaining=0, reset=30`.
    Without a time the policy itself, `"default";q=10;w=60`, has the length of its window.
    """
    windows = {
        name: parameters["w"]
        for value in headers.get(b"ratelimit-policy", ())
        for name, parameters in items(value)
        if "w" in parameters
    }
    for value in headers.get(b"ratelimit", ()):
        for name, parameters in items(value):
            seconds = parameters.get("t", windows.get(name))
            if parameters.get("r") == 0 and seconds is not None:
                yield bounded(seconds)
        whole = parameters_of(value)
        if whole.get("remaining") == 0 and "reset" in whole:
            yield bounded(whole["reset"])


def items(value: str) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the name and the parameters of each item of a list."""
    for item in ITEM.findall(value):
        named = QUOTED.match(item.strip(" \t"))
        name = named[0] if named else item.partition(";")[0].strip(" \t")
        yield name, parameters_of(item)


def parameters_of(item: str) -> dict[str, float]:
    """Return the parameters of an item that are whole numbers."""
    return {name: float(number) for name, number in PARAMETER.findall(QUOTED.sub("", item))}


def waits_of_resets(headers: Mapping[bytes, list[str]], prefix: bytes, now: datetime) -> Iterator[float]:
    """Yield the waits of headers like X-RateLimit-Reset, unless X-RateLimit-Remaining says that there is no need."""
    if any(more_than_zero(value) for value in headers.get(prefix + b"-remaining", ())):
        return
    for value in headers.get(prefix + b"-reset", ()):
        text = value.strip(" \t")
        if not NUMBER.fullmatch(text):
            continue
        seconds = float(text)
        if seconds >= EPOCH_MILLISECONDS:
            seconds = seconds / 1000 - now.timestamp()
        elif seconds >= EPOCH_SECONDS:
            seconds -= now.timestamp()
        yield bounded(seconds)


def more_than_zero(value: str) -> bool:
    """Return whether a header is a number that is not 0."""
    text = value.strip(" \t")
    return NUMBER.fullmatch(text) is not None and float(text) > 0
