"""Read the rows of a file, and make the arguments of a call from each row."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import click
from agent_session_platform import Operation
from agent_session_platform.contract import is_array, is_object

from .call.parameters import json_or_text, parse_json, split_pairs, type_of
from .contract import Facts
from .lookup import nearest
from .terminal_text import to_text

Row: TypeAlias = tuple[str, Mapping[str, Any]]
"""The file and line of a row, for messages, and the values of the row by column."""


def read_rows(path: str) -> Iterator[Row]:
    """Iterate over the rows of a file, without keeping them in memory.

    Args:
        path: The file, in UTF-8. Its suffix decides between JSON Lines and CSV.

    Raises:
        click.UsageError: The format is wrong. The message names the line, and does not show its content.
        OSError: The file cannot be read.
    """
    read = _json_lines if Path(path).suffix.lower() in (".jsonl", ".ndjson") else _csv
    try:
        # Spreadsheet programs write a byte order mark.
        with open(path, encoding="utf-8-sig", newline="") as file:
            yield from read(path, file)
    except UnicodeDecodeError:
        raise click.UsageError(f"{path} is not in UTF-8") from None


def _json_lines(path: str, file: Iterator[str]) -> Iterator[Row]:
    for number, line in enumerate(file, 1):
        if line.strip():
            place = f"{path}, line {number}"
            value = parse_json(line, place)
            if not is_object(value):
                raise click.UsageError(f"{place} is not a JSON object")
            yield place, value


def _csv(path: str, file: Iterator[str]) -> Iterator[Row]:
    reader = csv.DictReader(file, strict=True)
    try:
        header = reader.fieldnames or ()
        if len({*header}) < len(header):
            raise click.UsageError(f"{path} has two columns with the same name")
        for row in reader:
            place = f"{path}, line {reader.line_num}"
            # The reader uses None for cells without a column, and for columns without a cell.
            if None in row or None in row.values():
                raise click.UsageError(f"{place} must have as many cells as the header")
            yield place, row
    except csv.Error as error:
        raise click.UsageError(f"{path}, line {reader.reader.line_num}: {error}") from None


PART: Final = re.compile(r"\{\{|\}\}|\{([^{}]+)\}|[{}]")


def fill(value: Any, row: Mapping[str, Any]) -> Any:
    """Return a JSON value in which each `{column}` is replaced by the value of the column.

    If a text is only `{column}`, the value keeps its type. In a longer text it becomes text.

    Args:
        value: A JSON value. The row must have its columns.
        row: The values of the row, by column.

    Raises:
        click.UsageError: A brace has no partner.

    Example:
        >>> fill({"prompt": "Fix {what}", "tags": ["{team}"], "size": "{n}"}, {"what": "it", "team": "core", "n": 3})
        {'prompt': 'Fix it', 'tags': ['core'], 'size': 3}
    """

    def text_of(part: re.Match[str]) -> str:
        if part[1]:
            found = row[part[1]]
            return found if isinstance(found, str) else to_text(found)
        if part[0] in ("{{", "}}"):
            return part[0][0]
        raise click.UsageError(f"{part[0]!r} has no partner: write {{column}} for a column, {{{{ or }}}} for a brace")

    if isinstance(value, str):
        whole = PART.fullmatch(value)
        return row[whole[1]] if whole is not None and whole[1] else PART.sub(text_of, value)
    if is_object(value):
        return {name: fill(each, row) for name, each in value.items()}
    return [fill(each, row) for each in value] if is_array(value) else value


class RowArguments:
    """Makes the keyword arguments of a call from a row.

    Args:
        operation: The operation that creates an object.
        key: The name of the column with the key.
        arguments: The values of `--argument`, such as `prompt=Fix {what}` or `tags=["{team}"]`.

    Attributes:
        operation: The operation.
        given: The arguments, in which columns are not replaced yet.
        columns: The columns that every row must have.

    Raises:
        click.UsageError: An argument is malformed.
    """

    def __init__(self, operation: Operation, key: str, arguments: Sequence[str]) -> None:
        self.operation = operation
        self._key = key
        self.given = {name: json_or_text(text) for name, text in split_pairs(arguments, "--argument")}
        columns: dict[str, str] = defaultdict(str)
        fill(self.given, columns)
        self.columns = {key, *columns}
        # A cell of CSV is text. It is converted in the same way as the value of an option.
        self._types = {
            each.argument_name: type_of(each, Facts())
            for each in operation.parameters
            if each.kind in ("boolean", "integer", "number")
        }

    def check(self, row: Row) -> None:
        """Check a row, before any row is sent.

        Raises:
            click.UsageError: The row lacks a column or its key, or a value has the wrong type.
        """
        place, values = row
        for column in sorted(self.columns - values.keys()):
            raise click.UsageError(f"{place} has no column {column!r}{nearest(column, values)}")
        key = values[self._key]
        if key == "" or isinstance(key, bool) or not isinstance(key, str | int):
            raise click.UsageError(f"{place}: the key in {self._key!r} must be text or a whole number")
        try:
            self.of(row)
        except click.BadParameter as error:
            raise click.UsageError(f"{place}: {error.message}") from None

    def of(self, row: Row) -> Mapping[str, Any]:
        """Return the keyword arguments for a row."""
        found: dict[str, Any] = fill(self.given, row[1])
        for name in self._types.keys() & found.keys():
            if isinstance(found[name], str):
                found[name] = self._types[name].convert(found[name], None, None)
        return found
