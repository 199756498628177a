"""Rows of a file, and the arguments that each of them becomes."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import attrs
import click
from agent_session_platform import InvalidArgumentError, Operation, operations

from ..call.parameters import json_or_text, parse_json, type_of
from ..contract import Facts
from ..lookup import nearest
from ..terminal_text import to_text

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


PART: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
LITERAL: Final = {"{{": "{", "}}": "}"}


def columns_in(value: Any, place: str) -> Iterator[str]:
    """Yield the columns that the texts of a value name.

    Args:
        value: A value of JSON.
        place: Where it was given, for messages.

    Raises:
        click.UsageError: A brace stands alone.
    """
    if isinstance(value, str):
        for part in PART.finditer(value):
            if part[0] in ("{", "}", "{}"):
                raise click.UsageError(
                    f"{place}: a text has {part[0]!r}; write {{column}} for a column, and {{{{ or }}}} for a brace"
                )
            if part[1] is not None:
                yield part[1]
    elif isinstance(value, Mapping):
        for each in cast("Mapping[str, Any]", value).values():
            yield from columns_in(each, place)
    elif isinstance(value, list):
        for each in cast("list[object]", value):
            yield from columns_in(each, place)


def fill(value: Any, row: Mapping[str, Any]) -> Any:
    """Return a value with the columns of a row in its texts; a text that is only `{column}` becomes the value of it.

    Args:
        value: A value of JSON, whose columns the row has.
        row: The row.

    Example:
        >>> fill({"prompt": "Fix {what}", "tags": ["{team}"], "size": "{n}"}, {"what": "it", "team": "core", "n": 3})
        {'prompt': 'Fix it', 'tags': ['core'], 'size': 3}
    """
    if isinstance(value, str):
        whole = PART.fullmatch(value)
        if whole is not None and whole[1] is not None:
            return row[whole[1]]
        return PART.sub(lambda part: LITERAL.get(part[0]) or _text(row[part[1]]), value)
    if isinstance(value, Mapping):
        return {name: fill(each, row) for name, each in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list):
        return [fill(each, row) for each in cast("list[object]", value)]
    return value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else to_text(value)


# A cell of CSV is text, and these are read from it as options are.
READ_FROM_TEXT: Final = ("integer", "number", "boolean")


class RowArguments:
    """The keywords that `create` is called with for a row.

    Args:
        operation: The operation that creates an object.
        key: The column with the key of a row.
        template: `--template`: JSON, or `@FILE`; None: none.
        arguments: The `--argument`s, which win.

    Attributes:
        columns: The columns that every row must have.

    Raises:
        click.UsageError: Something is malformed, or no argument of the operation.
    """

    def __init__(self, operation: Operation, key: str, template: str | None, arguments: Sequence[str]) -> None:
        self._key = key
        self._template = _read(template)
        for each in arguments:
            _put(self._template, each)
        self.columns = {key, *columns_in(self._template, "--template or --argument")}
        self._types = {
            each.argument_name: type_of(each, Facts())
            for each in operation.parameters
            if each.kind in READ_FROM_TEXT and each.name
        }

    def check_names(self, method: Callable[..., Any]) -> None:
        """Refuse names that are no arguments of the method.

        Raises:
            click.UsageError: One is none, or one is missing; the message says what to write.
        """
        try:
            operations.check_arguments(method, self._template)
        except InvalidArgumentError as error:
            raise click.UsageError(str(error)) from None

    def check(self, rows: Iterable[Row]) -> None:
        """Check all rows, so that the last one is not refused when the others were sent.

        Raises:
            click.UsageError: A row has no key, not all the columns, or a value of the wrong kind.
        """
        for row in rows:
            for column in sorted(self.columns - row.values.keys()):
                raise click.UsageError(f"{row.place} has no column {column!r}{nearest(column, row.values)}")
            key = row.values[self._key]
            if key == "" or isinstance(key, bool) or not isinstance(key, str | int):
                raise click.UsageError(f"{row.place}: the key in {self._key!r} must be text or a whole number")
            try:
                self.of(row)
            except click.BadParameter as error:
                raise click.UsageError(f"{row.place}: {error.message}") from None

    def key_of(self, row: Row) -> str | int:
        """Return the key of a row."""
        key: str | int = row.values[self._key]
        return key

    def of(self, row: Row) -> Mapping[str, Any]:
        """Return the keywords of the method for a row that was checked."""
        filled: dict[str, Any] = fill(self._template, row.values)
        return {name: self._typed(name, value) for name, value in filled.items()}

    def _typed(self, name: str, value: Any) -> Any:
        kind = self._types.get(name)
        return kind.convert(value, None, None) if kind is not None and isinstance(value, str) else value


def _read(template: str | None) -> dict[str, Any]:
    if template is None:
        return {}
    content: str | bytes = template
    if template.startswith("@"):
        try:
            content = Path(template[1:]).read_bytes()
        except OSError as error:
            raise click.UsageError(f"--template {template}: {error.strerror or error}") from None
    found = parse_json(content, "--template")
    if not isinstance(found, dict):
        raise click.UsageError('--template must be a JSON object of arguments, such as {"title": "{column}"}')
    return cast("dict[str, Any]", found)


def _put(template: dict[str, Any], argument: str) -> None:
    """Put `NAME[.MEMBER...]=VALUE` in its place."""
    name, equals, text = argument.partition("=")
    *places, last = name.split(".")
    if not equals or not all((*places, last)):
        raise click.UsageError(f"--argument takes NAME=VALUE or NAME.MEMBER=VALUE, not {argument[:80]!r}")
    for place in places:
        inner: Any = template.setdefault(place, {})
        if not isinstance(inner, dict):
            raise click.UsageError(f"--argument {name}: {place} is no object")
        template = cast("dict[str, Any]", inner)
    template[last] = json_or_text(text)
