"""Rows of a file, and the arguments that each of them becomes."""

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

LINES: Final = (".jsonl", ".ndjson")

Row: TypeAlias = tuple[str, Mapping[str, Any]]
"""File and line of a row, for messages, and its values by column."""


def read_rows(path: str) -> Iterator[Row]:
    """Iterate over the rows of a file, which is not kept in memory.

    Args:
        path: The file, in UTF-8: CSV, or JSON Lines by its suffix.

    Raises:
        click.UsageError: It is not in this form; the message names the line, and shows nothing of it.
        OSError: It cannot be read.
    """
    read = _json_lines if Path(path).suffix.lower() in LINES else _csv
    try:
        # A program of tables writes a byte order mark.
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
                raise click.UsageError(f"{place} is no JSON object")
            yield place, value


def _csv(path: str, file: Iterator[str]) -> Iterator[Row]:
    reader = csv.DictReader(file, strict=True)
    try:
        header = reader.fieldnames or ()
        if len({*header}) < len(header):
            raise click.UsageError(f"{path} has two columns of one name in its header")
        for row in reader:
            place = f"{path}, line {reader.line_num}"
            # That is how it marks cells without a column, and columns without a cell.
            if None in row or None in row.values():
                raise click.UsageError(f"{place} must have as many cells as the header")
            yield place, row
    except csv.Error as error:
        raise click.UsageError(f"{path}, line {reader.reader.line_num}: {error}") from None


PART: Final = re.compile(r"\{\{|\}\}|\{([^{}]+)\}|[{}]")


def fill(value: Any, row: Mapping[str, Any]) -> Any:
    """Return a value with the columns of a row in its texts; a text that is only `{column}` becomes the value of it.

    Args:
        value: A value of JSON, whose columns the row has.
        row: The row.

    Raises:
        click.UsageError: A brace stands alone.

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
        raise click.UsageError(f"{part[0]!r} stands alone: write {{column}} for a column, and {{{{ or }}}} for a brace")

    if isinstance(value, str):
        whole = PART.fullmatch(value)
        return row[whole[1]] if whole is not None and whole[1] else PART.sub(text_of, value)
    if is_object(value):
        return {name: fill(each, row) for name, each in value.items()}
    return [fill(each, row) for each in value] if is_array(value) else value


class RowArguments:
    """The keywords that `create` is called with for a row.

    Args:
        operation: The operation that creates an object.
        key: The column with the key of a row.
        arguments: The `--argument`s, such as `prompt=Fix {what}` or `tags=["{team}"]`.

    Attributes:
        operation: The operation.
        given: The values of the arguments, with columns in them.
        columns: The columns that every row must have.

    Raises:
        click.UsageError: Something is malformed.
    """

    def __init__(self, operation: Operation, key: str, arguments: Sequence[str]) -> None:
        self.operation = operation
        self._key = key
        self.given = {name: json_or_text(text) for name, text in split_pairs(arguments, "--argument")}
        columns: dict[str, str] = defaultdict(str)
        fill(self.given, columns)
        self.columns = {key, *columns}
        # A cell of CSV is text, and is read as an option is.
        self._types = {
            each.argument_name: type_of(each, Facts())
            for each in operation.parameters
            if each.kind in ("boolean", "integer", "number")
        }

    def check(self, row: Row) -> None:
        """Check a row, so that it is not refused when others were sent.

        Raises:
            click.UsageError: It has no key, not all the columns, or a value of the wrong kind.
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
        """Return the keywords of the method for a row that was checked."""
        found: dict[str, Any] = fill(self.given, row[1])
        for name in self._types.keys() & found.keys():
            if isinstance(found[name], str):
                found[name] = self._types[name].convert(found[name], None, None)
        return found
