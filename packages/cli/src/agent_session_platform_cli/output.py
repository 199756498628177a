"""Output of commands: values and lists, in the format that the user chose, or by whether stdout is a terminal."""

from __future__ import annotations

import csv
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

import click
from agent_session_platform import to_json

from .lookup import nearest
from .settings import Settings
from .terminal_text import escaped, one_line, say, to_text

# The column of items that are no objects.
VALUE: Final = "value"

# A program of tables runs text that begins so, and whoever writes a title need not be whoever opens the file. It may
# skip what nobody sees, and its language may have another separator, for which our quotes are none.
SEPARATORS: Final = r";\t|\n"
UNSEEN: Final = (
    r'"\x00-\x08\x0b-\x20\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f'
    r"\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
SIGNS: Final = r"=+\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20"
FORMULA: Final = re.compile(f"(^|[{SEPARATORS}])([{UNSEEN}]*[{SIGNS}][^{SEPARATORS}]*)")
NUMBER: Final = re.compile(r"[+-]?\d[\d.]*(?:[eE][+-]?\d+)?")

GAP: Final = "  "
# A column is not shown in less, and not wider than this as long as others follow.
NARROWEST: Final = 8
WIDEST: Final = 32
# What people look for comes first: of each of these the first column that is there.
SOUGHT: Final = (r"id|(?!org_).*_id", r"title|name|.*_name|summary|email", r"status|state|enabled", r".*_at|timestamp")


class ListWriter:
    """Writes the items of a list as they come, and keeps none of them: here as lines of JSON.

    Args:
        chosen: The members to write, such as `a` and `b.c`; empty: as the items are.
    """

    def __init__(self, chosen: Sequence[str] = ()) -> None:
        self._columns = [*chosen]
        self._is_checked = not chosen

    def write(self, items: Sequence[Any]) -> None:
        """Write some items, of plain JSON types.

        Raises:
            click.UsageError: None of the first items has a member that was chosen.
        """
        if not items:
            return
        rows = [_row_of(item) for item in items]
        if not self._is_checked:
            for column in self._columns:
                if not any(_has(row, column) for row in rows):
                    names = _columns_of(rows)
                    advice = nearest(column, names) or f"; there are: {', '.join(names[:20])}"
                    raise click.UsageError(f"--columns: no item has {column!r}{advice}")
            self._is_checked = True
        self._write(items, rows)

    def _write(self, items: Sequence[Any], rows: Sequence[Mapping[str, Any]]) -> None:
        sys.stdout.writelines(f"{self._json_of(item)}\n" for item in items)

    def _json_of(self, item: Any) -> str:
        row = _row_of(item)
        return to_text({name: _member(row, name) for name in self._columns} if self._columns else item)

    def close(self) -> None:
        """Write what stands at the end, also of a list that was interrupted."""


class JsonArray(ListWriter):
    """One array, which is closed also where the list was interrupted."""

    _before = "["

    def _write(self, items: Sequence[Any], rows: Sequence[Mapping[str, Any]]) -> None:
        """Write each item on a line of its own, which is complete: the comma is at the beginning of the next one."""
        for item in items:
            sys.stdout.write(f"{self._before} {self._json_of(item)}\n")
            self._before = ","

    def close(self) -> None:
        """Close the array."""
        sys.stdout.write("[]\n" if self._before == "[" else "]\n")


class Csv(ListWriter):
    """Lines of CSV; the columns are those of the first page, and what would be a formula gets an apostrophe."""

    def __init__(self, columns: Sequence[str] = (), chosen: Sequence[str] = ()) -> None:
        super().__init__(chosen)
        self._columns = [*(chosen or columns)]
        self._all_given = bool(self._columns)
        self._lines: Any = None
        self._left_out: dict[str, None] = {}
        # A terminal would obey control characters; a file has them as they are.
        self._is_shown = sys.stdout.isatty()

    def _write(self, items: Sequence[Any], rows: Sequence[Mapping[str, Any]]) -> None:
        if self._lines is None:
            self._columns = self._columns or _columns_of(rows)
            self._lines = csv.writer(sys.stdout, lineterminator="\n")
            self._lines.writerow(map(self._cell, self._columns))
        self._lines.writerows([self._cell(_cell_of(row, column)) for column in self._columns] for row in rows)
        if not self._all_given:
            known = {*self._columns}
            self._left_out |= {name: None for row in rows for name in row if name not in known}

    def close(self) -> None:
        """Say which members have no column, because they came later than the header."""
        if self._left_out:
            names = ", ".join([*self._left_out][:10])
            say(f"later items have members without a column: {names}; name columns with --columns")

    def _cell(self, text: str) -> str:
        # Older versions of Python do not quote a carriage return, and a reader ends the line there.
        text = FORMULA.sub(_as_text, text.replace("\r\n", "\n").replace("\r", "\n"))
        if self._is_shown:
            text = escaped(text, kept="\n\t")
        return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _as_text(found: re.Match[str]) -> str:
    return found[0] if NUMBER.fullmatch(found[2]) else f"{found[1]}'{found[2]}"


class Table(ListWriter):
    """Rows of fixed columns: the first page decides on columns and widths, those that are not all empty first.

    Args:
        columns: The columns where the user chose none; empty: as many as fit, beginning with what people look for.
        chosen: The columns that the user chose.
        color: Whether the header is bold.
    """

    def __init__(self, columns: Sequence[str] = (), chosen: Sequence[str] = (), *, color: bool = False) -> None:
        super().__init__(chosen)
        self._columns = [*(chosen or columns)]
        self._color = color
        self._widths: dict[str, int] = {}
        self._hidden: list[str] = []
        # Cells of a line that no column takes.
        self._room = 0

    def _write(self, items: Sequence[Any], rows: Sequence[Mapping[str, Any]]) -> None:
        if not self._widths:
            self._fit(rows)
            self._line({column: one_line(column) for column in self._widths}, bold=self._color)
        for row in rows:
            self._line({column: one_line(_cell_of(row, column)) for column in self._widths})

    def close(self) -> None:
        """Say on a terminal which columns did not fit."""
        if self._hidden and sys.stderr.isatty():
            say(f"columns that did not fit: {', '.join(self._hidden)}; -o json shows all")

    def _fit(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Choose the columns and their widths by the first rows."""
        filled = [name for name in _columns_of(rows) if any(_cell_of(row, name) for row in rows)]
        sought = [next((name for name in filled if re.fullmatch(each, name)), "") for each in SOUGHT]
        names = self._columns or [*dict.fromkeys([*filter(None, sought), *filled])] or _columns_of(rows)
        left = shutil.get_terminal_size().columns
        natural = {
            name: max(_cell_len(one_line(name)), *(_cell_len(one_line(_cell_of(row, name))) for row in rows))
            for name in names
        }
        widths = {name: min(natural[name], WIDEST) for name in names}
        if not self._columns:
            # An id is of no use if it is cut; the title gives way.
            own, title, *_ = sought
            widths |= {own: natural[own]} if own else {}
            others = sum(widths[name] + len(GAP) for name in sought if name and name != title)
            widths |= {title: min(widths[title], max(NARROWEST, left - others))} if title else {}
        for name, width in widths.items():
            if width > left and self._widths and left < max(NARROWEST, _cell_len(name)):
                self._hidden.append(name)
                continue
            self._widths[name] = max(1, min(width, left))
            left -= self._widths[name] + len(GAP)
        self._room = max(0, left + len(GAP))

    def _line(self, cells: Mapping[str, str], *, bold: bool = False) -> None:
        """Write a line; a cell that is wider than those of the first rows is cut only where the line has no room."""
        room, shown = self._room, list[str]()
        for name, width in self._widths.items():
            more = max(0, min(room, _cell_len(cells[name]) - width))
            room -= more
            shown.append(_in_cells(cells[name], width + more))
        line = GAP.join(shown).rstrip()
        sys.stdout.write(f"{click.style(line, bold=True) if bold else line}\n")


def open_list(settings: Settings, columns: Sequence[str] = (), *, chosen: Sequence[str] = ()) -> ListWriter:
    """Return what writes the items of a list; call its `close` at the end, whatever happened.

    Args:
        settings: The global options; without `--output` it is a table on a terminal, and JSON Lines elsewhere.
        columns: The columns of a table or of CSV; empty: those of the first items.
        chosen: The columns that the user chose, which count in every format, and which an item must have.
    """
    form = settings.output or ("table" if sys.stdout.isatty() else "jsonl")
    if form == "table":
        return Table(columns, chosen, color=sys.stdout.isatty() and not settings.no_color)
    return Csv(columns, chosen) if form == "csv" else JsonArray(chosen) if form == "json" else ListWriter(chosen)


def print_items(
    items: Sequence[Any], settings: Settings, columns: Sequence[str] = (), *, chosen: Sequence[str] = ()
) -> None:
    """Print a list that is complete; see `open_list`."""
    writer = open_list(settings, columns, chosen=chosen)
    writer.write([to_json(item) for item in items])
    writer.close()


def print_value(value: Any, settings: Settings, *, chosen: Sequence[str] = ()) -> None:
    """Print what an operation returned.

    Args:
        value: A model, a mapping, a list, text, or None for nothing.
        settings: The global options; without `--output` an object is a table on a terminal, and JSON elsewhere.
        chosen: The columns that the user chose; of an object its members.
    """
    form = settings.output or ("table" if sys.stdout.isatty() else "json")
    found = to_json(value)
    listed: Any = cast("Mapping[str, Any]", found).get("items") if isinstance(found, Mapping) else found
    if form in ("json", "jsonl") and isinstance(found, str) and settings.output is None:
        sys.stdout.write(found)
    elif form in ("json", "jsonl") and not chosen:
        sys.stdout.write(f"{to_text(found, indent=2 if form == 'json' else None)}\n")
    elif isinstance(listed, list):
        print_items(listed, settings, chosen=chosen)  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(found, Mapping) and (chosen or form == "csv"):
        print_items([found], settings, chosen=chosen)
    elif isinstance(found, Mapping):
        row = cast("Mapping[str, Any]", found)
        width = max((_cell_len(name) for name in row), default=0)
        for name in row:
            sys.stdout.write(f"{_in_cells(one_line(name), width)}{GAP}{one_line(_cell_of({name: row[name]}, name))}\n")
    elif found is not None:
        sys.stdout.write(f"{escaped(str(found), kept=chr(10))}\n")


def _row_of(item: Any) -> Mapping[str, Any]:
    """Return the members of an item; one that is no object is the member `value`."""
    return cast("Mapping[str, Any]", item) if isinstance(item, Mapping) else {VALUE: item}


def _columns_of(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the names of the members of all rows, in the order in which they first come."""
    return [*dict.fromkeys(name for row in rows for name in row)]


def _member(row: Mapping[str, Any], column: str) -> Any:
    """Return the value of a column; one such as `a.b` is the member `b` of the member `a`."""
    value: Any = row
    for name in [column] if column in row else column.split("."):
        value = cast("Mapping[str, Any]", value).get(name) if isinstance(value, Mapping) else None
    return value


def _has(row: Mapping[str, Any], column: str) -> bool:
    """Return whether a row has a column; what is null may have members."""
    return column in row or (column.partition(".")[0] in row and "." in column)


def _cell_of(row: Mapping[str, Any], column: str) -> str:
    """Return the text of a cell: text is itself, null and what is missing is empty, and everything else is JSON."""
    value = _member(row, column)
    return "" if value is None else value if isinstance(value, str) else to_text(value)


def _cell_len(text: str) -> int:
    """Return how many cells of a terminal text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _in_cells(text: str, width: int) -> str:
    """Return text in exactly this many cells of a terminal; what was cut off ends with an ellipsis."""
    if _cell_len(text) <= width and text.isascii():
        return text.ljust(width)
    from rich.cells import set_cell_size

    return set_cell_size(text, width) if _cell_len(text) <= width else f"{set_cell_size(text, width - 1)}…"
