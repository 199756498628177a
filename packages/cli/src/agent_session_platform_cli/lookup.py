"""Names that are typed: found, corrected and completed."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import Final

import click
from agent_session_platform import Catalogue, InvalidArgumentError, Operation
from click.shell_completion import CompletionItem, shell_complete

from .settings import Settings, asp_command

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


def operation_named(name: str, advice: str = "`asp operations` lists all") -> Operation:
    """Return the operation of a name such as `organization.sessions.list`, or of an operationId.

    Args:
        name: The name.
        advice: How the reader of the message finds one.

    Raises:
        InvalidArgumentError: There is none; the message has the nearest names.
    """
    catalogue = Catalogue()
    if name not in catalogue:
        raise InvalidArgumentError(f"there is no operation {name[:80]!r}{nearest(name, names())}; {advice}")
    return catalogue[name]


def names() -> list[str]:
    """Return the names of all operations, sorted."""
    return sorted(each.name for each in Catalogue())


def complete_operation(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of an operation."""
    return [CompletionItem(name) for name in names() if name.startswith(incomplete)]


def operations_with(word: str) -> Iterator[Operation]:
    """Return the operations that have a word, in any case, in name, operationId, path, permission or summary."""
    for each in sorted(Catalogue(), key=str):
        if word.lower() in "\n".join((each.name, each.id, each.path, each.permission or "", each.summary)).lower():
            yield each


@asp_command(
    examples=(
        'eval "$(asp completion bash)"                             # in ~/.bashrc',
        'eval "$(asp completion zsh)"                              # in ~/.zshrc, after compinit',
        "asp completion fish > ~/.config/fish/completions/asp.fish",
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(_: Settings, shell: str) -> None:
    """Print the script that completes commands, operations and their options."""
    shell_complete(click.get_current_context().find_root().command, {}, "asp", "_ASP_COMPLETE", f"{shell}_source")
