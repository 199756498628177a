"""Formats that are validated, the same with or without optional packages of jsonschema."""

from __future__ import annotations

import re
from datetime import date
from functools import partial
from ipaddress import IPv4Address, IPv6Address
from typing import Final

from jsonschema import FormatChecker

from ..time import parse_datetime

DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
LEAP_SECOND: Final = re.compile(r"(?<=[Tt ]\d\d:\d\d):60", re.ASCII)

# Formats that a pattern describes well enough: it refuses what is no such text at all (RFC 3339, 5321, 3986, 1123).
PATTERNS: Final = {
    "duration": r"P(?!$)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)",
    "email": r"[^@\s]+@[^@\s]+",
    "hostname": r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9-]{1,63}(?<!-))*",
    "time": r"([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)",
    "uri": r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+",
    "uri-reference": r"[^\s<>\"{}|\\^`]*",
    "uuid": r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
}

FORMATS: Final = FormatChecker(formats=())


@FORMATS.checks("date", raises=ValueError)
def check_date(value: object) -> bool:
    """Check that a value, if it is text, is a date."""
    if isinstance(value, str):
        try:
            date.fromisoformat(value if DATE.fullmatch(value) else "")
        except ValueError:
            raise ValueError("not an ISO 8601 date") from None
    return True


@FORMATS.checks("date-time", raises=ValueError)
def check_date_time(value: object) -> bool:
    """Check that a value, if it is text, is a date-time with a timezone."""
    if isinstance(value, str):
        # RFC 3339 has leap seconds, and letters in any case.
        parse_datetime(LEAP_SECOND.sub(":59", value).upper())
    return True


@FORMATS.checks("ipv4", raises=ValueError)
def check_ipv4(value: object) -> bool:
    """Check that a value, if it is text, is an IPv4 address."""
    if isinstance(value, str):
        IPv4Address(value)
    return True


@FORMATS.checks("ipv6", raises=ValueError)
def check_ipv6(value: object) -> bool:
    """Check that a value, if it is text, is an IPv6 address without a zone."""
    if isinstance(value, str):
        IPv6Address(value if "%" not in value else "")
    return True


def check_pattern(pattern: str, value: object) -> bool:
    """Check that a value, if it is text, matches a pattern as a whole."""
    return not isinstance(value, str) or re.fullmatch(pattern, value, re.ASCII) is not None


for name, pattern in PATTERNS.items():
    FORMATS.checks(name)(partial(check_pattern, pattern))
