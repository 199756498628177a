"""The arguments of a call, checked against the contract before anything is sent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from .._api import UNSET, Parameter
from ..errors import InvalidArgumentError
from ..text import format_value

LIST_TYPES = (list, tuple, set, frozenset)

KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "string": ((str,), "a string"),
    "integer": ((int,), "an integer"),
    "number": ((int, float), "a number"),
    "boolean": ((bool,), "a boolean"),
    "array": (LIST_TYPES, "a list"),
    "object": ((Mapping,), "a mapping"),
    "date-time": ((datetime, str), "a datetime or ISO 8601 text"),
}


def check_argument(parameter: Parameter, value: Any) -> None:
    """Check one value against the type and the bounds that the contract states.

    Args:
        parameter: The parameter, as the contract describes it.
        value: The value; UNSET means that it is not sent. None is accepted where the parameter is nullable, and in a
            query, where it means the same.

    Raises:
        InvalidArgumentError: The value cannot be sent; the message names the parameter.
    """
    if value is UNSET or (value is None and (parameter.nullable or parameter.location == "query")):
        return
    name, kind = parameter.name, parameter.kind
    if kind:
        types, wanted = KINDS[kind]
        # For Python a bool is an int; for JSON it is not.
        if not isinstance(value, types) or (isinstance(value, bool) and kind != "boolean"):
            hint = f"; write [{format_value(value)}]" if kind == "array" and isinstance(value, str) else ""
            raise InvalidArgumentError(f"{name} must be {wanted}, not {format_value(value)}{hint}")
    if isinstance(value, datetime):
        check_timezone(name, value)
    elif isinstance(value, int | float):
        check_bounds(parameter, value)


def check_bounds(parameter: Parameter, value: float) -> None:
    """Check a number against the bounds that the contract states."""
    low, high = parameter.minimum, parameter.maximum
    if (low is None or value >= low) and (high is None or value <= high):
        return
    bounds = f"at most {high}" if low is None else f"at least {low}" if high is None else f"between {low} and {high}"
    raise InvalidArgumentError(f"{parameter.name} must be {bounds}, not {format_value(value)}")


def check_timezone(name: str, value: datetime) -> None:
    """Refuse a datetime without a timezone: no server could know which time is meant."""
    if value.tzinfo is None:
        raise InvalidArgumentError(
            f"{name} must have a timezone, unlike {value.isoformat()}; add one with datetime(..., tzinfo=UTC)"
        )
