"""The rows of a table: a file of CSV with a header, or of JSON Lines."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

import attrs
import click

from ..call.parameters import parse_json
from ..suggestions import nearest

LINES: Final = (".jsonl", ".ndjson")


@attrs.frozen
class Row:
    """A row.

    Attributes:
        place: File and line, for messages.
        values: The values by column.
    """

    place: str
    values: Mapping[str, Any]


def read_rows(path: str, form: str | None = None, columns: Collection[str] = ()) -> Iterator[Row]:
    """Iterate over the rows of a file, which is not kept in memory.

    Args:
        path: The file, in UTF-8.
        form: `csv` or `jsonl`; None: by the end of its name.
        columns: Columns that a header must have, also where no row follows.

    Raises:
        click.UsageError: It is not in this form; the message names the line, and shows nothing of it.
        OSError: It cannot be read.
    """
    form = form or ("jsonl" if Path(path).suffix.lower() in LINES else "csv")
    try:
        # A program of tables writes a byte order mark.
        with open(path, encoding="utf-8-sig", newline="") as file:
            yield from _json_lines(path, file) if form == "jsonl" else _csv(path, file, columns)
    except UnicodeDecodeError:
        raise click.UsageError(f"{path} is not in UTF-8") from None


def _json_lines(path: str, file: Iterator[str]) -> Iterator[Row]:
    for number, line in enumerate(file, 1):
        if line.strip():
            place = f"{path}, line {number}"
            value = parse_json(line, place)
            if not isinstance(value, dict):
                raise click.UsageError(f"{place} is no JSON object")
            yield Row(place, cast("dict[str, Any]", value))


def _csv(path: str, file: Iterator[str], columns: Collection[str]) -> Iterator[Row]:
    reader = csv.reader(file, strict=True)
    try:
        header: list[str] = next(reader, list[str]())
        twice = [name for name in header if header.count(name) > 1]
        if twice:
            raise click.UsageError(f"{path} has two columns {twice[0]!r}")
        for column in sorted({*columns} - {*header}):
            raise click.UsageError(f"{path} has no column {column!r} in its header{nearest(column, header)}")
        for cells in reader:
            place = f"{path}, line {reader.line_num}"
            if len(cells) not in (0, len(header)):
                raise click.UsageError(f"{place} has {len(cells)} cells, and the header has {len(header)}")
            if cells:
                yield Row(place, dict(zip(header, cells, strict=True)))
    except csv.Error as error:
        raise click.UsageError(f"{path}, line {reader.line_num}: {error}") from None
