"""Retry-After in every form (RFC 9110, section 10.2.3)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from agent_session_platform.response.retry_after import parse_retry_after
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import headers, stable

NOW = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("120", 120.0),
        (" 120 ", 120.0),
        ("1.5", 1.5),
        (".5", 0.5),
        ("-5", 0.0),
        ("9999999", 9999999.0),
        ("Fri, 20 Nov 2026 12:00:30 GMT", 30.0),
        ("Friday, 20-Nov-26 12:00:30 GMT", 30.0),
        ("Fri Nov 20 12:00:30 2026", 30.0),
        ("Fri, 20 Nov 2026 11:59:30 GMT", 0.0),
        ("Sun, 20 Dec 2026 12:00:00 GMT", 30 * 86400.0),
        (None, None),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("1e3", None),
        ("12 seconds", None),
        ("Fri, 99 Nov 2026 12:00:30 GMT", None),
    ],
)
def test_retry_after_is_parsed(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value, NOW) == seconds


@given(value=st.none() | headers | st.tuples(headers, headers).map(", ".join))
@settings(stable, max_examples=300)
def test_any_retry_after_is_seconds_or_nothing(value: str | None) -> None:
    seconds = parse_retry_after(value, NOW)
    assert seconds is None or seconds >= 0
