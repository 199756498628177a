"""Lists as CSV."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Sequence
from typing import Any, Final

import click

from ..terminal_text import escaped, one_line
from .cells import cell_of, columns_of, rows_of

# A program of tables runs text that begins so, and whoever writes a title need not be whoever opens the file.
FORMULA: Final = re.compile(r"[ \n]*[=+\-@\t]")
NUMBER: Final = re.compile(r"[+-]?\d[\d.]*(?:[eE][+-]?\d+)?")


class Csv:
    """Lines of CSV; the columns are those of the first page.

    A program of tables shows text as text: what would be a formula there gets an apostrophe before it.

    Args:
        columns: The columns; empty: all members of the first items.
    """

    def __init__(self, columns: Sequence[str] = ()) -> None:
        self._columns = [*columns]
        self._all_given = bool(columns)
        self._lines: Any = None
        self._left_out: dict[str, None] = {}
        # A terminal would obey control characters; a file has them as they are.
        self._is_shown = sys.stdout.isatty()

    def write(self, items: Sequence[Any]) -> None:
        """Write a line for each item, and the header before the first."""
        if not items:
            return
        rows = rows_of(items)
        if self._lines is None:
            self._columns = self._columns or columns_of(items)
            self._lines = csv.writer(sys.stdout, lineterminator="\n")
            self._lines.writerow(map(self._cell, self._columns))
        self._lines.writerows([self._cell(cell_of(row, column)) for column in self._columns] for row in rows)
        if not self._all_given:
            known = {*self._columns}
            self._left_out |= {name: None for row in rows for name in row if name not in known}

    def close(self) -> None:
        """Say which members have no column, because they came later than the header."""
        if self._left_out:
            names = one_line(", ".join([*self._left_out][:10]))
            click.echo(
                f"asp: later items have members without a column: {names}; name columns with --columns", err=True
            )

    def _cell(self, text: str) -> str:
        # Older versions of Python do not quote a carriage return, and a reader ends the line there.
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if FORMULA.match(text) and not NUMBER.fullmatch(text):
            text = f"'{text}"
        if self._is_shown:
            text = escaped(text, kept="\n\t")
        return text if text.isascii() else text.encode("utf-8", "replace").decode()
