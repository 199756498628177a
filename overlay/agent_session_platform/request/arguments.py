"""The arguments of a call: checked against the contract, and written as text or JSON.

Arguments are written for paths, query strings, headers and bodies. No operation of today's contract has a header
parameter, or an object in a query. Both are supported, so that a new endpoint needs only its YAML;
`tests/codegen/shapes` has such operations.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, cast
from urllib.parse import quote, urlencode
from uuid import UUID

from .._api import UNSET, Model, Parameter, to_json
from ..errors import InvalidArgumentError
from ..text import format_value, plain_text, type_name

LIST_TYPES = (list, tuple, set, frozenset)

# For each kind of parameter: the types of its values, and how a message names them. Any other kind accepts all values.
TYPES_BY_KIND: dict[str, tuple[tuple[type, ...], str]] = {
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
# A body whose form is not shown must at least be a mapping or a list.
UNKNOWN_BODY = ((Mapping, Model, *LIST_TYPES), "a mapping or a list")


def check_argument(parameter: Parameter, value: Any) -> None:
    """Check one value against the type and the bounds that the contract states.

    Args:
        parameter: The parameter, as the contract describes it.
        value: The value. None is accepted in a path or a body if the parameter is nullable. Elsewhere None means that
            an optional argument is not sent.

    Raises:
        InvalidArgumentError: The value cannot be sent; the message names the parameter.
    """
    name, kind = parameter.argument_name or "body", parameter.kind
    if value is None:
        in_path_or_body = parameter.location in ("path", "body")
        if parameter.nullable if in_path_or_body else not parameter.required:
            return
        if not in_path_or_body:
            raise InvalidArgumentError(f"{name} must be given, not None")
    types, description = TYPES_BY_KIND.get(kind, ((), "")) if kind or parameter.name else UNKNOWN_BODY
    # For Python a bool is an int, and a datetime is a date; for JSON they are not.
    is_other = (isinstance(value, bool) and kind != "boolean") or (isinstance(value, datetime) and kind == "date")
    if types and (is_other or not isinstance(value, types)):
        hint = "; write it in brackets" if kind == "array" and isinstance(value, str) else ""
        raise InvalidArgumentError(f"{name} must be {description}, not {describe_value(parameter, value)}{hint}")
    if isinstance(value, datetime):
        check_timezone(name, value)
    elif isinstance(value, int | float):
        check_bounds(parameter, value)


def check_bounds(parameter: Parameter, value: float) -> None:
    """Check a number against the bounds that the contract states.

    Raises:
        InvalidArgumentError: The number is out of its bounds.
    """
    low, high = parameter.minimum, parameter.maximum
    if (low is None or value >= low) and (high is None or value <= high):
        return
    bounds = f"at most {high}" if low is None else f"at least {low}" if high is None else f"between {low} and {high}"
    but_is = f", not {format_value(value)}" if parameter.location in ("path", "query") else ""
    raise InvalidArgumentError(f"{parameter.argument_name} must be {bounds}{but_is}")


def describe_value(parameter: Parameter, value: object) -> str:
    """Return a refused value for a message: the value itself only if it cannot be a secret, else its type.

    A path has ids, which are no secrets. A query may have a signature, which is text.
    """
    if parameter.location == "path" or (parameter.location == "query" and not isinstance(value, str)) or value is None:
        return format_value(value)
    return type_name(value)


def check_timezone(name: str, value: datetime) -> None:
    """Refuse a datetime without a timezone: no server could know which time is meant."""
    if value.tzinfo is None:
        raise InvalidArgumentError(f"{name} must have a timezone; add one with datetime(..., tzinfo=UTC)")


def value_text(name: str, value: Any) -> str:
    """Write one value as text.

    Raises:
        InvalidArgumentError: The value is not text, a finite number, a boolean, a time or a UUID.
    """
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, int | float):
        return json_text(name, value)
    if isinstance(value, datetime):
        check_timezone(name, value)
    if isinstance(value, date | timedelta | UUID):
        return str(to_json(value))
    raise InvalidArgumentError(f"{name} must be a string, a number or a boolean, not {format_value(value)}")


def value_texts(name: str, value: Any) -> list[str]:
    """Write each item of a list as text, or a single value as one text.

    Raises:
        InvalidArgumentError: The value cannot be written; the message has *name*.
    """
    if not isinstance(value, LIST_TYPES):
        return [value_text(name, value)]
    return [value_text(name, item) for item in cast("Iterable[Any]", value)]


def percent_encode(name: str, text: str) -> str:
    """Percent-encode a text, except the characters that RFC 3986 calls unreserved.

    Raises:
        InvalidArgumentError: UTF-8 cannot encode the text; the message has the name of the argument.
    """
    return quote(encode_utf8(text, repr(name)), safe="")


def encode_utf8(text: str, name: str) -> bytes:
    """Write a text as UTF-8.

    Raises:
        InvalidArgumentError: UTF-8 cannot encode the text; the message has *name*.
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # names of a mapping of the caller
        raise InvalidArgumentError(f"{name} must be a string")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise InvalidArgumentError(f"{name} has half of a surrogate pair, which UTF-8 cannot write") from None


def write_query(values: Mapping[str, Any]) -> str:
    """Write a query string: None is left out, and a list repeats its name.

    Args:
        values: The values by name.

    Raises:
        InvalidArgumentError: A value cannot be written.
    """
    pairs: list[tuple[bytes, bytes]] = []
    for name, value in values.items():
        if value is None or value is UNSET:
            continue
        written_name = encode_utf8(name, repr(name))
        texts = value_texts(name, value)
        pairs += [(written_name, encode_utf8(text, repr(name))) for text in texts]
    return urlencode(pairs)


def json_text(name: str, value: Any) -> str:
    """Write a value as JSON.

    Raises:
        InvalidArgumentError: The value cannot be written as JSON; the message has *name*.
    """
    try:
        return json.dumps(to_json(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidArgumentError(f"{name} cannot be written: {error}") from None
