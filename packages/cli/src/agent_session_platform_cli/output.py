"""Print the results of commands: JSON, JSON Lines, tables and CSV."""

from __future__ import annotations

import csv
import io
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

# The formats whose errors and reports are JSON, too.
JSON: Final = ("json", "jsonl")
# The name of the only column if items are not objects.
VALUE: Final = "value"

# Spreadsheet programs run text that begins with one of these signs, so a title could be a formula of an attacker. These
# programs may skip invisible characters before the sign, and may use other separators than the comma.
SEPARATORS: Final = r";\t|\n"
UNSEEN: Final = (
    r'"\x00-\x08\x0b-\x20\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f'
    r"\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
SIGNS: Final = r"=+\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20"
FORMULA: Final = f"(^|[{SEPARATORS}])([{UNSEEN}]*[{SIGNS}][^{SEPARATORS}]*)"
NUMBER: Final = re.compile(r"[+-]?\d[\d.]*(?:[eE][+-]?\d+)?")

GAP: Final = "  "
# The greatest width of a column, unless the line has unused space. The first column may be wider, because half an id
# is of no use.
WIDEST: Final = 32
NARROWEST: Final = 8


class ListWriter:
    """Writes the items of a list as they arrive, as JSON Lines or as one JSON array.

    An item of an array has a line of its own. The comma stands at the beginning of the next line, so every line is
    complete when it is written.

    Args:
        chosen: The members to write, such as `a` and `b.c`; if empty, all members.
        is_array: Whether the items are written as one array.
    """

    def __init__(self, chosen: Sequence[str] = (), *, is_array: bool = False) -> None:
        self._chosen = [*chosen]
        self._is_checked = not chosen
        self._is_array = is_array
        self._before = "["

    def write(self, items: Sequence[Any]) -> None:
        """Write some items, of plain JSON types.

        Raises:
            click.UsageError: A chosen member is missing in all of the first items.
        """
        if items and not self._is_checked:
            check_columns(self._chosen, items)
            self._is_checked = True
        if items:
            self._write(items)
            sys.stdout.flush()

    def _write(self, items: Sequence[Any]) -> None:
        for item in items:
            text = to_text(part_of(item, self._chosen))
            sys.stdout.write(f"{self._before} {text}\n" if self._is_array else f"{text}\n")
            self._before = ","

    def close(self) -> None:
        """Write the end of the list, also after an error."""
        if self._is_array:
            sys.stdout.write("[]\n" if self._before == "[" else "]\n")


class Csv(ListWriter):
    """Writes lines of CSV. A text that a spreadsheet would run as a formula gets an apostrophe before it.

    Args:
        chosen: The columns; if empty, the members of the first items.
    """

    def __init__(self, chosen: Sequence[str] = ()) -> None:
        super().__init__(chosen)
        self._columns = [*chosen]
        # The members that have a column, and those that were already reported as members without a column.
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
    """Return the text of a cell of CSV, with formulas made harmless and half surrogate pairs escaped.

    On a terminal, escape control characters, too.
    """
    # Older versions of Python do not quote a carriage return, which ends a line.
    text = re.sub(FORMULA, _as_text, text.replace("\r\n", "\n").replace("\r", "\n"))
    if sys.stdout.isatty():
        text = escaped(text, kept="\n\t")
    return text.encode("utf-8", "backslashreplace").decode()


def _as_text(found: re.Match[str]) -> str:
    return found[0] if NUMBER.fullmatch(found[2]) else f"{found[1]}'{found[2]}"


class Table(ListWriter):
    """Writes a table. The first items decide the widths of its columns.

    Args:
        chosen: The columns; if empty, `columns`, followed by other members that fit.
        columns: The columns to show first.
    """

    def __init__(self, chosen: Sequence[str] = (), columns: Sequence[str] = ()) -> None:
        super().__init__(chosen)
        self._first = [*(chosen or columns)]
        self._widths: dict[str, int] = {}
        self._hidden: list[str] = []
        # The part of the terminal's width that the columns do not use.
        self._spare = 0

    def _write(self, items: Sequence[Any]) -> None:
        if not self._widths:
            self._fit(items)
            sys.stdout.write(self._line(self._widths))
        for item in items:
            sys.stdout.write(self._line(text_of(item, name) for name in self._widths))

    def close(self) -> None:
        """Name the columns that did not fit, if a person reads stderr."""
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
            # If these columns do not fit together, the widest column, such as a title, becomes narrower.
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
        """Return a line. A text that is longer than its column is cut only if the line has no unused space."""
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
    """Return a writer for the items of a list. Always call its `close` at the end.

    Args:
        settings: The global options. Without `--output`, a terminal gets a table, and a pipe gets JSON Lines. The
            option `--columns` applies to every format.
        columns: The columns that a table shows first.
    """
    chosen = columns_of(settings)
    form = settings.output or ("table" if sys.stdout.isatty() else "jsonl")
    if form in JSON:
        return ListWriter(chosen, is_array=form == "json")
    write_unchanged()
    return Table(chosen, columns) if form == "table" else Csv(chosen)


def print_items(items: Sequence[Any], settings: Settings, columns: Sequence[str] = ()) -> None:
    """Print a complete list; see `open_list`."""
    with closing(open_list(settings, columns)) as writer:
        writer.write([to_json(item) for item in items])


def print_value(value: Any, settings: Settings, columns: Sequence[str] = ()) -> None:
    """Print the result of an operation.

    Args:
        value: A model, a mapping, a list, text, or None for nothing.
        settings: The global options. Without `--output`, a terminal gets a table, and a pipe gets JSON.
        columns: The columns that a table shows first, if the result is a list.
    """
    form = settings.output or ("table" if sys.stdout.isatty() else "json")
    found = to_json(value)
    members: list[Any] = [*found.values()] if is_object(found) else [found]
    # A list without pages may be the only member of an object. Each operation has its own name for this member.
    listed = members[0] if len(members) == 1 else found.get("items")
    chosen = columns_of(settings)
    is_raw = isinstance(found, str) and settings.output is None
    is_json = form in JSON and not is_raw
    if not is_json:
        write_unchanged()
    if is_raw and form in JSON:
        sys.stdout.write(found)
    elif is_json and not chosen:
        sys.stdout.write(f"{to_text(found, indent=2 if form == 'json' else None)}\n")
    elif is_array(listed):
        print_items(listed, settings, columns)
    elif is_json and is_object(found):
        check_columns(chosen, [found])
        sys.stdout.write(f"{to_text(part_of(found, chosen), indent=2 if form == 'json' else None)}\n")
    elif is_object(found) and (chosen or form == "csv"):
        print_items([found], settings)
    elif is_object(found):
        width = max(map(len, found), default=0)
        for name in found:
            sys.stdout.write(f"{one_line(name):<{width}}{GAP}{one_line(text_of(found, name))}\n")
    elif found is not None:
        sys.stdout.write(f"{escaped(str(found), kept=chr(10))}\n")


def print_report(document: Any, text: str, settings: Settings) -> None:
    """Print a report: its document with `-o json`, and its text otherwise."""
    if settings.errors_as_json:
        print_value(document, settings)
    else:
        write_unchanged()
        click.echo(escaped(text, kept="\n"))


def columns_of(settings: Settings) -> list[str]:
    """Return the columns of `--columns`."""
    return [each.strip() for each in settings.columns.split(",") if each.strip()]


def check_columns(chosen: Iterable[str], items: Iterable[Any]) -> None:
    """Refuse a column that no item has.

    Raises:
        click.UsageError: A column is missing in all items.
    """
    found = names_of(items)
    for column in chosen:
        # Only `b` of `b.c` is checked: a value that is null here may be an object in a later item.
        if column not in found and not ("." in column and column.partition(".")[0] in found):
            advice = nearest(column, found) or f"; there are: {', '.join(found[:20])}"
            raise click.UsageError(f"--columns: no item has {column!r}{advice}")


def part_of(item: Any, chosen: Sequence[str]) -> Any:
    """Return the chosen members of an item; without any, the item."""
    return {name: member_of(item, name) for name in chosen} if chosen else item


def write_unchanged() -> None:
    """Write the text that follows to stdout as UTF-8, unless stdout is a terminal, whose encoding may be another one.

    Other encodings lack characters. JSON can escape these, and other formats cannot.
    """
    stdout: Any = sys.stdout
    if not stdout.isatty() and isinstance(stdout, io.TextIOWrapper):
        stdout.reconfigure(encoding="utf-8")


def names_of(items: Iterable[Any]) -> list[str]:
    """Return the names of all members of some items, in the order of their first use."""
    return [*dict.fromkeys(name for item in items for name in (item if is_object(item) else (VALUE,)))]


def member_of(item: Any, column: str) -> Any:
    """Return the value of a column. The column `a.b` is the member `b` of the member `a`."""
    value: Any = item if is_object(item) else {VALUE: item}
    for name in [column] if column in value else column.split("."):
        value = value.get(name) if is_object(value) else None
    return value


def is_plain(items: Iterable[Any], column: str) -> bool:
    """Return whether a column has values, and none of them is an array or an object."""
    values = [member_of(item, column) for item in items]
    is_filled = any(each not in (None, "") for each in values)
    return is_filled and not any(isinstance(each, dict | list) for each in values)


def text_of(item: Any, column: str) -> str:
    """Return the text of a cell. A missing value and null are empty; a value that is not text becomes JSON."""
    value = member_of(item, column)
    return "" if value is None else value if isinstance(value, str) else to_text(value)
