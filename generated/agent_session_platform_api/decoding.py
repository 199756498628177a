# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""Read JSON values as Python values; a value of an unexpected type is kept."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from .encoding import json_type, to_json

T = TypeVar("T")


def convert_list(value: Any, convert: Callable[[Any], Any]) -> Any:
    """Convert the members of a JSON array into a new list, and copy any other value."""
    return [convert(member) for member in value] if value.__class__ is list else to_json(value)


def convert_mapping(value: Any, convert: Callable[[Any], Any]) -> Any:
    """Convert the values of a JSON object into a new dict, and copy any other value."""
    if value.__class__ is not dict:
        return to_json(value)
    return {name: convert(member) for name, member in value.items()}


def whole(read: Callable[[Any], T], *expected: str) -> Callable[[Any], T]:
    """Return a function that reads a whole response.

    Args:
        read: Reads a value of an expected type.
        expected: The JSON types, as `json_type` names them; the function raises a TypeError for any other.
    """

    def decode(payload: Any) -> T:
        if json_type(payload) not in expected:
            raise TypeError(f"{json_type(payload)} where {' or '.join(expected)} should have come")
        return read(payload)

    return decode


def decode_nothing(payload: Any) -> None:
    """Return None for a response that has no content, whatever came."""


def parse_text(parse: Callable[[str], Any], value: Any) -> Any:
    """Parse a text; return it as it is if that fails, and copy any other value."""
    if value.__class__ is not str:
        return to_json(value)
    try:
        return parse(value)
    except ValueError:
        return value


# Of RFC 3339, which allows small letters. Any other value is returned unchanged.
parse_datetime = partial(parse_text, lambda text: datetime.fromisoformat(text.upper()))
parse_date = partial(parse_text, date.fromisoformat)
parse_uuid = partial(parse_text, UUID)


def decode_text(payload: Any) -> str:
    """Return the text of a response that is not JSON."""
    return str(payload)
