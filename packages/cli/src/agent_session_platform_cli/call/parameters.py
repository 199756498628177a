"""The parameters of an operation as arguments and options of its command, and their values as the contract has them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any, Final, NoReturn
from uuid import UUID

import attrs
import click
from agent_session_platform import Operation, Parameter
from click.shell_completion import CompletionItem

from ..contract import Facts, OperationContract
from ..lookup import recent_ids
from ..option_types import ParamType, Whole

# The options of all operations keep their names: a parameter of the same name gets that of its place before it.
RESERVED: Final = frozenset(
    {
        *("body", "extra", "extra-query", "limit", "timeout", "attempts", "save", "redirect-host", "columns"),
        *("output", "organization", "base-url", "profile", "transport", "no-color", "debug", "help"),
    }
)

LONGEST_HELP: Final = 44
FIRST_CLAUSE: Final = re.compile(r"[.;:] ")


@attrs.frozen
class Bound:
    """A parameter of the operation, and where its value is found in what click has parsed.

    Attributes:
        parameter: The parameter.
        key: The name of the value in the arguments of the callback.
        option: How it is written, such as `--first`, or `USER_ID` of an argument.
        facts: What the contract says of it.
    """

    parameter: Parameter
    key: str
    option: str
    facts: Facts


def bind(operation: Operation, contract: OperationContract, reserved: frozenset[str] = RESERVED) -> list[Bound]:
    """Return the parameters that the command takes: not the organization, and not a whole body.

    Args:
        operation: The operation.
        contract: What the contract says of it.
        reserved: The names of the other options of the command.
    """
    # The organization of its scope is a global option.
    path = [each for each in operation.parameters if each.location == "path"]
    given_elsewhere = path[:1] if operation.scope == "organization" else []
    taken, bound = {*reserved}, list[Bound]()
    for index, parameter in enumerate(operation.parameters):
        if parameter in given_elsewhere or not parameter.name:
            continue
        facts = contract.facts(parameter.name, parameter.location)
        option = parameter.argument_name.strip("_").replace("_", "-").lower()
        if parameter.location == "path":
            option = option.replace("-", "_").upper()
        else:
            option = f"{parameter.location}-{option}" if option in taken else option
            taken.add(option)
            option = f"--{option}"
        bound.append(Bound(parameter, f"parameter_{index}", option, facts))
    return bound


def click_parameters(bound: list[Bound]) -> Iterator[click.Parameter]:
    """Make the arguments and options."""
    for each in bound:
        if each.parameter.location == "path":
            yield _argument(each)
    # What is required comes first.
    for each in sorted(bound, key=lambda each: not each.parameter.required):
        if each.parameter.location != "path":
            yield _option(each)


def _argument(bound: Bound) -> click.Argument:
    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(each) for each in recent_ids(bound.parameter.name) if each.startswith(incomplete)]

    return click.Argument(
        [bound.key], metavar=bound.option, type=type_of(bound.parameter, bound.facts), shell_complete=complete
    )


def _option(bound: Bound) -> click.Option:
    parameter, facts = bound.parameter, bound.facts

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(each) for each in map(str, facts.known) if each.startswith(incomplete)]

    more: dict[str, Any] = {"shell_complete": complete} if facts.known else {}
    return click.Option(
        [bound.key, bound.option],
        type=type_of(parameter, facts),
        multiple=parameter.kind == "array",
        default=None,
        metavar=metavar_of(parameter, facts),
        help=help_of(parameter, facts),
        **more,
    )


def help_of(parameter: Parameter, facts: Facts) -> str:
    """Return the help of an option: the beginning of its description, on about a line; `asp show` has all of it."""
    notes = ["required"] if parameter.required else []
    if facts.values and metavar_of(parameter, facts) == "CHOICE":
        notes.append(", ".join(map(str, facts.values)))
    if facts.known:
        notes.append(f"such as {', '.join(map(str, facts.known))}")
    if facts.default is not None:
        notes.append(f"default: {facts.default if isinstance(facts.default, str) else json.dumps(facts.default)}")
    if parameter.kind == "array":
        notes.append("repeatable")
    description = FIRST_CLAUSE.split(" ".join(facts.description.split()), maxsplit=1)[0].rstrip(".")
    if len(description) > LONGEST_HELP:
        description = f"{description[:LONGEST_HELP].rpartition(' ')[0]} ..."
    return f"{description}  [{'; '.join(notes)}]" if notes else description


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


class Json(ParamType):
    """JSON; where the contract shows no type, text as well.

    Args:
        name: What it is.
        or_text: Whether text stands for itself.
    """

    def __init__(self, name: str, *, or_text: bool = False) -> None:
        self.name = name
        self._or_text = or_text

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value."""
        if not isinstance(value, str):
            return value
        return json_or_text(value) if self._or_text else parse_json(value, "the value")


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
    "object": Json("json"),
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
    return FORMATS.get(kind) or (Json("value", or_text=True) if parameter.location == "body" else click.STRING)


def metavar_of(parameter: Parameter, facts: Facts) -> str:
    """Return what help shows for the value: its type, or the values where they are few."""
    kind = (facts.items if parameter.kind == "array" else parameter.kind) or "value"
    if facts.values:
        shown = "|".join(map(str, facts.values))
        return f"[{shown}]" if len(shown) <= 16 else "CHOICE"
    return {"string": "TEXT", "integer": "N", "array": "VALUE", "object": "JSON", "boolean": "BOOLEAN"}.get(
        kind, kind.upper()
    )
