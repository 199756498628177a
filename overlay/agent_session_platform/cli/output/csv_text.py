"""Lists as CSV."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from typing import Any

import click

from .cells import cell_of, columns_of, rows_of


class Csv:
    """Lines of CSV; the columns are those of the first page.

    Args:
        columns: The columns; empty: all members of the first items.
    """

    def __init__(self, columns: Sequence[str] = ()) -> None:
        self._columns = [*columns]
        self._all_given = bool(columns)
        self._lines: Any = None
        self._left_out: dict[str, None] = {}

    def write(self, items: Sequence[Any]) -> None:
        """Write a line for each item, and the header before the first."""
        if not items:
            return
        rows = rows_of(items)
        if self._lines is None:
            self._columns = self._columns or columns_of(items)
            self._lines = csv.writer(sys.stdout, lineterminator="\n")
            self._lines.writerow(self._columns)
        self._lines.writerows([_encodable(cell_of(row, column)) for column in self._columns] for row in rows)
        if not self._all_given:
            known = {*self._columns}
            self._left_out |= {name: None for row in rows for name in row if name not in known}

    def close(self) -> None:
        """Say which members have no column, because they came later than the header."""
        if self._left_out:
            names = ", ".join([*self._left_out][:10])
            click.echo(
                f"asp: later items have members without a column: {names}; name columns with --columns", err=True
            )


def _encodable(text: str) -> str:
    """Return text that UTF-8 can write: halves of surrogate pairs are replaced."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
