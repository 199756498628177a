"""Values written as text or JSON, in paths, query strings, headers and bodies."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, cast
from urllib.parse import quote
from uuid import UUID

from .._api import UNSET, Model, to_json
from ..errors import InvalidArgumentError
from ..text import format_value, type_name
from .arguments import LIST_TYPES, check_number, check_timezone

# Between the members of an array or an object (OpenAPI 3.1, "Style Examples"); a member's own separators are quoted.
SEPARATORS = {"comma": ",", "space": "%20", "pipe": "%7C"}

# json.dumps raises RecursionError for a value that is nested much deeper.
MAX_DEPTH = 200


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


def quoted(name: str, text: str) -> str:
    """Percent-encode a text, all but what RFC 3986 calls unreserved.

    Raises:
        InvalidArgumentError: UTF-8 cannot write it; the message has the name of the argument.
    """
    try:
        return quote(text, safe="")
    except UnicodeEncodeError:
        raise InvalidArgumentError(f"{name!r} has half of a surrogate pair, which UTF-8 cannot write") from None


def write_query(values: Mapping[str, Any], styles: Mapping[str, str] = {}) -> str:  # is never changed
    """Write a query string: None is left out, and a list repeats its name unless it has another style.

    Args:
        values: The values by name.
        styles: `Parameter.style` of those that have one.

    Raises:
        InvalidArgumentError: A value cannot be written.
    """
    written: list[str] = []
    for name, value in values.items():
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"the query has the name {format_value(name)}, which must be a string")
        style = styles.get(name, "")
        if value is None or value is UNSET:
            continue
        if style in SEPARATORS:
            joined = SEPARATORS[style].join(quoted(name, text) for text in flat_texts(name, value))
            written.append(f"{quoted(name, name)}={joined}")
        else:
            pairs = query_pairs(name, value, style)
            # As forms write it; a space in the styles above is a separator.
            written += [f"{quoted(name, key)}={quoted(name, text)}".replace("%20", "+") for key, text in pairs]
    return "&".join(written)


def query_pairs(name: str, value: Any, style: str) -> list[tuple[str, str]]:
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
    texts = flat_texts(name, value) if isinstance(value, LIST_TYPES) else [value_text(name, value)]
    return [(name, text) for text in texts]


def json_text(name: str, value: Any) -> str:
    """Write a value as JSON.

    Raises:
        InvalidArgumentError: JSON cannot write it.
    """
    check_writable(name, value)
    return json.dumps(to_json(value), ensure_ascii=False, separators=(",", ":"))


def check_writable(place: str, value: Any, depth: int = 0) -> None:
    """Refuse a value that JSON cannot write.

    Args:
        place: The place of the value in the body, for the message.
        value: The value.
        depth: How deep the value is nested in the body.

    Raises:
        InvalidArgumentError: The value, or one inside it, cannot be written.
    """
    if depth > MAX_DEPTH:
        raise InvalidArgumentError(f"the body is nested too deeply (in {place.partition('.')[0].partition('[')[0]})")
    if isinstance(value, Model):
        value = to_json(value)
    if isinstance(value, int | float):
        check_number(place, value)
    elif isinstance(value, datetime):
        check_timezone(place, value)
    elif isinstance(value, Mapping):
        for name, member in cast("Mapping[Any, Any]", value).items():  # type: ignore[redundant-cast]  # not for pyright
            if not isinstance(name, str):
                raise InvalidArgumentError(f"{place} has a key of type {type_name(name)}; those of JSON are text")
            check_writable(f"{place}.{name}", member, depth + 1)
    elif isinstance(value, LIST_TYPES):
        for index, member in enumerate(cast("Iterable[Any]", value)):
            check_writable(f"{place}[{index}]", member, depth + 1)
    elif not (value is None or isinstance(value, str | date | timedelta | UUID)):
        raise InvalidArgumentError(f"the body cannot be written as JSON: {place} is of type {type_name(value)}")
