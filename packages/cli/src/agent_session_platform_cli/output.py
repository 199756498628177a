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
    r"\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
SIGNS: Final = r"=+\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20"
FORMULA: Final = f"(^|[{SEPARATORS}])([{UNSEEN}]*[{SIGNS}][^{SEPARATORS}]*)"
NUMBER: Final = re.compile(r"[+-]?\d[\d.]*(?:[eE][+-]?\d+)?")

GAP: Final = "  "
# The title gives way to the others, but not to less than this; and no column but the id begins wider than WIDEST.
NARROWEST: Final = 8
WIDEST: Final = 32
# What people look for comes first: of each of these the first column that is there.
SOUGHT: Final = (
    r"id|(?!org_).*_id",
    r"title|.*name|summary|message|email",
    r"status|state|enabled",
    r".*_at|timestamp",
)


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
        self._late: dict[str, None] | None = None if self._columns else {}
        self._lines: Any = None

    def _write(self, items: Sequence[Any]) -> None:
        if self._lines is None:
            self._columns = self._columns or names_of(items)
            self._lines = csv.writer(sys.stdout, lineterminator="\n")
            self._lines.writerow(map(csv_text, self._columns))
        self._lines.writerows([csv_text(text_of(item, column)) for column in self._columns] for item in items)
        if self._late is not None:
            self._late |= {name: None for name in names_of(items) if name not in self._columns}

    def close(self) -> None:
        """Say which members have no column, because they came later than the header."""
        if self._late:
            names = ", ".join([*self._late][:10])
            say(f"later items have members without a column: {names}; name columns with --columns")


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
    """Rows of fixed columns: the first page decides on columns and widths.

    Args:
        chosen: The columns; empty: as many as fit, beginning with what people look for.
        color: Whether the header is bold.
    """

    def __init__(self, chosen: Sequence[str] = (), *, color: bool = False) -> None:
        super().__init__(chosen)
        self._color = color
        self._widths: dict[str, int] = {}
        self._hidden: list[str] = []
        # Cells of a line that no column takes.
        self._room = 0

    def _write(self, items: Sequence[Any]) -> None:
        if not self._widths:
            self._fit(items)
            header = self._line(self._widths)
            sys.stdout.write(f"{click.style(header, bold=True) if self._color else header}\n")
        for item in items:
            sys.stdout.write(f"{self._line(text_of(item, name) for name in self._widths)}\n")

    def close(self) -> None:
        """Say on a terminal which columns did not fit."""
        if self._hidden and sys.stderr.isatty():
            say(f"columns that did not fit: {', '.join(self._hidden)}; -o json shows all")

    def _fit(self, items: Sequence[Any]) -> None:
        """Choose the columns and their widths by the first items: those that are not all empty."""
        from rich.cells import cell_len

        natural = {
            name: max(cell_len(one_line(text)) for text in (name, *(text_of(item, name) for item in items)))
            for name in self._chosen or names_of(items)
        }
        names = self._chosen
        sought = ["", ""]
        if not names:
            filled = [name for name in natural if any(text_of(item, name) for item in items)]
            sought = [next((name for name in filled if re.fullmatch(each, name)), "") for each in SOUGHT]
            names = [*dict.fromkeys([*filter(None, sought), *filled])] or [*natural]
        own, title, *_ = sought
        widths = {name: natural[name] if name == own else min(natural[name], WIDEST) for name in names}
        left = shutil.get_terminal_size().columns
        if title:
            # An id is of no use if it is cut; the title gives way.
            others = sum(widths[name] + len(GAP) for name in sought if name and name != title)
            widths[title] = min(widths[title], max(NARROWEST, left - others))
        for name, width in widths.items():
            if self._widths and width > left and left < max(NARROWEST, cell_len(name)):
                self._hidden.append(name)
                continue
            self._widths[name] = max(1, min(width, left))
            left -= self._widths[name] + len(GAP)
        self._room = max(0, left + len(GAP))

    def _line(self, texts: Iterable[str]) -> str:
        """Return a line; a cell that is wider than those of the first items is cut only where the line has no room."""
        from rich.cells import cell_len, set_cell_size

        room, cells = self._room, list[str]()
        for text, width in zip(map(one_line, texts), self._widths.values(), strict=True):
            more = max(0, min(room, cell_len(text) - width))
            room -= more
            is_cut = cell_len(text) > width + more
            cells.append(f"{set_cell_size(text, width + more - 1)}…" if is_cut else set_cell_size(text, width + more))
        return GAP.join(cells).rstrip()


def open_list(settings: Settings, columns: Sequence[str] = (), *, chosen: Sequence[str] = ()) -> ListWriter:
    """Return what writes the items of a list at once; call its `close` at the end, whatever happened.

    Args:
        settings: The global options; without `--output` it is a table on a terminal, and JSON Lines elsewhere.
        columns: The columns of a table or of CSV; empty: those of the first items.
        chosen: The columns that the user chose, which count in every format. An item must have each of them.
    """
    form = settings.output or ("table" if sys.stdout.isatty() else "jsonl")
    if form == "table":
        return Table(chosen or columns, color=sys.stdout.isatty() and not settings.no_color)
    return Csv(chosen or columns) if form == "csv" else ListWriter(chosen, is_array=form == "json")


def print_items(
    items: Sequence[Any], settings: Settings, columns: Sequence[str] = (), *, chosen: Sequence[str] = ()
) -> None:
    """Print a list that is complete; see `open_list`."""
    with closing(open_list(settings, columns, chosen=chosen)) as writer:
        writer.write([to_json(item) for item in items])


def print_value(value: Any, settings: Settings, *, chosen: Sequence[str] = ()) -> None:
    """Print what an operation returned.

    Args:
        value: A model, a mapping, a list, text, or None for nothing.
        settings: The global options; without `--output` an object is a table on a terminal, and JSON elsewhere.
        chosen: The columns that the user chose; of an object its members.
    """
    form = settings.output or ("table" if sys.stdout.isatty() else "json")
    found = to_json(value)
    listed: Any = found.get("items") if is_object(found) else found
    if form in ("json", "jsonl") and isinstance(found, str) and settings.output is None:
        sys.stdout.write(found)
    elif form in ("json", "jsonl") and not chosen:
        sys.stdout.write(f"{to_text(found, indent=2 if form == 'json' else None)}\n")
    elif is_array(listed):
        print_items(listed, settings, chosen=chosen)
    elif is_object(found) and (chosen or form == "csv"):
        print_items([found], settings, chosen=chosen)
    elif is_object(found):
        width = max(map(len, found), default=0)
        for name in found:
            sys.stdout.write(f"{one_line(name):<{width}}{GAP}{one_line(text_of(found, name))}\n")
    elif found is not None:
        sys.stdout.write(f"{escaped(str(found), kept=chr(10))}\n")


def names_of(items: Iterable[Any]) -> list[str]:
    """Return the names of the members of all items, in the order in which they first come."""
    return [*dict.fromkeys(name for item in items for name in (item if is_object(item) else (VALUE,)))]


def member_of(item: Any, column: str) -> Any:
    """Return the value of a column; one such as `a.b` is the member `b` of the member `a`."""
    value: Any = item if is_object(item) else {VALUE: item}
    for name in [column] if column in value else column.split("."):
        value = value.get(name) if is_object(value) else None
    return value


def text_of(item: Any, column: str) -> str:
    """Return the text of a cell: text is itself, null and what is missing is empty, and everything else is JSON."""
    value = member_of(item, column)
    return "" if value is None else value if isinstance(value, str) else to_text(value)
