"""Lists as a table that is written as the items come: the first page decides on columns and widths."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click
from rich.cells import cell_len, set_cell_size

from ..terminal_text import one_line
from .cells import cell_of, columns_of, row_of, rows_of

GAP: Final = "  "
# A column is not shown in less, and not wider than this as long as others follow.
NARROWEST: Final = 8
WIDEST: Final = 32


class Table:
    """Rows of fixed columns.

    Args:
        columns: The columns; empty: those of the first items that are not all empty, as many as fit.
        color: Whether the header is bold.
    """

    def __init__(self, columns: Sequence[str] = (), *, color: bool = False) -> None:
        self._columns = [*columns]
        self._color = color
        self._widths: dict[str, int] = {}
        self._hidden: list[str] = []
        # Cells of a line that no column takes.
        self._room = 0

    def write(self, items: Sequence[Any]) -> None:
        """Write a row for each item, and the header before the first."""
        rows = rows_of(items)
        if not self._widths and rows:
            self._fit(rows)
            self._line({column: one_line(column) for column in self._widths}, bold=self._color)
        for row in rows:
            self._line({column: one_line(cell_of(row, column)) for column in self._widths})

    def close(self) -> None:
        """Say on a terminal which columns did not fit."""
        if self._hidden and sys.stderr.isatty():
            click.echo(
                f"asp: columns that did not fit: {one_line(', '.join(self._hidden))}; -o json shows all", err=True
            )

    def _fit(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Choose the columns and their widths by the first rows."""
        left = shutil.get_terminal_size().columns
        names = self._columns or [name for name in columns_of(rows) if any(cell_of(row, name) for row in rows)]
        for name in names or columns_of(rows):
            natural = max(cell_len(one_line(name)), *(cell_len(one_line(cell_of(row, name))) for row in rows))
            width = min(natural, WIDEST)
            if width > left and self._widths and left < max(NARROWEST, cell_len(name)):
                self._hidden.append(name)
                continue
            self._widths[name] = max(1, min(width, left))
            left -= self._widths[name] + len(GAP)
        self._room = max(0, left + len(GAP))

    def _line(self, cells: Mapping[str, str], *, bold: bool = False) -> None:
        """Write a line; a cell that is wider than those of the first rows is cut only where the line has no room."""
        room, shown = self._room, list[str]()
        for name, width in self._widths.items():
            more = max(0, min(room, cell_len(cells[name]) - width))
            room -= more
            shown.append(_cut(cells[name], width + more))
        line = GAP.join(shown).rstrip()
        sys.stdout.write(f"{click.style(line, bold=True) if bold else line}\n")


def _cut(text: str, width: int) -> str:
    """Return text in exactly this many cells of a terminal; what was cut off ends with an ellipsis."""
    return set_cell_size(text, width) if cell_len(text) <= width else f"{set_cell_size(text, width - 1)}…"


def write_object(value: Any) -> None:
    """Write an object as lines of names and values, all of them and uncut."""
    row = row_of(value)
    width = max((cell_len(name) for name in row), default=0)
    for name in row:
        sys.stdout.write(f"{set_cell_size(one_line(name), width)}{GAP}{one_line(cell_of({name: row[name]}, name))}\n")
