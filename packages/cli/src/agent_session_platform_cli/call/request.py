"""A call as it was typed: the arguments of the method, checked as far as the contract allows."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import attrs
import click
from agent_session_platform import AgentPlatform, Operation, RequestOptions, RetryPolicy

from ..connect import method_of
from ..settings import Settings
from .parameters import Bound
from .payload import pairs, split_body


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
        """The columns of a table or of CSV; empty: as the items are."""
        return [each.strip() for each in (self.given.get("columns") or "").split(",") if each.strip()]

    @property
    def limit(self) -> int | None:
        """The greatest number of items; None: all."""
        limit: int | None = self.given.get("limit")
        return limit

    @property
    def page_size(self) -> int | None:
        """The page size that was given; None: none was."""
        sizes = [self.given[each.key] for each in self.bound if each.parameter.name == "first"]
        return sizes[0] if sizes else None

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
        path = [self.given[each.key] for each in self.bound if each.parameter.location == "path"]
        named: dict[str, Any] = {}
        for each in self.bound:
            value = self.given[each.key]
            if each.parameter.location != "path" and value not in (None, ()):
                named[each.parameter.argument_name] = [*value] if isinstance(value, tuple) else value
        members = {
            each.parameter.name: each.parameter.argument_name
            for each in self.bound
            if each.parameter.location == "body" and each.parameter.kind != "file"
        }
        extra = pairs(self.given.get("extra", ()), "--extra")
        if twice := [name for name in extra if members.get(name) in named]:
            raise click.UsageError(f"{twice[0]} is given twice: by its option and by --extra")
        body = split_body(self.body, extra, members, accepted)
        named = body | named
        for each in self.bound:
            if (
                each.parameter.required
                and each.parameter.location != "path"
                and each.parameter.argument_name not in named
            ):
                where = " (or the member in --body)" if each.parameter.location == "body" else ""
                raise click.UsageError(f"missing {each.option}{where}")
        if "body" in accepted and not self.operation.optional_body and self.operation.media_type and not body:
            raise click.UsageError("missing --body")
        return path, named

    def options(self, **more: Any) -> RequestOptions:
        """Return the settings of the call."""
        query = pairs(self.given["extra_query"], "--extra-query")
        attempts: int | None = self.given.get("attempts")
        retry = None if attempts is None else RetryPolicy(attempts=attempts)
        return RequestOptions(timeout=self.given.get("timeout"), retry=retry, extra_query=query or None, **more)
