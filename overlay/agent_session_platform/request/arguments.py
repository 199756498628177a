"""The arguments of a call, checked against the contract before anything is sent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from .._api import UNSET, Model, Parameter
from ..errors import InvalidArgumentError
from ..text import format_value

LIST_TYPES = (list, tuple, set, frozenset)

KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "body": ((Mapping, Model, *LIST_TYPES), "a mapping or a list"),
    "": ((), ""),
    "any": ((), ""),
    "string": ((str,), "a string"),
    "integer": ((int,), "an integer"),
    "number": ((int, float), "a number"),
    "boolean": ((bool,), "a boolean"),
    "array": (LIST_TYPES, "a list"),
    "object": ((Mapping, Model), "a mapping or a model"),
    "date-time": ((datetime, str), "a datetime or ISO 8601 text"),
    "date": ((date, str), "a date or ISO 8601 text"),
    "duration": ((timedelta, str), "a timedelta or ISO 8601 text"),
    "uuid": ((UUID, str), "a UUID or its text"),
    "null": ((type(None),), "None"),
}


def check_argument(parameter: Parameter, value: Any) -> None:
    """Check one value against the type and the bounds that the contract states.

    Args:
        parameter: The parameter, as the contract describes it.
        value: The value; UNSET means that it is not sent. None is accepted where the parameter is nullable, and
            outside of path and body, where it means that an optional argument is not sent.

    Raises:
        InvalidArgumentError: The value cannot be sent; the message names the parameter.
    """
    name, kind = parameter.argument_name or "body", parameter.kind
    if value is UNSET or (value is None and parameter.nullable and parameter.location in ("path", "body")):
        return
    if value is None and parameter.location not in ("path", "body"):
        if parameter.required:
            raise InvalidArgumentError(f"{name} must be given, not None")
        return
    # Of a body that is not shown it is at least known that it is no bare value.
    types, wanted = (
        KINDS[kind] if kind or parameter.name else ((*KINDS["object"][0], *LIST_TYPES), "a mapping or a list")
    )
    # For Python a bool is an int, and a datetime is a date; for JSON they are not.
    is_other = (isinstance(value, bool) and kind != "boolean") or (isinstance(value, datetime) and kind == "date")
    if types and (is_other or not isinstance(value, types)):
        hint = f"; write [{format_value(value)}]" if kind == "array" and isinstance(value, str) else ""
        raise InvalidArgumentError(f"{name} must be {wanted}, not {format_value(value)}{hint}")
    if isinstance(value, datetime):
        check_timezone(name, value)
    elif isinstance(value, int | float):
        check_bounds(parameter, value)


def check_bounds(parameter: Parameter, value: float) -> None:
    """Check a number against the bounds that the contract states.

    Raises:
        InvalidArgumentError: It is out of its bounds.
    """
    low, high = parameter.minimum, parameter.maximum
    if (low is None or value >= low) and (high is None or value <= high):
        return
    bounds = f"at most {high}" if low is None else f"at least {low}" if high is None else f"between {low} and {high}"
    raise InvalidArgumentError(f"{parameter.argument_name} must be {bounds}, not {format_value(value)}")


def check_timezone(name: str, value: datetime) -> None:
    """Refuse a datetime without a timezone: no server could know which time is meant."""
    if value.tzinfo is None:
        raise InvalidArgumentError(
            f"{name} must have a timezone, unlike {value.isoformat()}; add one with datetime(..., tzinfo=UTC)"
        )
