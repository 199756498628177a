"""Conditions of a wait, as they are typed: `--until status=ready,failed`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import click

from ..call.parameters import json_or_text


def values_by_field(given: Sequence[str], option: str) -> dict[str, list[Any]] | None:
    """Return the values of each field; None if the option was not given.

    A value stands for the text that was typed and, where that is JSON, for that value as well: `3` is 3 and "3". A
    JSON array is a list of values, for those with a comma.

    Args:
        given: The `NAME=VALUE[,VALUE]`; those of one name are taken together.
        option: The option, for messages.

    Raises:
        click.UsageError: One has no `=`, no name or no value.

    Example:
        >>> values_by_field(["status=ready,failed", "is_archived=true"], "--until")
        {'status': ['ready', 'failed'], 'is_archived': ['true', True]}
    """
    found: dict[str, list[Any]] = {}
    for each in given:
        name, equals, text = each.partition("=")
        if not (name and equals and text):
            raise click.UsageError(
                f"{option} takes NAME=VALUE[,VALUE...], such as title=done,failed; not {each[:80]!r}"
            )
        found.setdefault(name, []).extend(_values(text))
    return found or None


def _values(text: str) -> list[Any]:
    whole = json_or_text(text)
    if isinstance(whole, list):
        return [*cast("list[object]", whole)]
    found: list[Any] = []
    for part in [text] if isinstance(whole, dict) else text.split(","):
        value = json_or_text(part)
        found += [part] if value == part else [part, value]
    return found
