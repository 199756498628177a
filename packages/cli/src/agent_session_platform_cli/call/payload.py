"""The body of a call: of one piece, of members, or of both."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import click
from agent_session_platform import Operation

from .values import json_or_text, parse_json


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
            click.echo("asp: type the body, and end it with Ctrl-D on a line of its own", err=True)
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
    """Return the `NAME=VALUE` of a repeated option; a value is JSON, or else text.

    Raises:
        click.UsageError: One has no `=`.
    """
    found: dict[str, Any] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not (name and equals):
            raise click.UsageError(f"{option} takes NAME=VALUE, not {name[:40]!r}")
        found[name] = json_or_text(value)
    return found


def split_body(
    body: Any, extra: Mapping[str, Any], named: Mapping[str, str], accepted: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments of the method that stand for a body.

    Args:
        body: What `--body` gave; None for nothing.
        extra: The members of `--extra`, which replace those of the body.
        named: The arguments of the members that the contract names, by their names on the wire.
        accepted: The parameters of the method.

    Raises:
        click.UsageError: Members were given where the body is none of an object.
    """
    keywords = {named.get(name, name): value for name, value in extra.items()}
    if body is None:
        return keywords
    if not isinstance(body, Mapping):
        if "body" not in accepted:
            raise click.UsageError("--body must be a JSON object, whose members are those of the options and more")
        if extra:
            raise click.UsageError("--extra adds members to an object, and --body is none")
        return {"body": body}
    members = {**cast("Mapping[str, Any]", body), **extra}
    if "body" in accepted:
        return {"body": members}
    arguments = {named[name]: members.pop(name) for name in [*members] if name in named}
    if members and "extra_body" not in accepted:
        raise click.UsageError(f"the operation takes no member {sorted(members)[0]!r}")
    return arguments | ({"extra_body": members} if members else {})
