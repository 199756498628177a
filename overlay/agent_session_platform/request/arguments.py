"""The arguments of a call: checked against the contract, and written as text or JSON.

Arguments are written for paths, query strings, headers and bodies. No operation of today's contract has a header
parameter, or an object in a query. Both are supported, so that a new endpoint needs only its YAML;
`tests/codegen/shapes` has such operations.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, cast
from urllib.parse import quote, urlencode
from uuid import UUID

from .._api import ID_PREFIXES, UNSET, Model, Parameter, to_json
from ..errors import InvalidArgumentError
from ..paths import with_prefix
from ..text import format_value, type_name, without_secrets

LIST_TYPES = (list, tuple, set, frozenset)

# For each kind of parameter the types of its values, and how a message names them. Any other kind accepts all values.
TYPES_BY_KIND: dict[str, tuple[tuple[type, ...], str]] = {
    "string": ((str,), "a string"),
    "integer": ((int,), "an integer"),
    "number": ((int, float), "a number"),
    "boolean": ((bool,), "a boolean"),
    "array": (LIST_TYPES, "a list"),
    "object": ((Mapping, Model), "a mapping or a model"),
    "date-time": ((datetime, str), "a datetime or ISO 8601 text"),
}
ANY_TYPE = ((object,), "any value")
# A body whose form is not shown must at least be a mapping or a list.
UNKNOWN_BODY = ((Mapping, Model, *LIST_TYPES), "a mapping or a list")

# Names of the path parameters that take an id. An id has no slash; a name, such as that of a file, may have one.
ID_NAME = re.compile(r"(?i)(?:.*_)?(?:uu)?id|\w+Id")

# A server takes a path with such a segment for another path.
REFUSED_SEGMENTS = {"", ".", ".."}


def check_argument(parameter: Parameter, value: Any) -> None:
    """Check one value against the type and the bounds that the contract states.

    Args:
        parameter: The parameter, as the contract describes it.
        value: The value. In a query or a header None means that the argument is not sent.

    Raises:
        InvalidArgumentError: The value cannot be sent; the message names the parameter.
    """
    if value is None and (parameter.nullable or parameter.location in ("query", "header")):
        return
    types, wanted = TYPES_BY_KIND.get(parameter.kind, ANY_TYPE)
    if not parameter.kind and not parameter.name:
        types, wanted = UNKNOWN_BODY
    # A bool is an int for Python, but not for JSON.
    is_wrong_bool = isinstance(value, bool) and parameter.kind in ("integer", "number")
    if is_wrong_bool or not isinstance(value, types):
        # A text may be a secret.
        given = format_value(value)
        if isinstance(value, str):
            given = type_name(value)
        raise InvalidArgumentError(f"{parameter.argument_name} must be {wanted}, not {given}")
    if isinstance(value, int | float):
        check_bounds(parameter, value)


def check_bounds(parameter: Parameter, value: float) -> None:
    """Check a number against the bounds that the contract states.

    Raises:
        InvalidArgumentError: The number is out of its bounds.
    """
    low, high = parameter.minimum, parameter.maximum
    is_enough = low is None or value >= low
    if is_enough and (high is None or value <= high):
        return
    bounds = f"between {low} and {high}"
    if low is None:
        bounds = f"at most {high}"
    elif high is None:
        bounds = f"at least {low}"
    raise InvalidArgumentError(f"{parameter.argument_name} must be {bounds}, not {format_value(value)}")


def fill_path(path: str, parameter: Parameter, value: Any) -> str:
    """Write a path argument in the place of its placeholder.

    Args:
        path: The path, with the placeholder.
        parameter: The path parameter. The value of a wildcard may have several segments.
        value: The value.

    Raises:
        InvalidArgumentError: The value cannot be part of a path.
    """
    text = value_text(parameter.name, value)
    wanted, separator, segments = "an id", "", [text]
    if parameter.wildcard:
        wanted, separator, segments = "a path", "/", text.split("/")
    if not REFUSED_SEGMENTS.isdisjoint(segments) or not text.strip():
        raise InvalidArgumentError(f"{parameter.name} must be {wanted}, not {format_value(value)}")
    is_more_than_id = "/" in text or text != text.strip()
    if is_more_than_id and ID_NAME.fullmatch(parameter.name):
        refuse_address(parameter, text)
    if parameter.prefix and not text.startswith(parameter.prefix):
        text = complete_id(parameter, text)
    return path.replace(f"{{{parameter.name}}}", quote(text, safe=separator))


def refuse_address(parameter: Parameter, text: str) -> None:
    """Refuse text that has an id in it, such as an address of the resource, and name the id.

    Raises:
        InvalidArgumentError: The text is an address or a path, or has white space around it.
    """
    # The query of an address may be signed.
    address = without_secrets(text)
    segments = address.strip().strip("/").split("/")
    likely_id = segments[-1]
    for segment in segments:
        if parameter.prefix and segment.startswith(parameter.prefix):
            likely_id = segment
    raise InvalidArgumentError(
        f"{parameter.argument_name} must be an id alone, such as {format_value(likely_id)}, not {format_value(address)}"
    )


def complete_id(parameter: Parameter, text: str) -> str:
    """Return an id with its prefix; refuse an id with the prefix of another kind."""
    for prefix, kind in ID_PREFIXES.items():
        if text.startswith(prefix):
            rule = f"{parameter.name} must be an id that begins with {parameter.prefix!r}"
            raise InvalidArgumentError(f"{rule}, not {format_value(text)}, which is an {kind}")
    return with_prefix(parameter, text)


def value_text(argument: str, value: Any) -> str:
    """Write one value as text.

    Raises:
        InvalidArgumentError: The value is not text, a number, a boolean, a time or a UUID, or cannot be written; the
            message names the argument.
    """
    if isinstance(value, int | float | date | timedelta | UUID):
        return write_json(argument, value).decode().strip('"')
    if not isinstance(value, str):
        raise InvalidArgumentError(f"{argument} must be a string, a number or a boolean, not {format_value(value)}")
    # For a member of `class Ids(str, Enum)` this is its value; `str()` would return its name.
    text = str.__str__(value)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(f"{argument} cannot be written: {error}") from None
    return text


def value_texts(argument: str, value: Any) -> list[str]:
    """Write each item of a list as text, or a single value as one text."""
    if not isinstance(value, LIST_TYPES):
        return [value_text(argument, value)]
    return [value_text(argument, item) for item in cast("Iterable[Any]", value)]


def write_query(values: Mapping[str, Any]) -> str:
    """Write a query string with its question mark: None is left out, and a list repeats its name.

    Args:
        values: The values by name.

    Returns:
        The query string; empty if nothing is sent.

    Raises:
        InvalidArgumentError: A value cannot be written.
    """
    pairs: list[tuple[str, str]] = []
    for name, value in values.items():
        if value is None or value is UNSET:
            continue
        texts = value_texts(name, value)
        pairs += [(name, text) for text in texts]
    if not pairs:
        return ""
    return f"?{urlencode(pairs)}"


def write_json(argument: str, value: Any) -> bytes:
    """Write a value as JSON in UTF-8.

    Raises:
        InvalidArgumentError: The value cannot be written as JSON; the message names the argument.
    """
    try:
        text = json.dumps(value, default=to_json, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidArgumentError(f"{argument} cannot be written: {error}") from None
