"""Formats that are validated, the same with or without optional packages of jsonschema."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from jsonschema import FormatChecker

from ..time import parse_datetime

DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
LEAP_SECOND: Final = re.compile(r"(?<=[Tt ]\d\d:\d\d):60", re.ASCII)
UUID: Final = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")

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


@FORMATS.checks("uuid", raises=ValueError)
def check_uuid(value: object) -> bool:
    """Check that a value, if it is text, is a UUID with hyphens."""
    if isinstance(value, str) and not UUID.fullmatch(value):
        raise ValueError("not a UUID")
    return True
