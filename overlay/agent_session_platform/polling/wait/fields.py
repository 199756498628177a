"""Read the fields of an object by name: those that its model knows, and those that only came."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any, cast

from ..._api import to_json
from ...errors import InvalidArgumentError
from ...text import format_value


def payload(item: object) -> dict[str, Any]:
    """Return the members of an object as they came; none if it is no JSON object."""
    found = to_json(item)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def members(item: object) -> list[str]:
    """Return the names of the fields that the model of an object knows."""
    return [name for name in vars(type(item)) if is_member(item, name)]


def is_member(item: object, name: str) -> bool:
    """Return whether the model of an object knows a field."""
    return isinstance(vars(type(item)).get(name), property)


def value(item: object, name: str) -> Any:
    """Return the value of a field; None where it is absent, also if the model calls it required."""
    return getattr(item, name, None) if is_member(item, name) else payload(item).get(name)


def forms(item: object, name: str) -> list[Any]:
    """Return the value of a field as the model gives it and as it came: a time is also its text."""
    came = payload(item)
    return [value(item, name), *([came[name]] if name in came else [])]


def check_names(item: object, names: Iterable[str], argument: str) -> None:
    """Refuse a name that neither the model of an object nor the object itself has: it would be waited for in vain.

    Raises:
        InvalidArgumentError: There is no such field.
    """
    known = [*members(item), *payload(item)]
    for name in names:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            advice = f"did you mean {close[0]!r}?" if close else f"it has {', '.join(dict.fromkeys(known))}"
            raise InvalidArgumentError(
                f"{argument} names {format_value(name)}, which no {type(item).__name__} has: {advice}"
            )
