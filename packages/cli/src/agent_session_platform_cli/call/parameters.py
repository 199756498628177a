"""Turn the parameters of an operation into options, and the typed options into arguments of the method."""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

import attrs
import click
from agent_session_platform import Operation, Parameter, RequestOptions, RetryPolicy
from agent_session_platform.contract import is_object

from ..contract import Facts, OperationContract
from ..settings import DASH, open_stdin
from ..terminal_text import escaped, say

# Names of options that every operation has. A parameter of the same name gets its location as a prefix.
RESERVED: Final = frozenset(
    {
        *("body", "extra", "extra-query", "limit", "timeout", "attempts", "save", "columns"),
        *("json", "output", "organization", "base-url", "profile", "transport", "no-color", "debug", "help"),
    }
)

LONGEST_HELP: Final = 44
FIRST_CLAUSE: Final = re.compile(r"[.;:] ")


@attrs.frozen
class Bound:
    """A parameter of an operation, and its option.

    Attributes:
        parameter: The parameter.
        key: The name of the value in the arguments of the callback.
        option: The option, such as `--first`, or the name of an argument, such as `USER_ID`.
        facts: The facts of the contract about the parameter.
    """

    parameter: Parameter
    key: str
    option: str
    facts: Facts

    @property
    def example(self) -> Any:
        """An example of the value. If the contract has none, the name of the option in capital letters."""
        return self.facts.example if self.facts.example is not None else self.option.lstrip("-").upper()


def bind(operation: Operation, contract: OperationContract, reserved: frozenset[str] = RESERVED) -> list[Bound]:
    """Return the parameters that become options and arguments. The organization and a whole body are left out.

    Args:
        operation: The operation.
        contract: The part of the contract about the operation.
        reserved: The names of the other options of the command.
    """
    # The organization is a global option.
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
    """Yield the arguments, then the required options, then the other options."""
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
    """Return the help of an option: the first clause of its description, and notes. `asp show` has the whole text."""
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
    # A shell shows the help with its completions.
    return escaped(f"{text}  [{'; '.join(notes)}]" if notes else text)


def json_or_text(text: str) -> Any:
    """Return the value of a JSON text. Any other text is returned as it is.

    Example:
        >>> json_or_text("3"), json_or_text("fast"), json_or_text('"3"')
        (3, 'fast', '3')
    """
    try:
        return parse_json(text)
    except click.UsageError:
        return text


def parse_json(text: str | bytes, place: str = "the value") -> Any:
    """Return the value of a JSON text.

    Raises:
        click.UsageError: The text is not JSON. The message names the place, and does not show the text.
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise click.UsageError(f"{place} is not JSON: {error}") from None


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"JSON has no {name}")


class Parsed(click.ParamType[Any]):
    """A value that a function parses from its text.

    Args:
        name: The name of the type in the help.
        parse: The function.
    """

    def __init__(self, name: str, parse: Callable[[str], Any]) -> None:
        self.name = name
        self._parse = parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the parsed value."""
        try:
            return self._parse(value) if isinstance(value, str) else value
        except click.UsageError as error:
            self.fail(error.message, param, ctx)


TYPES: Final[dict[str, click.ParamType[Any]]] = {
    "boolean": click.BOOL,
    "integer": click.INT,
    "number": click.FLOAT,
    "object": Parsed("JSON", parse_json),
    "file": click.Path(exists=True, dir_okay=False),
}


def type_of(parameter: Parameter, facts: Facts) -> click.ParamType[Any]:
    """Return the type of an option or argument; for an array, the type of its items.

    Bounds are not part of the type, because the SDK checks them.
    """
    if facts.values and all(isinstance(value, str) for value in facts.values):
        return click.Choice(facts.values)
    kind = facts.items if parameter.kind == "array" else parameter.kind
    # All values in a URL are text. A member of the body may have any type if the contract shows no type for it.
    unknown = Parsed("TEXT|JSON", json_or_text) if parameter.location == "body" and not kind else click.STRING
    return TYPES.get(kind, unknown)


@attrs.frozen
class CallRequest:
    """A call as the user typed it.

    Attributes:
        operation: The operation to call.
        bound: The parameters of its command.
        given: The parsed values, by key.
        body: The value of `--body`; None without it.
    """

    operation: Operation
    bound: list[Bound]
    given: Mapping[str, Any]
    body: Any = None

    def arguments(self, method: Any) -> tuple[list[Any], dict[str, Any]]:
        """Return the positional arguments and the keyword arguments of the method.

        Args:
            method: The method of a client.

        Raises:
            click.UsageError: A member is given twice, or the operation does not take it.
        """
        path: list[Any] = []
        named: dict[str, Any] = {}
        for each in self.bound:
            value = self.given[each.key]
            if each.parameter.location == "path":
                path.append(value)
            elif value not in (None, ()):
                named[each.parameter.argument_name] = [*value] if isinstance(value, tuple) else value
        extra = pairs(self.given.get("extra", ()), "--extra")
        in_body = [each.parameter for each in self.bound if each.parameter.location == "body"]
        members = {each.name: each.argument_name for each in in_body if each.kind != "file"}
        if twice := [name for name in extra if members.get(name) in named]:
            raise click.UsageError(f"{twice[0]} is given twice: by its option and by --extra")
        takes_any = "body" in inspect.signature(method).parameters
        sent: Any = self.body if self.body is not None else {}
        if not is_object(sent) and (extra or not takes_any):
            raise click.UsageError("--body must be a JSON object with the members to send")
        sent = {**sent, **extra} if is_object(sent) else sent
        if self.body is not None and takes_any:
            return path, named | {"body": sent}
        for name in [name for name in sent if name in members]:
            named.setdefault(members[name], sent.pop(name))
        if sent and not self.operation.takes_members:
            raise click.UsageError(f"the operation takes no member {sorted(sent)[0]!r}")
        return path, named | ({"extra_body": sent} if sent else {})

    def options(self, on_send: Callable[[], Awaitable[None]] | None = None) -> RequestOptions:
        """Return the options of the request; *on_send* is awaited before each attempt."""
        query = pairs(self.given["extra_query"], "--extra-query")
        attempts: int | None = self.given.get("attempts")
        retry = None if attempts is None else RetryPolicy(attempts=attempts)
        timeout: float | None = self.given.get("timeout")
        return RequestOptions(timeout=timeout, retry=retry, extra_query=query or None, on_send=on_send)


def read_body(operation: Operation, given: str | None) -> Any:
    """Return the value of `--body`; None without it.

    Args:
        operation: The operation; its media type decides whether the body must be JSON.
        given: `@FILE`, `-` for stdin, or the body itself.

    Raises:
        click.UsageError: The file cannot be read, or the body is not JSON.
    """
    if given is None:
        return None
    content = given.encode(errors="surrogateescape")
    try:
        if given in (DASH, f"@{DASH}"):
            stdin = open_stdin(f"--body {given}")
            if stdin.isatty():
                say("type the body, then press Enter and Ctrl-D")
            content = stdin.read()
        elif given.startswith("@"):
            content = Path(given.removeprefix("@")).read_bytes()
    except OSError as error:
        raise click.UsageError(f"--body {given}: {error.strerror or error}") from None
    media_type = operation.media_type or ""
    return parse_json(content, "--body") if "json" in media_type or "form" in media_type else content


def pairs(given: Sequence[str], option: str) -> dict[str, Any]:
    """Return the values of a repeated option, by name: text for `NAME=TEXT`, any value for `NAME:=JSON`.

    Raises:
        click.UsageError: A value has no `=`, or is not JSON.
    """
    found: dict[str, Any] = {}
    for name, value in split_pairs(given, option, "NAME=TEXT or NAME:=JSON"):
        key = name.removesuffix(":")
        found[key] = value if key == name else parse_json(value, f"{option} {key}")
    return found


def split_pairs(given: Sequence[str], option: str, form: str = "NAME=VALUE") -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each `NAME=TEXT`.

    Raises:
        click.UsageError: A value has no `=`, or no name.
    """
    for each in given:
        name, equals, text = each.partition("=")
        if not (name.strip(":") and equals):
            raise click.UsageError(f"{option} takes {form}, not {name[:40]!r}")
        yield name, text
