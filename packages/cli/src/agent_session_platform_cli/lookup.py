"""Names that were typed: the operation that is meant, and the nearest known name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import Final

import click
from agent_session_platform import Catalogue, Operation
from click.shell_completion import CompletionItem

# The time grows with the square of the length.
LONGEST: Final = 200
MOST: Final = 3


def nearest(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean ...?` with the nearest of the known names; empty if none is near.

    Example:
        >>> nearest("cal", ["call", "show"])
        "; did you mean 'call'?"
    """
    names = [*known]
    close = difflib.get_close_matches(name[:LONGEST], names, n=MOST, cutoff=0.6)
    if not close:
        # Somebody who writes `sessions.list` means one of the scopes.
        close = [each for each in names if each.endswith(f".{name}")][:MOST]
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""


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
