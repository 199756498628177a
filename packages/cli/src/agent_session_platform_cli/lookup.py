"""Find, suggest and complete the names of operations."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import Final

import click
from agent_session_platform import Catalogue, InvalidArgumentError, Operation
from click.shell_completion import CompletionItem, shell_complete

from .settings import Settings, asp_command

# Comparing longer names would take too long.
LONGEST: Final = 200
MOST: Final = 3


def nearest(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean ...?` with the most similar known names; empty if no name is similar.

    Example:
        >>> nearest("cal", ["call", "show"])
        "; did you mean 'call'?"
    """
    names = [*known]
    close = difflib.get_close_matches(name[:LONGEST], names, n=MOST, cutoff=0.6)
    if not close:
        # The scope may be missing, as in `sessions.list`.
        close = [each for each in names if each.endswith(f".{name}")][:MOST]
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""


def operation_named(name: str, advice: str = "`asp operations` lists all") -> Operation:
    """Return the operation with a name, such as `organization.sessions.list`, or with an operationId.

    Args:
        name: The name.
        advice: The end of the error message, which says how to find the right name.

    Raises:
        InvalidArgumentError: There is no such operation; the message has similar names.
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
    """Return the operations with a word in their name, operationId, path, permission or summary. Case is ignored."""
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
    """Print the script by which a shell completes commands, operations and their options."""
    shell_complete(click.get_current_context().find_root().command, {}, "asp", "_ASP_COMPLETE", f"{shell}_source")
