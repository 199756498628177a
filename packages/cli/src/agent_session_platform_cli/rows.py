"""Read the rows of a file, and make the arguments of a call from each row."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, Final, TextIO, TypeAlias

import click
from agent_session_platform import Operation
from agent_session_platform.contract import is_array, is_object

from .call.parameters import json_or_text, parse_json, split_pairs, type_of
from .contract import Facts
from .lookup import nearest
from .settings import DASH, open_stdin
from .terminal_text import to_text

Row: TypeAlias = tuple[str, Mapping[str, Any]]
"""The file and line of a row, for messages, and the values of the row by column."""


# Matches the names of streams that are open already. Such a name says nothing about the rows.
STREAM: Final = re.compile(r"/dev/(stdin|fd/.*)|/proc/.*")
# A spreadsheet may have a whole log in one cell. The limit of the csv module is 131,072 characters.
LONGEST_CELL: Final = 2**31 - 1
CHUNK: Final = 2**20


def is_named(path: str) -> bool:
    """Return whether a path names a file that another run can find again. A pipe and stdin have no such name."""
    return path != DASH and os.path.isfile(path) and STREAM.fullmatch(os.path.abspath(path)) is None


class Rows(AbstractContextManager["Rows"]):
    """The rows of a file or a pipe. They are read from disk each time, and not kept in memory unless they are an array.

    A pipe can be read only once, so its content is copied into a temporary file.

    Args:
        path: The file, in UTF-8: JSON Lines, a JSON array of objects, or CSV with a header. `-` stands for stdin.

    Raises:
        click.UsageError: stdin is closed.
        OSError: The file cannot be read.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._name = "stdin" if path == DASH else path
        if is_named(path):
            self._file: BinaryIO = open(path, "rb")  # noqa: SIM115  # `__exit__` closes it
            return
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # `__exit__` closes it
        with nullcontext(open_stdin("ROWS")) if path == DASH else open(path, "rb") as source:
            shutil.copyfileobj(source, self._file, CHUNK)

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[Row]:
        """Iterate over the rows, from the beginning.

        Raises:
            click.UsageError: The format is wrong. The message names the line, and does not show its content.
        """
        self._file.seek(0)
        # Spreadsheet programs write a byte order mark.
        text = io.TextIOWrapper(self._file, encoding="utf-8-sig", newline="")
        try:
            yield from self._reader(text)(self._name, text)
        except UnicodeDecodeError:
            raise click.UsageError(f"{self._name} is not in UTF-8") from None
        finally:
            text.detach()

    def _reader(self, text: TextIO) -> Callable[[str, TextIO], Iterator[Row]]:
        """Return the function that reads the format of the rows. The text is at its beginning again afterwards."""
        begin = ""
        while not begin and (line := text.readline(CHUNK)):
            begin = line.strip()[:1]
        text.seek(0)
        if begin == "[":
            return _json_array
        # The suffix may be wrong, and no column has such a name.
        is_json = begin == "{" or Path(self._path).suffix.lower() in (".json", ".jsonl", ".ndjson")
        return _json_lines if is_json else _csv


def _json_lines(path: str, file: TextIO) -> Iterator[Row]:
    for number, line in enumerate(file, 1):
        if line.strip():
            place = f"{path}, line {number}"
            yield place, _as_row(parse_json(line, place), place)


def _json_array(path: str, file: TextIO) -> Iterator[Row]:
    rows = parse_json(file.read(), path)
    for number, row in enumerate(rows, 1):
        place = f"{path}, item {number}"
        yield place, _as_row(row, place)


def _as_row(value: Any, place: str) -> Mapping[str, Any]:
    if not is_object(value):
        raise click.UsageError(f"{place} is not a JSON object")
    return value


def _csv(path: str, file: TextIO) -> Iterator[Row]:
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.DictReader(file, strict=True)
    try:
        header = reader.fieldnames
        if header is None:
            raise click.UsageError(f"{path} is empty: CSV begins with a header")
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

    def check_all(self, rows: Iterable[Row]) -> None:
        """Check all rows, before any row is sent.

        Raises:
            click.UsageError: A row is wrong, or two rows have the same key.
        """
        keys = set[str]()
        for row in rows:
            self.check(row)
            place, values = row
            key = str(values[self._key])
            if key in keys:
                raise click.UsageError(f"{place}: an earlier row has the same key {key[:80]!r}; give each row its own")
            keys.add(key)

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
