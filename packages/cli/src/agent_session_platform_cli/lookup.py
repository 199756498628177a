"""Find operations by the name that a person types."""

from __future__ import annotations

from collections.abc import Iterator

import click
from agent_session_platform import Catalogue, Operation
from click.shell_completion import CompletionItem

from .suggestions import nearest


def operation_named(name: str) -> Operation:
    """Return the operation of a name such as `organization.sessions.list`, or of an operationId.

    Raises:
        click.UsageError: There is none; the message has the nearest names.
    """
    catalogue = Catalogue()
    if name not in catalogue:
        raise click.UsageError(
            f"there is no operation {name[:80]!r}{nearest(name, names())}; `asp operations` lists all"
        )
    return catalogue[name]


def names() -> list[str]:
    """Return the names of all operations, sorted."""
    return sorted(each.name for each in Catalogue())


def complete_operation(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of an operation."""
    return [CompletionItem(name) for name in names() if name.startswith(incomplete)]


def operations_with(word: str) -> Iterator[Operation]:
    """Return the operations that have a word, in any case, in name, operationId, path, permission or summary."""
    wanted = word.lower()
    for operation in sorted(Catalogue(), key=str):
        texts = (operation.name, operation.id, operation.path, operation.permission or "", operation.summary)
        if any(wanted in text.lower() for text in texts):
            yield operation
