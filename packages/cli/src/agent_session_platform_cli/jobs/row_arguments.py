"""The arguments of a create for each row: a template, checked before anything is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import click
from agent_session_platform import InvalidArgumentError, Operation, operations

from ..call.parameters import json_or_text, parse_json, type_of
from ..contract import Facts
from ..suggestions import nearest
from .rows import Row
from .template import columns_in, fill

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
