"""Choose how a value or a list is printed: as the user said, or by whether stdout is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, cast

from agent_session_platform import to_json

from ..settings import Settings
from .csv_text import Csv
from .json_text import JsonArray, JsonLines, to_text
from .table import Table, write_object
from .writer import ListWriter


def open_list(settings: Settings, columns: Sequence[str] = ()) -> ListWriter:
    """Return what writes the items of a list; call its `close` at the end, whatever happened.

    Args:
        settings: The global options; without `--output` it is a table on a terminal, and JSON Lines elsewhere.
        columns: The columns of a table or of CSV; empty: those of the first items.
    """
    chosen = settings.output or ("table" if sys.stdout.isatty() else "jsonl")
    if chosen == "table":
        return Table(columns, color=sys.stdout.isatty() and not settings.no_color)
    return Csv(columns) if chosen == "csv" else JsonArray() if chosen == "json" else JsonLines()


def print_items(items: Sequence[Any], settings: Settings, columns: Sequence[str] = ()) -> None:
    """Print a list that is complete; see `open_list`."""
    writer = open_list(settings, columns)
    writer.write([to_json(item) for item in items])
    writer.close()


def print_value(value: Any, settings: Settings, columns: Sequence[str] = ()) -> None:
    """Print what an operation returned.

    Args:
        value: A model, a mapping, a list, text, or None for nothing.
        settings: The global options; without `--output` an object is a table on a terminal, and JSON elsewhere.
        columns: The columns of a table or of CSV.
    """
    chosen = settings.output or ("table" if sys.stdout.isatty() else "json")
    found = to_json(value)
    if chosen in ("json", "jsonl"):
        if isinstance(found, str) and settings.output is None:
            sys.stdout.write(found)
        else:
            sys.stdout.write(f"{to_text(found, indent=2 if chosen == 'json' else None)}\n")
        return
    listed = _list_in(found)
    if listed is not None:
        print_items(listed, settings, columns)
    elif chosen == "csv" and isinstance(found, Mapping):
        print_items([found], settings, columns)
    elif isinstance(found, Mapping):
        write_object(found)
    elif found is not None:
        sys.stdout.write(f"{found}\n")


def _list_in(value: Any) -> Sequence[Any] | None:
    """Return the rows of a value: of an array, or of an object with an array `items`; None of anything else."""
    if isinstance(value, Mapping):
        value = cast("Mapping[str, Any]", value).get("items")
    return cast("Sequence[Any]", value) if isinstance(value, list) else None
