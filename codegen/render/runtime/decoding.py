"""Convert JSON values to Python values; a value of an unexpected type stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from .encoding import JSON_TYPES, json_type, to_json

T = TypeVar("T")


def convert_list(value: Any, convert: Callable[[Any], Any]) -> Any:
    """Convert the members of a JSON array into a new list, and copy any other value."""
    return [convert(member) for member in value] if value.__class__ is list else to_json(value)


def convert_mapping(value: Any, convert: Callable[[Any], Any]) -> Any:
    """Convert the values of a JSON object into a new dict, and copy any other value."""
    if value.__class__ is not dict:
        return to_json(value)
    return {name: convert(member) for name, member in value.items()}


class UnexpectedTypeError(TypeError):
    """The JSON of a response is of another type than the contract states."""


def read_payload(read: Callable[[Any], T], expected: Sequence[str], payload: Any) -> T:
    """Read the payload of a response that has certain JSON types.

    Args:
        read: Reads the payload.
        expected: The JSON types, as `json_type` names them.
        payload: The JSON value.

    Raises:
        UnexpectedTypeError: The payload is of another type.
    """
    if JSON_TYPES.get(payload.__class__) not in expected:
        raise UnexpectedTypeError(f"{json_type(payload)} instead of {' or '.join(expected)}")
    return read(payload)


def decode_nothing(payload: Any) -> None:
    """Return None for a response that has no content, whatever the server has sent."""


def parse_text(parse: Callable[[str], Any], value: Any) -> Any:
    """Parse a text, or return it unchanged if that fails; copy any other value."""
    try:
        return parse(value) if value.__class__ is str else to_json(value)
    except ValueError:
        return value


# RFC 3339 allows small letters in a time.
parse_datetime = partial(parse_text, lambda text: datetime.fromisoformat(text.upper()))
parse_date = partial(parse_text, date.fromisoformat)
parse_uuid = partial(parse_text, UUID)


def decode_text(payload: Any) -> str:
    """Return the text of a response that is not JSON."""
    return str(payload)


def has_more(flag: Any, cursor: Any) -> bool:
    """Return whether a list has another page.

    Args:
        flag: What the page says; None if it says nothing.
        cursor: Its cursor. The last page has none.
    """
    if flag is None:
        return cursor not in (None, "")
    return bool(flag)
