"""The path of a request, with its arguments filled in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import quote

from .._api import ID_PREFIXES, Parameter
from ..errors import InvalidArgumentError
from ..text import format_value
from .values import flat_texts


def write_path(template: str, values: Mapping[str, Any], wildcards: Collection[str] = ()) -> str:
    """Fill the placeholders of a path.

    A segment is never empty, `.` or `..`: a server would take the path for another one. The value of a wildcard may
    have several segments; the members of an array are joined by commas.

    Args:
        template: The path with its placeholders.
        values: The path arguments by name.
        wildcards: Names of the wildcards.

    Raises:
        InvalidArgumentError: A value cannot be part of a path.
    """
    path = template
    for name, value in values.items():
        texts, separator = [value], ","
        if name in wildcards and isinstance(value, str):
            texts, separator = value.split("/"), "/"
        elif value.__class__ is not str:
            texts = path_texts(name, value)
        for text in texts:
            if text in ("", ".", ".."):
                kind = "a path" if separator == "/" else "an id"
                raise InvalidArgumentError(f"{name} must be {kind}, not {format_value(value)}")
        try:
            path = path.replace(f"{{{name}}}", separator.join([quote(text, safe="") for text in texts]))
        except UnicodeEncodeError:
            raise InvalidArgumentError(f"{name} has characters that cannot be written in a path") from None
    return path


def path_texts(name: str, value: Any) -> list[str]:
    """Return the texts of a path argument that is not text, such as a number, a UUID, a date or a list of these."""
    if value is None or isinstance(value, bool | float | Mapping):
        raise InvalidArgumentError(f"{name} must be a string, not {format_value(value)}")
    return flat_texts(name, value) or [""]


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
