"""The arguments of a call, checked against the contract before anything is sent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from .._api import UNSET, Model, Parameter
from ..errors import InvalidArgumentError
from ..text import format_value, type_name

LIST_TYPES = (list, tuple, set, frozenset)

# By the kind of a parameter, the types of its values and how a message names them.
KINDS: dict[str, tuple[tuple[type, ...], str]] = {
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
# Of a body that is not shown it is at least known that it is no bare value.
UNKNOWN_BODY = ((Mapping, Model, *LIST_TYPES), "a mapping or a list")


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
    if value is UNSET:
        return
    if value is None:
        in_path_or_body = parameter.location in ("path", "body")
        if parameter.nullable if in_path_or_body else not parameter.required:
            return
        if not in_path_or_body:
            raise InvalidArgumentError(f"{name} must be given, not None")
    types, wanted = KINDS[kind] if kind or parameter.name else UNKNOWN_BODY
    # For Python a bool is an int, and a datetime is a date; for JSON they are not.
    is_other = (isinstance(value, bool) and kind != "boolean") or (isinstance(value, datetime) and kind == "date")
    if types and (is_other or not isinstance(value, types)):
        hint = "; write it in brackets" if kind == "array" and isinstance(value, str) else ""
        raise InvalidArgumentError(f"{name} must be {wanted}, not {describe_value(parameter, value)}{hint}")
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
    given = f", not {format_value(value)}" if parameter.location in ("path", "query") else ""
    raise InvalidArgumentError(f"{parameter.argument_name} must be {bounds}{given}")


def describe_value(parameter: Parameter, value: object) -> str:
    """Return a refused value for a message: itself only where it can be no secret, else its type.

    A path has ids, and a query may have a signature, but that is text.
    """
    if parameter.location == "path" or (parameter.location == "query" and not isinstance(value, str)) or value is None:
        return format_value(value)
    return type_name(value)


def check_timezone(name: str, value: datetime) -> None:
    """Refuse a datetime without a timezone: no server could know which time is meant."""
    if value.tzinfo is None:
        raise InvalidArgumentError(f"{name} must have a timezone; add one with datetime(..., tzinfo=UTC)")


def check_number(name: str, value: float) -> None:
    """Refuse a number that cannot be written: infinity, or an integer of thousands of digits.

    Raises:
        InvalidArgumentError: It cannot be written; the message names the place.
    """
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidArgumentError(f"{name} must be a finite number, not {value}")
    try:
        str(value)
    except ValueError:
        raise InvalidArgumentError(f"{name} is an integer of more digits than Python writes") from None
