"""The parameters of an operation as arguments and options of its command, and their values as the contract has them."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from typing import Any, Final, NoReturn

import attrs
import click
from agent_session_platform import Operation, Parameter
from click.types import FuncParamType

from ..contract import Facts, OperationContract

# The options of all operations keep their names: a parameter of the same name gets that of its place before it.
RESERVED: Final = frozenset(
    {
        *("body", "extra", "extra-query", "limit", "timeout", "attempts", "save", "redirect-host", "columns"),
        *("json", "output", "organization", "base-url", "profile", "transport", "no-color", "debug", "help"),
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

    @property
    def example(self) -> Any:
        """A value to show; where the contract has none, a word that stands for one."""
        return self.facts.example if self.facts.example is not None else self.option.lstrip("-").upper()


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
        option = parameter.argument_name.strip("_").replace("_", "-").lower()
        if parameter.location == "path":
            option = option.replace("-", "_").upper()
        else:
            option = f"{parameter.location}-{option}" if option in taken else option
            taken.add(option)
            option = f"--{option}"
        facts = contract.facts(parameter.name, parameter.location)
        bound.append(Bound(parameter, f"parameter_{index}", option, facts))
    return bound


def click_parameters(bound: list[Bound]) -> Iterator[click.Parameter]:
    """Make the arguments, and then the options, of which those that are required come first."""
    for each in bound:
        if each.parameter.location == "path":
            yield click.Argument([each.key], metavar=each.option, type=type_of(each.parameter, each.facts))
    for each in sorted(bound, key=lambda each: not each.parameter.required):
        if each.parameter.location != "path":
            yield _option(each)


def _option(bound: Bound) -> click.Option:
    parameter, facts = bound.parameter, bound.facts
    return click.Option(
        [bound.key, bound.option],
        type=type_of(parameter, facts),
        multiple=parameter.kind == "array",
        default=None,
        metavar="CHOICE" if facts.values else None,
        help=_help(parameter, facts),
    )


def _help(parameter: Parameter, facts: Facts) -> str:
    """Return the help of an option: the beginning of its description, on about a line; `asp show` has all of it."""
    notes = ["required"] if parameter.required else []
    if facts.values:
        notes.append(", ".join(map(str, facts.values)))
    if facts.known:
        notes.append(f"such as {', '.join(map(str, facts.known))}")
    if facts.default is not None:
        notes.append(f"default: {facts.default if isinstance(facts.default, str) else json.dumps(facts.default)}")
    if parameter.kind == "array":
        notes.append("repeatable")
    clause = FIRST_CLAUSE.split(facts.description, maxsplit=1)[0].rstrip(". \n")
    text = textwrap.shorten(clause, LONGEST_HELP, placeholder=" ...")
    return f"{text}  [{'; '.join(notes)}]" if notes else text


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


def parse_json(text: str | bytes, place: str = "the value") -> Any:
    """Return the JSON value that a text is.

    Raises:
        click.UsageError: It is none; the message names the place, and shows nothing of the text.
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        where = str(error)
        if isinstance(error, json.JSONDecodeError):
            where = f"line {error.lineno}, column {error.colno}: {error.msg}"
        raise click.UsageError(f"{place} is not JSON ({where})") from None


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no value of JSON")


TYPES: Final[dict[str, click.ParamType[Any]]] = {
    "boolean": click.BOOL,
    "integer": click.INT,
    "number": click.FLOAT,
    "object": FuncParamType(parse_json),
    "file": click.Path(exists=True, dir_okay=False),
    **dict.fromkeys(("string", "duration", "date", "date-time", "uuid"), click.STRING),
}
# What stands in a URL is text anyway; of a member of the body that is shown without a type, text stands for itself.
UNKNOWN: Final[dict[bool, click.ParamType[Any]]] = {True: FuncParamType(json_or_text), False: click.STRING}


def type_of(parameter: Parameter, facts: Facts) -> click.ParamType[Any]:
    """Return the type of an option or argument; of an array that of its items. The SDK checks its bounds."""
    if facts.values and all(isinstance(value, str) for value in facts.values):
        return click.Choice(facts.values)
    kind = facts.items if parameter.kind == "array" else parameter.kind
    return TYPES.get(kind) or UNKNOWN[parameter.location == "body"]
