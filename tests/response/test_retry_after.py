"""Retry-After in every form (RFC 9110, section 10.2.3)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from agent_session_platform.response.retry_after import MAX_WAIT, seconds_to_wait
from hypothesis import given, settings, strategies as st

from tests.strategies import headers, stable

NOW = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)

# The Date header of a server whose clock is an hour ahead.
THERE = "Fri, 20 Nov 2026 13:00:00 GMT"
LATER = "Retry-After: Fri, 20 Nov 2026 13:00:30 GMT"


def wait(*fields: str, reads_rate_limit: bool = True) -> float | None:
    headers: dict[str, list[str]] = {}
    for field in fields:
        name, _, value = field.partition(": ")
        headers.setdefault(name.lower(), []).append(value)
    return seconds_to_wait(headers, NOW, reads_rate_limit=reads_rate_limit)


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [
        (("Retry-After: 0",), 0.0),
        (("Retry-After:  120 ",), 120.0),
        (("Retry-After: \x1c5",), 5.0),
        (("Retry-After: 1.5",), 1.5),
        (("Retry-After: Fri, 20 Nov 2026 12:00:30 GMT",), 30.0),
        (("Retry-After: Friday, 20-Nov-26 12:00:30 GMT",), 30.0),
        (("Retry-After: Fri Nov 20 12:00:30 2026",), 30.0),
        (("Retry-After: Fri, 20 Nov 2026 11:59:30 GMT",), 0.0),
        (("Retry-After: ",), None),
        (("Retry-After: 1e3",), None),
        (("Retry-After: .",), None),
        (("Retry-After: 1_000",), None),
        (("Retry-After: \u0661\u0662",), None),
        (("Retry-After: \u00b2",), None),
        ((f"Retry-After: {'9' * 5000}",), MAX_WAIT),
        (("Retry-After: Sat, 20 Nov 9999 12:00:30 GMT",), MAX_WAIT),
        (("Retry-After: Fri, 99 Nov 2026 12:00:30 GMT",), None),
        (("Retry-After: Sat, 20 Nov 2026 12:00:30 GMT",), None),
        (("Retry-After: Sunday, 20-Nov-26 12:00:30 GMT",), None),
        (("Retry-After: 20 Nov 2026 12:00:30 GMT",), None),
        # Several headers are read together.
        (("Retry-After: 3", "Retry-After: soon", "Retry-After: 7"), 7.0),
        # A date is compared with that of the response.
        ((f"Date: {THERE}", LATER), 30.0),
        (("Date: Fri, 20 Nov 2026 11:00:00 GMT", LATER), 7230.0),
        (("Date: Friday, 20-Nov-26 13:00:10 GMT", LATER), 20.0),
        (("Date: Fri, 20 Nov 2026 14:00:10 +0100", LATER), 20.0),
        (("Date: Thu, 20 Nov 2026 13:00:10 GMT", LATER), 3630.0),
        (("X: y", LATER), 3630.0),
        (('RateLimit: "default";r=0;t=30',), 30.0),
        (('RateLimit: "default";r=0; t=30 , "day";r=0;t=3600',), 3600.0),
        (('RateLimit: "a";r=0;t=5', 'RateLimit: "b";r=0;t=9'), 9.0),
        (("RateLimit: default;r=0;t=30",), 30.0),
        (('RateLimit: "default";r=1;t=30',), None),
        (('RateLimit: "default";t=30',), None),
        (('RateLimit: "default";r=5', 'RateLimit-Policy: "default";q=100;w=60'), None),
        (('RateLimit: "default";r=0;t=soon',), None),
        (("RateLimit: limit=100, remaining=1, reset=50",), None),
        (('RateLimit: """;;;,,==',), None),
        (("RateLimit-Reset: 30", "X-RateLimit-Reset: 30"), None),
        (("Retry-After: 1", 'RateLimit: "a";r=0;t=5'), 1.0),
        (("Retry-After: 0", 'RateLimit: "a";r=0;t=5'), 0.0),
        (("Retry-After: soon", 'RateLimit: "a";r=0;t=5'), 5.0),
    ],
)
def test_retry_after_and_reads_rate_limit_are_parsed(fields: tuple[str, ...], seconds: float | None) -> None:
    assert wait(*fields) == seconds


def test_rate_limit_is_read_only_where_it_means_a_wait() -> None:
    assert wait('RateLimit: "a";r=0;t=5', reads_rate_limit=False) is None


NAMES = ["retry-after", "date", "ratelimit"]
values = headers | st.tuples(headers, headers).map(", ".join) | st.from_regex(r'"a";r=0;t=[0-9]{1,400}', fullmatch=True)


@given(fields=st.dictionaries(st.sampled_from(NAMES), st.lists(values)))
@settings(stable)
def test_any_headers_are_seconds_or_nothing(fields: dict[str, list[str]]) -> None:
    seconds = seconds_to_wait(fields, NOW, reads_rate_limit=True)
    assert seconds is None or 0 <= seconds <= MAX_WAIT
