"""Members of objects as the cells of a table or of CSV."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from .json_text import to_text

# The column of items that are no objects.
VALUE = "value"


def columns_of(items: Iterable[Any]) -> list[str]:
    """Return the names of the members of all items, in the order in which they first come."""
    names: dict[str, None] = {}
    for item in items:
        names |= dict.fromkeys(row_of(item))
    return [*names]


def row_of(item: Any) -> Mapping[str, Any]:
    """Return the members of an item; one that is no object is the member `value`."""
    return cast("Mapping[str, Any]", item) if isinstance(item, Mapping) else {VALUE: item}


def cell_of(row: Mapping[str, Any], column: str) -> str:
    """Return the text of a cell; a column such as `a.b` is the member `b` of the member `a`.

    Text is itself, null and what is missing is empty, and everything else is JSON.
    """
    value: Any = row
    for name in [column] if column in row else column.split("."):
        value = cast("Mapping[str, Any]", value).get(name) if isinstance(value, Mapping) else None
    return "" if value is None else value if isinstance(value, str) else to_text(value)


def rows_of(items: Sequence[Any]) -> list[Mapping[str, Any]]:
    """Return the rows of some items."""
    return [row_of(item) for item in items]
