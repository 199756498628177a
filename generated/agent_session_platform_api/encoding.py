# Copied from codegen/render/runtime/ by codegen/render/generate.py: change that folder, not this file.
"""Write Python values as JSON values; UNSET stands for a value that is not written."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Any, Final, Literal, TypeAlias
from uuid import UUID


class _Sentinel(Enum):
    UNSET = "UNSET"

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = _Sentinel.UNSET
"""The default of arguments for which None means a JSON null."""

Unset: TypeAlias = Literal[_Sentinel.UNSET]
"""The type of UNSET."""


class JsonView:
    """A view of a decoded JSON value; the base of all models."""

    __slots__ = ("_data",)

    _data: Any  # usually a dict, with values of any type


class NotAnObject(dict[str, Any]):
    """The data of a view whose JSON value is not an object: it has no members, and keeps the value."""

    # A page may have millions of such items.
    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


# The setter of the slot bypasses the `__setattr__` of the models, and is the fastest way.
set_data: Final[Callable[[JsonView, Any], None]] = JsonView.__dict__["_data"].__set__


def json_of(view: JsonView) -> Any:
    """Return the JSON value of *view* without copying it."""
    data = view._data  # pyright: ignore[reportPrivateUsage]  # its own module
    return data.value if data.__class__ is NotAnObject else data


def to_json(value: Any) -> Any:
    """Return *value* as plain JSON types, for instance for `json.dumps(models, default=to_json)`.

    Mappings and sequences are copied, scalars are kept. A model becomes exactly what the server sent, even if that is
    not an object. A datetime, date or timedelta becomes ISO 8601 text, and a UUID becomes text.

    Raises:
        TypeError: JSON has no such value; or a datetime has no timezone, and no server could know which time is meant.
    """
    if isinstance(value, (str, int, float)) or value is None:
        return value
    if isinstance(value, JsonView):
        return to_json(json_of(value))
    if hasattr(value, "keys"):
        return {name: to_json(value[name]) for name in value}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [to_json(member) for member in value]  # pyright: ignore[reportUnknownVariableType]  # any JSON
    if isinstance(value, date):
        if isinstance(value, datetime) and value.tzinfo is None:
            raise TypeError("a datetime must have a timezone; add one with datetime(..., tzinfo=UTC)")
        return value.isoformat()
    if isinstance(value, timedelta):
        return format_duration(value)
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"a value of type {type(value).__name__} cannot be written as JSON")


def format_duration(value: timedelta) -> str:
    """Write a duration in ISO 8601, in seconds: `PT5400S`."""
    seconds = f"{abs(value).total_seconds():.6f}".rstrip("0").rstrip(".")
    return f"{'-' if value.days < 0 else ''}PT{seconds}S"


def hashable(value: Any) -> object:
    """Return a JSON value as immutable types; two results are equal if the JSON values are."""
    if value.__class__ is dict:
        return frozenset((name, hashable(member)) for name, member in value.items())
    if value.__class__ is list:
        return tuple(hashable(member) for member in value)
    return value


def json_type(value: object) -> str:
    """Name the JSON type of *value* for a message."""
    return JSON_TYPES.get(type(value), type(value).__name__)


JSON_TYPES: Final[dict[type[Any], str]] = {
    dict: "an object",
    list: "an array",
    str: "text",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    type(None): "null",
}
