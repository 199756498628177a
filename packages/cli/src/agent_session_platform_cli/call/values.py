"""Text of the command line as values of the types that the contract declares."""

from __future__ import annotations

import json
from datetime import date, datetime
from typing import Any, Final, NoReturn
from uuid import UUID

import click
from agent_session_platform import Parameter

from ..contract import Facts
from ..option_types import ParamType, Whole


def json_or_text(text: str) -> Any:
    """Return the JSON value that a text is; one that is no JSON stands for itself.

    Example:
        >>> json_or_text("3"), json_or_text("fast"), json_or_text('"3"')
        (3, 'fast', '3')
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except ValueError:
        return text


def parse_json(text: str | bytes, place: str) -> Any:
    """Return the JSON value that a text is.

    Raises:
        click.UsageError: It is none; the message names the place, and shows nothing of the text.
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        where = (
            f"line {error.lineno}, column {error.colno}: {error.msg}"
            if isinstance(error, json.JSONDecodeError)
            else str(error)
        )
        raise click.UsageError(f"{place} is not JSON ({where})") from None


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no value of JSON")


class JsonOrText(ParamType):
    """A value whose type the contract does not show."""

    name = "value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value."""
        return json_or_text(value) if isinstance(value, str) else value


class Json(ParamType):
    """An object, as JSON."""

    name = "json"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value."""
        return parse_json(value, "the value") if isinstance(value, str) else value


class Checked(ParamType):
    """Text in a format, which is sent as it is written.

    Args:
        name: What it is.
        example: How it may look.
    """

    def __init__(self, name: str, example: str) -> None:
        self.name = name
        self._example = example

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the text if it has the format."""
        try:
            if self.name == "date-time":
                if datetime.fromisoformat(value).tzinfo is None:
                    self.fail(f"{value[:80]!r} has no timezone; write it like {self._example}", param, ctx)
            elif self.name == "date":
                date.fromisoformat(value)
            else:
                UUID(value)
        except (ValueError, TypeError):
            self.fail(f"{str(value)[:80]!r} is no {self.name}; write it like {self._example}", param, ctx)
        return value


FORMATS: Final[dict[str, ParamType]] = {
    "boolean": click.BOOL,
    "integer": click.INT,
    "number": click.FLOAT,
    "object": Json(),
    "date-time": Checked("date-time", "2026-11-02T09:00:00Z"),
    "date": Checked("date", "2026-11-02"),
    "uuid": Checked("uuid", "00000000-0000-4000-8000-000000000000"),
    "file": click.Path(exists=True, dir_okay=False),
    "string": click.STRING,
    "duration": click.STRING,
}


def type_of(parameter: Parameter, facts: Facts) -> ParamType:
    """Return the type of an option or argument; of an array that of its items."""
    kind = facts.items if parameter.kind == "array" else parameter.kind
    if facts.values and all(isinstance(value, str) for value in facts.values):
        return click.Choice(facts.values)
    if parameter.kind in ("integer", "number") and (parameter.minimum is not None or parameter.maximum is not None):
        if parameter.kind == "integer":
            least, most = (None if each is None else int(each) for each in (parameter.minimum, parameter.maximum))
            return Whole(least, most)
        return click.FloatRange(parameter.minimum, parameter.maximum)
    # What stands in a URL is text anyway.
    return FORMATS.get(kind) or (JsonOrText() if parameter.location == "body" else click.STRING)


def metavar_of(parameter: Parameter, facts: Facts) -> str:
    """Return what help shows for the value: its type, or the values where they are few."""
    kind = (facts.items if parameter.kind == "array" else parameter.kind) or "value"
    if facts.values:
        shown = "|".join(map(str, facts.values))
        return f"[{shown}]" if len(shown) <= 16 else "CHOICE"
    return {"string": "TEXT", "integer": "N", "array": "VALUE", "object": "JSON", "boolean": "BOOLEAN"}.get(
        kind, kind.upper()
    )
