"""Formats that are validated, the same with or without optional packages of jsonschema."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Final

from jsonschema import FormatChecker

DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
# RFC 3339.
DATE_TIME: Final = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
UUID: Final = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")

FORMATS: Final = FormatChecker(formats=())


@FORMATS.checks("date", raises=ValueError)
def is_date(value: object) -> bool:
    """Return whether a value is no text, or a date."""
    return not isinstance(value, str) or (DATE.fullmatch(value) is not None and bool(date.fromisoformat(value)))


@FORMATS.checks("date-time", raises=ValueError)
def is_date_time(value: object) -> bool:
    """Return whether a value is no text, or a date-time."""
    if not isinstance(value, str):
        return True
    match = DATE_TIME.fullmatch(value)
    # A minute may end with a leap second.
    return match is not None and bool(datetime.fromisoformat(f"{match[1]}T{match[2].replace(':60', ':59')}"))


@FORMATS.checks("uuid")
def is_uuid(value: object) -> bool:
    """Return whether a value is no text, or a UUID."""
    return not isinstance(value, str) or UUID.fullmatch(value) is not None
