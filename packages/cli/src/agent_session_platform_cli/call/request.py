"""A call as it was typed: the arguments of the method, checked as far as the contract allows."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import click
from agent_session_platform import AgentPlatform, Operation, RequestOptions, RetryPolicy

from ..connect import method_of
from ..settings import Settings
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

    @property
    def columns(self) -> list[str]:
        """The columns that were chosen; empty: as the items are."""
        return [each.strip() for each in (self.given.get("columns") or "").split(",") if each.strip()]

    @property
    def limit(self) -> int | None:
        """The greatest number of items; None: all."""
        limit: int | None = self.given.get("limit")
        return limit

    @property
    def page_size(self) -> int | None:
        """The page size that was given; None: none was."""
        return next((self.given[each.key] for each in self.bound if each.parameter.name == "first"), None)

    def method_of(self, platform: AgentPlatform, settings: Settings) -> Any:
        """Return the method of a client that calls the operation."""
        return method_of(platform, settings, self.operation)

    def arguments(self, method: Any) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments of the method, by place and by name.

        Args:
            method: What `method_of` returned.

        Raises:
            click.UsageError: Something is missing, given twice, or not to be sent.
        """
        accepted = inspect.signature(method).parameters
        path: list[Any] = []
        named: dict[str, Any] = {}
        for each in self.bound:
            value = self.given[each.key]
            if each.parameter.location == "path":
                path.append(value)
            elif value not in (None, ()):
                named[each.parameter.argument_name] = [*value] if isinstance(value, tuple) else value
        members = {
            each.parameter.name: each.parameter.argument_name
            for each in self.bound
            if each.parameter.location == "body" and each.parameter.kind != "file"
        }
        extra = pairs(self.given.get("extra", ()), "--extra")
        if twice := [name for name in extra if members.get(name) in named]:
            raise click.UsageError(f"{twice[0]} is given twice: by its option and by --extra")
        body = self._body(extra, members, accepted)
        named = body | named
        for each in self.bound:
            parameter = each.parameter
            if parameter.required and parameter.location != "path" and parameter.argument_name not in named:
                where = " (or the member in --body)" if parameter.location == "body" else ""
                raise click.UsageError(f"missing {each.option}{where}")
        if "body" in accepted and not self.operation.optional_body and self.operation.media_type and not body:
            raise click.UsageError("missing --body")
        return path, named

    def _body(self, extra: dict[str, Any], named: Mapping[str, str], accepted: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of the method that stand for `--body` and `--extra`, which replaces members of it."""
        is_object = isinstance(self.body, Mapping)
        if self.body is not None and not is_object and "body" not in accepted:
            raise click.UsageError("--body must be a JSON object, whose members are those of the options and more")
        if self.body is not None and not is_object and extra:
            raise click.UsageError("--extra adds members to an object, and --body is none")
        if self.body is not None and "body" in accepted:
            return {"body": {**self.body, **extra} if is_object else self.body}
        members: dict[str, Any] = {**(self.body or {}), **extra}
        arguments = {named[name]: members.pop(name) for name in [*members] if name in named}
        if members and not self.operation.takes_members:
            raise click.UsageError(f"the operation takes no member {sorted(members)[0]!r}")
        return arguments | ({"extra_body": members} if members else {})

    def options(self, **more: Any) -> RequestOptions:
        """Return the settings of the call."""
        query = pairs(self.given["extra_query"], "--extra-query")
        attempts: int | None = self.given.get("attempts")
        retry = None if attempts is None else RetryPolicy(attempts=attempts)
        return RequestOptions(timeout=self.given.get("timeout"), retry=retry, extra_query=query or None, **more)


def read_body(operation: Operation, given: str | None) -> Any:
    """Return the body that `--body` names; None without it.

    Args:
        operation: The operation, which says whether it is JSON, text or bytes.
        given: `@FILE`, `-` for stdin, or the body itself.

    Raises:
        click.UsageError: The file cannot be read, or is not JSON where JSON is sent.
    """
    if given is None:
        return None
    media_type = (operation.media_type or "").partition(";")[0].strip()
    if given == "-":
        if sys.stdin.isatty():
            say("type the body, and end it with Ctrl-D on a line of its own")
        content = sys.stdin.buffer.read()
    elif given.startswith("@"):
        try:
            content = Path(given[1:]).read_bytes()
        except OSError as error:
            raise click.UsageError(f"--body {given}: {error.strerror or error}") from None
    else:
        content = given.encode(errors="surrogateescape")
    if media_type.endswith(("/json", "+json")) or "form" in media_type:
        return parse_json(content, "--body")
    if not media_type.startswith("text/"):
        return content
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise click.UsageError("--body is text, but not in UTF-8") from None


def pairs(given: Sequence[str], option: str) -> dict[str, Any]:
    """Return what a repeated option gives: text by `NAME=TEXT`, any value by `NAME:=JSON`.

    Raises:
        click.UsageError: One has no `=`, or its value is not JSON.
    """
    found: dict[str, Any] = {}
    for each in given:
        name, equals, value = each.partition("=")
        is_json = name.endswith(":")
        name = name.removesuffix(":")
        if not (name and equals):
            raise click.UsageError(f"{option} takes NAME=TEXT or NAME:=JSON, not {name[:40]!r}")
        found[name] = parse_json(value, f"{option} {name}") if is_json else value
    return found
