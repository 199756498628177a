"""The parameters of an operation as arguments and options of its command."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import attrs
import click
from agent_session_platform import Operation, Parameter
from click.shell_completion import CompletionItem

from ..contract import Facts, OperationContract
from ..recent import recent_ids
from .values import metavar_of, type_of

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
        notes.append(f"default: {to_text(facts.default)}")
    if parameter.kind == "array":
        notes.append("repeatable")
    description = FIRST_CLAUSE.split(" ".join(facts.description.split()), maxsplit=1)[0].rstrip(".")
    if len(description) > LONGEST_HELP:
        description = f"{description[:LONGEST_HELP].rpartition(' ')[0]} ..."
    return f"{description}  [{'; '.join(notes)}]" if notes else description


def to_text(value: Any) -> str:
    """Return a default as it is typed."""
    return value if isinstance(value, str) else json.dumps(value)
