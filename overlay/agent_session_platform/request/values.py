"""Values of parameters written as text, the query string, and ids."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, cast
from urllib.parse import quote, quote_plus
from uuid import UUID

from .._api import ID_PREFIXES, UNSET, Model, Parameter, to_json
from ..errors import InvalidArgumentError
from ..text import format_value
from .arguments import LIST_TYPES, check_number, check_timezone

# Between the members of an array or an object (OpenAPI 3.1, "Style Examples"); a member's own separators are quoted.
SEPARATORS = {"comma": ",", "space": "%20", "pipe": "%7C"}

Pairs = list[tuple[str, str]]


def value_text(name: str, value: Any) -> str:
    """Write one value as text.

    Raises:
        InvalidArgumentError: It is neither text, a finite number, a boolean, a time nor a UUID.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        check_number(name, value)
        return str(value)
    if isinstance(value, datetime):
        check_timezone(name, value)
    if isinstance(value, date | timedelta | UUID):
        return str(to_json(value))
    raise InvalidArgumentError(f"{name} must be a string, a number or a boolean, not {format_value(value)}")


def write_query(values: Mapping[str, Any], styles: Mapping[str, str] = {}) -> str:  # is never changed
    """Write a query string: None is left out, and a list repeats its name unless it has another style.

    Args:
        values: The values by name.
        styles: `Parameter.style` of those that have one.

    Raises:
        InvalidArgumentError: A value cannot be written.
    """
    written: list[str] = []
    try:
        for name, value in values.items():
            if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
                raise InvalidArgumentError(f"the query has the name {format_value(name)}, which must be a string")
            if value is None or value is UNSET:
                continue
            style = styles.get(name, "")
            if style in SEPARATORS:
                joined = SEPARATORS[style].join(quote(text, safe="") for text in flat_texts(name, value))
                written.append(f"{quote_plus(name)}={joined}")
            else:
                pairs = query_pairs(name, value, style)
                written += [f"{quote_plus(key)}={quote_plus(text)}" for key, text in pairs]
    except UnicodeEncodeError:
        raise InvalidArgumentError("the query has half of a surrogate pair, which UTF-8 cannot write") from None
    return "&".join(written)


def query_pairs(name: str, value: Any, style: str) -> Pairs:
    """Return names and texts of a value whose members are pairs of their own."""
    if style == "json":
        return [(name, json_text(name, value))]
    if style and isinstance(value, Model):
        value = value.to_dict()
    if style and isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value).items()
        key = f"{name}[{{}}]" if style == "deep" else "{}"
        return [
            (key.format(member), value_text(f"{name}.{member}", each)) for member, each in members if each is not None
        ]
    if isinstance(value, LIST_TYPES):
        return [(name, value_text(name, each)) for each in cast("Iterable[Any]", value)]
    return [(name, value_text(name, value))]


def flat_texts(name: str, value: Any) -> list[str]:
    """Return the texts of an array, or names and texts of an object one after the other."""
    if isinstance(value, Model):
        value = value.to_dict()
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value).items()
        return [text for member, each in members for text in (member, value_text(f"{name}.{member}", each))]
    if isinstance(value, LIST_TYPES):
        return [value_text(name, each) for each in cast("Iterable[Any]", value)]
    return [value_text(name, value)]


def json_text(name: str, value: Any) -> str:
    """Write a value as JSON.

    Raises:
        InvalidArgumentError: JSON cannot write it.
    """
    # Imported here, because it would add to the start-up of every program.
    from .body import check_writable

    check_writable(name, value)
    return json.dumps(to_json(value), ensure_ascii=False, separators=(",", ":"))


def path_texts(name: str, value: Any) -> list[str]:
    """Return the texts of a path argument that is not text, such as a number, a UUID, a date or a list of these.

    Raises:
        InvalidArgumentError: It is of any other type.
    """
    if isinstance(value, (str, int, float, date, UUID, *LIST_TYPES)):
        return flat_texts(name, value) or [""]
    raise InvalidArgumentError(f"{name} must be a string, not {format_value(value)}")


def with_prefix(parameter: Parameter, value: str) -> str:
    """Return an id that lacks the prefix of its kind, with the prefix if the contract says that it belongs there.

    Raises:
        InvalidArgumentError: The id has the prefix of another kind.
    """
    for prefix, other in ID_PREFIXES.items():
        if value.startswith(prefix):
            wanted = f"{parameter.argument_name} must be an id that begins with {parameter.prefix!r}"
            raise InvalidArgumentError(f"{wanted}, not {format_value(value)}, which is an {other}")
    return f"{parameter.prefix}{value}" if parameter.adds_prefix and value else value
