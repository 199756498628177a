"""The arguments of a call: checked against the contract, and written as text or JSON.

Arguments are written for paths, query strings, headers and bodies. No operation of today's contract has a header
parameter, or an object in a query. Both are supported, so that a new endpoint needs only its YAML;
`tests/codegen/shapes` has such operations.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple, cast
from urllib.parse import quote, urlencode
from uuid import UUID

from .._api import UNSET, Model, Parameter, to_json
from ..errors import InvalidArgumentError
from ..text import format_value, plain_text, type_name

LIST_TYPES = (list, tuple, set, frozenset)


class Kind(NamedTuple):
    """What a parameter of one kind accepts.

    Attributes:
        types: The types of its values.
        description: How a message names them.
        excluded: Types that Python counts among them, and JSON does not: a bool is an int, and a datetime is a date.
    """

    types: tuple[type, ...]
    description: str
    excluded: tuple[type, ...] = (bool,)


KINDS = {
    "string": Kind((str,), "a string"),
    "integer": Kind((int,), "an integer"),
    "number": Kind((int, float), "a number"),
    "boolean": Kind((bool,), "a boolean", ()),
    "array": Kind(LIST_TYPES, "a list"),
    "object": Kind((Mapping, Model), "a mapping or a model"),
    "date-time": Kind((datetime, str), "a datetime or ISO 8601 text"),
    "date": Kind((date, str), "a date or ISO 8601 text", (bool, datetime)),
    "duration": Kind((timedelta, str), "a timedelta or ISO 8601 text"),
    "uuid": Kind((UUID, str), "a UUID or its text"),
    "null": Kind((type(None),), "None"),
}
# Any other kind accepts all values.
ANY_KIND = Kind((object,), "any value", ())
# A body whose form is not shown must at least be a mapping or a list.
UNKNOWN_BODY = Kind((Mapping, Model, *LIST_TYPES), "a mapping or a list")


def check_argument(parameter: Parameter, value: Any) -> None:
    """Check one value against the type and the bounds that the contract states.

    Args:
        parameter: The parameter, as the contract describes it.
        value: The value. None is accepted in a path or a body if the parameter is nullable. Elsewhere None means that
            an optional argument is not sent.

    Raises:
        InvalidArgumentError: The value cannot be sent; the message names the parameter.
    """
    if value is None and accepts_none(parameter):
        return
    name = parameter.argument_name or "body"
    kind = KINDS.get(parameter.kind, ANY_KIND)
    if not parameter.kind and not parameter.name:
        kind = UNKNOWN_BODY
    if not isinstance(value, kind.types) or isinstance(value, kind.excluded):
        hint = ""
        if parameter.kind == "array" and isinstance(value, str):
            hint = "; write it in brackets"
        raise InvalidArgumentError(f"{name} must be {kind.description}, not {describe_value(parameter, value)}{hint}")
    if isinstance(value, datetime):
        check_timezone(name, value)
    elif isinstance(value, int | float):
        check_bounds(parameter, value)


def accepts_none(parameter: Parameter) -> bool:
    """Return whether None can be passed.

    Raises:
        InvalidArgumentError: None would leave out an argument that is required.
    """
    if parameter.location in ("path", "body"):
        return parameter.nullable
    if parameter.required:
        raise InvalidArgumentError(f"{parameter.argument_name} must be given, not None")
    return True


def check_bounds(parameter: Parameter, value: float) -> None:
    """Check a number against the bounds that the contract states.

    Raises:
        InvalidArgumentError: The number is out of its bounds.
    """
    low, high = parameter.minimum, parameter.maximum
    is_too_low = low is not None and not value >= low
    is_too_high = high is not None and not value <= high
    if not is_too_low and not is_too_high:
        return
    bounds = f"between {low} and {high}"
    if low is None:
        bounds = f"at most {high}"
    elif high is None:
        bounds = f"at least {low}"
    message = f"{parameter.argument_name} must be {bounds}"
    if parameter.location in ("path", "query"):
        message += f", not {format_value(value)}"
    raise InvalidArgumentError(message)


def describe_value(parameter: Parameter, value: object) -> str:
    """Return a refused value for a message: the value itself only if it cannot be a secret, else its type.

    A path has ids, which are no secrets. A query may have a signature, which is text.
    """
    if value is None or parameter.location == "path":
        return format_value(value)
    if parameter.location == "query" and not isinstance(value, str):
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


def percent_encode(name: str, text: str, safe: str = "") -> str:
    """Percent-encode a text, except the characters that RFC 3986 calls unreserved, and those in *safe*.

    Raises:
        InvalidArgumentError: UTF-8 cannot encode the text; the message has the name of the argument.
    """
    return quote(encode_utf8(text, repr(name)), safe=safe)


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
