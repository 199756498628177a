"""A call as it was typed: the arguments of the method, and the settings of the call."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import click
from agent_session_platform import Operation, RequestOptions, RetryPolicy
from agent_session_platform.contract import is_object

from ..terminal_text import say
from .parameters import Bound, parse_json


@attrs.frozen
class CallRequest:
    """A call as it was typed.

    Attributes:
        operation: The operation to call.
        bound: Its parameters.
        given: What click has parsed, by key.
        body: What `--body` gave. It is read before the event loop runs, in which Ctrl-C would not end the reading.
    """

    operation: Operation
    bound: list[Bound]
    given: Mapping[str, Any]
    body: Any = None

    def arguments(self, method: Any) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments of the method, by place and by name.

        Args:
            method: The method of a client.

        Raises:
            click.UsageError: Something is given twice, or not to be sent.
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
            raise click.UsageError("--body must be a JSON object, whose members are those of the options and more")
        sent = {**sent, **extra} if is_object(sent) else sent
        if self.body is not None and takes_any:
            return path, named | {"body": sent}
        for name in [name for name in sent if name in members]:
            named.setdefault(members[name], sent.pop(name))
        if sent and not self.operation.takes_members:
            raise click.UsageError(f"the operation takes no member {sorted(sent)[0]!r}")
        return path, named | ({"extra_body": sent} if sent else {})

    def options(self, **more: Any) -> RequestOptions:
        """Return the settings of the call."""
        query = pairs(self.given["extra_query"], "--extra-query")
        attempts: int | None = self.given.get("attempts")
        retry = None if attempts is None else RetryPolicy(attempts=attempts)
        return RequestOptions(timeout=self.given.get("timeout"), retry=retry, extra_query=query or None, **more)


def read_body(operation: Operation, given: str | None) -> Any:
    """Return the body that `--body` names; None without it.

    Args:
        operation: The operation, which says whether it is JSON.
        given: `@FILE`, `-` for stdin, or the body itself.

    Raises:
        click.UsageError: The file cannot be read, or is not JSON where JSON is sent.
    """
    if given is None:
        return None
    content = content_of(given, "--body")
    media_type = operation.media_type or ""
    return parse_json(content, "--body") if "json" in media_type or "form" in media_type else content


def pairs(given: Sequence[str], option: str) -> dict[str, Any]:
    """Return what a repeated option gives: text by `NAME=TEXT`, any value by `NAME:=JSON`.

    Raises:
        click.UsageError: One has no `=`, or its value is not JSON.
    """
    found: dict[str, Any] = {}
    for name, value in split_pairs(given, option, "NAME=TEXT or NAME:=JSON"):
        key = name.removesuffix(":")
        found[key] = value if key == name else parse_json(value, f"{option} {key}")
    return found


def split_pairs(given: Sequence[str], option: str, form: str = "NAME=VALUE") -> Iterator[tuple[str, str]]:
    """Yield name and text of each `NAME=TEXT`.

    Raises:
        click.UsageError: One has no `=`, or no name.
    """
    for each in given:
        name, equals, text = each.partition("=")
        if not (name.strip(":") and equals):
            raise click.UsageError(f"{option} takes {form}, not {name[:40]!r}")
        yield name, text


def content_of(given: str, option: str) -> bytes:
    """Return the content of an option: of stdin for `-`, of the file that `@FILE` names, or the text itself.

    Raises:
        click.UsageError: The file cannot be read.
    """
    if given == "-":
        if sys.stdin.isatty():
            say(f"type the value of {option}, and end it with Ctrl-D on a line of its own")
        return sys.stdin.buffer.read()
    if not given.startswith("@"):
        return given.encode(errors="surrogateescape")
    try:
        return Path(given[1:]).read_bytes()
    except OSError as error:
        raise click.UsageError(f"{option} {given}: {error.strerror or error}") from None
