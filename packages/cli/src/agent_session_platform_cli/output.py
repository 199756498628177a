"""Output of commands: values and lists, in the format that the user chose, or by whether stdout is a terminal."""

from __future__ import annotations

import csv
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Any, Final

import click
from agent_session_platform import to_json
from agent_session_platform.contract import is_array, is_object

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
FORMULA: Final = f"(^|[{SEPARATORS}])([{UNSEEN}]*[{SIGNS}][^{SEPARATORS}]*)"
NUMBER: Final = re.compile(r"[+-]?\d[\d.]*(?:[eE][+-]?\d+)?")

GAP: Final = "  "
# A column of a table is at most this wide, except the first one: an id that is cut is of no use.
WIDEST: Final = 32
NARROWEST: Final = 8


class ListWriter:
    """Writes the items of a list as they come, and keeps none of them: here as lines of JSON.

    An array has each item on a line of its own, which is complete: the comma is at the beginning of the next one.

    Args:
        chosen: The members to write, such as `a` and `b.c`; empty: as the items are.
        is_array: Whether they are one array, which is closed also where the list was interrupted.
    """

    def __init__(self, chosen: Sequence[str] = (), *, is_array: bool = False) -> None:
        self._chosen = [*chosen]
        self._is_checked = not chosen
        self._is_array = is_array
        self._before = "["

    def write(self, items: Sequence[Any]) -> None:
        """Write some items, of plain JSON types.

        Raises:
            click.UsageError: None of the first items has a member that was chosen.
        """
        if items and not self._is_checked:
            found = names_of(items)
            for column in self._chosen:
                # A value that is null here may be an object in a later item, so its members cannot be checked.
                if column not in found and not ("." in column and column.partition(".")[0] in found):
                    advice = nearest(column, found) or f"; there are: {', '.join(found[:20])}"
                    raise click.UsageError(f"--columns: no item has {column!r}{advice}")
            self._is_checked = True
        if items:
            self._write(items)
            sys.stdout.flush()

    def _write(self, items: Sequence[Any]) -> None:
        for item in items:
            text = to_text({name: member_of(item, name) for name in self._chosen} if self._chosen else item)
            sys.stdout.write(f"{self._before} {text}\n" if self._is_array else f"{text}\n")
            self._before = ","

    def close(self) -> None:
        """Write what stands at the end, also of a list that was interrupted."""
        if self._is_array:
            sys.stdout.write("[]\n" if self._before == "[" else "]\n")


class Csv(ListWriter):
    """Lines of CSV; what would be a formula gets an apostrophe.

    Args:
        chosen: The columns; empty: those of the first page.
    """

    def __init__(self, chosen: Sequence[str] = ()) -> None:
        super().__init__(chosen)
        self._columns = [*chosen]
        # Members that have a column, or were reported.
        self._known: set[str] = set()
        self._lines: Any = None

    def _write(self, items: Sequence[Any]) -> None:
        if self._lines is None:
            self._columns = self._columns or names_of(items)
            self._known = {*self._columns}
            self._lines = csv.writer(sys.stdout, lineterminator="\n")
            self._lines.writerow(map(csv_text, self._columns))
        self._lines.writerows([csv_text(text_of(item, column)) for column in self._columns] for item in items)
        late = [] if self._chosen else [name for name in names_of(items) if name not in self._known]
        if late:
            say(f"items have members without a column: {', '.join(late[:10])}; name columns with --columns")
            self._known.update(late)


def csv_text(text: str) -> str:
    """Return text as a cell of CSV has it, without formulas; on a terminal without what that would obey."""
    # Older versions of Python do not quote a carriage return, and a reader ends the line there.
    text = re.sub(FORMULA, _as_text, text.replace("\r\n", "\n").replace("\r", "\n"))
    if sys.stdout.isatty():
        text = escaped(text, kept="\n\t")
    return text.encode("utf-8", "replace").decode()


def _as_text(found: re.Match[str]) -> str:
    return found[0] if NUMBER.fullmatch(found[2]) else f"{found[1]}'{found[2]}"


class Table(ListWriter):
    """Rows of columns, whose widths the first items decide.

    Args:
        chosen: The columns; empty: those of `columns`, and then others while they fit.
        columns: The columns to show first.
    """

    def __init__(self, chosen: Sequence[str] = (), columns: Sequence[str] = ()) -> None:
        super().__init__(chosen)
        self._first = [*(chosen or columns)]
        self._widths: dict[str, int] = {}
        self._hidden: list[str] = []
        # The cells at the end of a line that no column takes.
        self._spare = 0

    def _write(self, items: Sequence[Any]) -> None:
        if not self._widths:
            self._fit(items)
            sys.stdout.write(self._line(self._widths))
        for item in items:
            sys.stdout.write(self._line(text_of(item, name) for name in self._widths))

    def close(self) -> None:
        """Say on a terminal which columns did not fit."""
        if self._hidden and sys.stderr.isatty():
            say(f"columns that did not fit: {', '.join(self._hidden)}; -o json shows all")

    def _fit(self, items: Sequence[Any]) -> None:
        """Choose the columns and their widths."""
        from rich.cells import cell_len

        others = [] if self._chosen else [name for name in names_of(items) if is_plain(items, name)]
        names = [*dict.fromkeys([*self._first, *others])]
        wanted = {
            name: max(cell_len(one_line(text)) for text in (name, *(text_of(item, name) for item in items)))
            for name in names
        }
        widths = {name: width if name == names[0] else min(width, WIDEST) for name, width in wanted.items()}
        left = shutil.get_terminal_size().columns
        if len(self._first) > 1:
            # The columns to show first share the line: the widest one, such as a title, gives way.
            missing = sum(widths[name] + len(GAP) for name in self._first) - len(GAP) - left
            widest = max(self._first[1:], key=widths.__getitem__)
            widths[widest] -= max(0, min(missing, widths[widest] - NARROWEST))
        for name, width in widths.items():
            if self._widths and width > left:
                self._hidden.append(name)
            else:
                self._widths[name] = max(1, min(width, left))
                left -= self._widths[name] + len(GAP)
        self._spare = max(0, left + len(GAP))
        for name, width in self._widths.items():
            self._widths[name] += min(self._spare, max(0, wanted[name] - width))
            self._spare -= self._widths[name] - width

    def _line(self, texts: Iterable[str]) -> str:
        """Return a line; a cell that is wider than its column is cut only where the line is full."""
        from rich.text import Text

        spare, cells = self._spare, list[str]()
        for text, width in zip(map(one_line, texts), self._widths.values(), strict=True):
            cell = Text(text)
            wider = max(0, min(spare, cell.cell_len - width))
            spare -= wider
            cell.truncate(width + wider, overflow="ellipsis", pad=True)
            cells.append(cell.plain)
        return f"{GAP.join(cells).rstrip()}\n"


def open_list(settings: Settings, columns: Sequence[str] = ()) -> ListWriter:
    """Return what writes the items of a list at once; call its `close` at the end, whatever happened.

    Args:
        settings: The global options. Without `--output` it is a table on a terminal, and JSON Lines elsewhere. The
            columns of `--columns` count in every format, and an item must have each of them.
        columns: The columns that a table shows first.
    """
    chosen = settings.columns
    form = settings.output or ("table" if sys.stdout.isatty() else "jsonl")
    if form == "table":
        return Table(chosen, columns)
    return Csv(chosen) if form == "csv" else ListWriter(chosen, is_array=form == "json")


def print_items(items: Sequence[Any], settings: Settings, columns: Sequence[str] = ()) -> None:
    """Print a list that is complete; see `open_list`."""
    with closing(open_list(settings, columns)) as writer:
        writer.write([to_json(item) for item in items])


def print_value(value: Any, settings: Settings, columns: Sequence[str] = ()) -> None:
    """Print what an operation returned.

    Args:
        value: A model, a mapping, a list, text, or None for nothing.
        settings: The global options; without `--output` an object is a table on a terminal, and JSON elsewhere.
        columns: The columns that a table of a list shows first.
    """
    form = settings.output or ("table" if sys.stdout.isatty() else "json")
    found = to_json(value)
    listed: Any = found
    if is_object(found):
        # A list without pages may be an object with one member, whatever its name is.
        listed = found.get("items") if len(found) != 1 else next(iter(found.values()))
    if form in ("json", "jsonl") and isinstance(found, str) and settings.output is None:
        sys.stdout.write(found)
    elif form in ("json", "jsonl") and not settings.columns:
        sys.stdout.write(f"{to_text(found, indent=2 if form == 'json' else None)}\n")
    elif is_array(listed):
        print_items(listed, settings, columns)
    elif is_object(found) and (settings.columns or form == "csv"):
        print_items([found], settings)
    elif is_object(found):
        width = max(map(len, found), default=0)
        for name in found:
            sys.stdout.write(f"{one_line(name):<{width}}{GAP}{one_line(text_of(found, name))}\n")
    elif found is not None:
        sys.stdout.write(f"{escaped(str(found), kept=chr(10))}\n")


def print_report(document: Any, text: str, settings: Settings) -> None:
    """Print the text of a report; where JSON was asked for, its document."""
    click.echo(to_text(document, indent=2) if settings.errors_as_json else escaped(text, kept="\n"))


def names_of(items: Iterable[Any]) -> list[str]:
    """Return the names of the members of all items, in the order in which they first come."""
    return [*dict.fromkeys(name for item in items for name in (item if is_object(item) else (VALUE,)))]


def member_of(item: Any, column: str) -> Any:
    """Return the value of a column; one such as `a.b` is the member `b` of the member `a`."""
    value: Any = item if is_object(item) else {VALUE: item}
    for name in [column] if column in value else column.split("."):
        value = value.get(name) if is_object(value) else None
    return value


def is_plain(items: Iterable[Any], column: str) -> bool:
    """Return whether a column has text, numbers or the like, and no arrays or objects."""
    values = [member_of(item, column) for item in items]
    is_filled = any(each not in (None, "") for each in values)
    return is_filled and not any(isinstance(each, dict | list) for each in values)


def text_of(item: Any, column: str) -> str:
    """Return the text of a cell: text is itself, null and what is missing is empty, and everything else is JSON."""
    value = member_of(item, column)
    return "" if value is None else value if isinstance(value, str) else to_text(value)
