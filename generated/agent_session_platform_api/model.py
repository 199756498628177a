# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The base class of all models: a read-only view of one decoded JSON object.

A model holds the decoded object and nothing else. Reading an attribute looks up the wire name, so decoding a page is
cheap and lossless: unknown fields, unknown values and values of an unexpected type are kept, and `to_dict()` returns
them all.
"""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Self


class _Sentinel(Enum):
    UNSET = "UNSET"

    def __repr__(self) -> str:
        return "UNSET"

    def __bool__(self) -> Literal[False]:
        return False


UNSET: Final = _Sentinel.UNSET
"""The default of arguments for which None means a JSON null."""

Unset: TypeAlias = Literal[_Sentinel.UNSET]


class Model:
    """A read-only view of one JSON object, with an attribute for each field that the contract knows.

    An attribute is None if the field is absent or null, the contract's default if it states one and the field is
    absent, and the JSON value itself if that has an unexpected type. Models with equal class and content are equal.
    """

    __slots__ = ("_data",)

    _data: Any  # a dict with values of any type
    _fields: ClassVar[tuple[str, ...]] = ()

    def __init__(self, **fields: Any) -> None:
        data: dict[str, Any] = {}
        for argument, value in fields.items():
            # A wire name that is a Python keyword has an underscore appended.
            name = argument if argument in self._fields else argument.removesuffix("_")
            if name not in self._fields:
                known = ", ".join(self._fields)
                raise TypeError(
                    f"{type(self).__name__} has no field {argument!r} (it has {known}); "
                    f"use {type(self).__name__}.from_dict() for fields that the contract does not know"
                )
            if value is not UNSET:
                data[name] = to_json(value)
        _set_data(self, data)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Make a model from a copy of *data*; unknown fields are kept.

        Raises:
            TypeError: It is not a mapping.
        """
        if not hasattr(data, "keys"):
            raise TypeError(f"{cls.__name__} is made of a JSON object, not of {type(data).__name__}")
        model = cls.__new__(cls)
        _set_data(model, to_json(data))
        return model

    @classmethod
    def view(cls, value: Any) -> Any:
        """Return a view of a JSON object, which is neither copied nor checked, or a copy of any other value."""
        if value.__class__ is not dict:
            return to_json(value)
        model = cls.__new__(cls)
        _set_data(model, value)
        return model

    @classmethod
    def decode(cls, payload: Any) -> Self:
        """Return a view of a whole response.

        Raises:
            TypeError: It is not a JSON object.
        """
        if payload.__class__ is not dict:
            raise TypeError(f"{json_type(payload)} where a JSON object ({cls.__name__}) should have come")
        model = cls.__new__(cls)
        _set_data(model, payload)
        return model

    def to_dict(self) -> dict[str, Any]:
        """Return exactly what the server sent, as a copy that may be changed."""
        copy: dict[str, Any] = to_json(self._data)
        return copy

    @property
    def unknown_fields(self) -> dict[str, Any]:
        """The fields that the contract does not know, as a copy."""
        return {name: to_json(value) for name, value in self._data.items() if name not in self._fields}

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only: {name} cannot be set; make a new one from to_dict()")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model) or other.__class__ is not self.__class__:
            return NotImplemented
        return bool(self._data == other._data)

    def __hash__(self) -> int:
        return hash((type(self).__name__, _hashable(self._data)))

    def __repr__(self) -> str:
        known = [(name, getattr(self, name, self._data[name])) for name in self._fields if name in self._data]
        unknown = [(name, self._data[name]) for name in self._data if name not in self._fields]
        return (
            f"{type(self).__name__}({', '.join(f'{name}={_format_value(value)}' for name, value in known + unknown)})"
        )

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], Any], tuple[dict[str, Any]]]:
        return type(self).view, (self._data,)


# The setter of the slot bypasses `__setattr__`, and is the fastest way.
_set_data: Final[Callable[[Model, Any], None]] = Model.__dict__["_data"].__set__

REPR_LENGTH: Final = 60
REPR_MEMBERS: Final = 3


def _format_value(value: Any) -> str:
    if value.__class__ is list:
        shown = ", ".join(_format_value(member) for member in value[:REPR_MEMBERS])
        return f"[{shown}]" if len(value) <= REPR_MEMBERS else f"[{shown}, ... {len(value)} in all]"
    text = repr(value.isoformat()) if isinstance(value, datetime) else repr(value)
    if isinstance(value, Model) or len(text) <= REPR_LENGTH:
        return text
    return f"{text[: REPR_LENGTH - 4]}...{text[-1]}"


def _hashable(value: Any) -> object:
    if value.__class__ is dict:
        return frozenset((name, _hashable(member)) for name, member in value.items())
    if value.__class__ is list:
        return tuple(_hashable(member) for member in value)
    return value


def to_json(value: Any) -> Any:
    """Copy *value* into plain JSON types: a model becomes a dict, a datetime ISO 8601 text; scalars are kept."""
    if isinstance(value, (str, int, float)) or value is None:
        return value
    if isinstance(value, Model):
        return to_json(value._data)  # pyright: ignore[reportPrivateUsage]  # its own module
    if isinstance(value, datetime):
        return value.isoformat()
    if hasattr(value, "keys"):
        return {name: to_json(value[name]) for name in value}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [to_json(member) for member in value]  # pyright: ignore[reportUnknownVariableType]  # any JSON
    return value


def convert_list(value: Any, convert: Callable[[Any], Any]) -> Any:
    """Convert the members of a JSON array into a new list, and copy any other value."""
    if value.__class__ is not list:
        return to_json(value)
    return [convert(member) for member in value]


def decode_list(payload: Any, convert: Callable[[Any], Any]) -> Any:
    """Convert the members of a whole response.

    Raises:
        TypeError: It is not a JSON array.
    """
    if payload.__class__ is not list:
        raise TypeError(f"{json_type(payload)} where a JSON array should have come")
    return [convert(member) for member in payload]


def decode_any(payload: Any) -> Any:
    """Return a response that the description does not show as it is; an empty body becomes an empty mapping."""
    return {} if payload is None else payload


def parse_datetime(value: Any) -> Any:
    """Parse a date-time (RFC 3339), and return any other value unchanged."""
    if value.__class__ is not str:
        return to_json(value)
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        pass
    # Slow to import, and rarely needed: fromisoformat refuses some of ISO 8601, such as hour 24.
    from dateutil.parser import isoparse

    try:
        return isoparse(value)
    except (ValueError, OverflowError):
        return value


JSON_TYPES: Final = {
    "dict": "an object",
    "list": "an array",
    "str": "text",
    "int": "a number",
    "float": "a number",
    "bool": "a boolean",
    "NoneType": "null",
}


def json_type(value: object) -> str:
    """Name the JSON type of *value* for a message."""
    return JSON_TYPES.get(type(value).__name__, type(value).__name__)
