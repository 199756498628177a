"""Names that are typed: found, corrected and completed.

The ids of recent results complete the ids of commands: only ids, in a small file that only its owner may read.
"""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

import click
import platformdirs
from agent_session_platform import Catalogue, InvalidArgumentError, Operation, to_json
from click.shell_completion import CompletionItem, shell_complete

from .settings import asp_command

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


SWITCH: Final = "AGENT_PLATFORM_RECENT_IDS"
# Of each kind of id.
MOST_IDS: Final = 50
# A shell would run what stands in others, and take one that begins with a hyphen for an option.
ID: Final = re.compile(r"\w[\w.:@/+=-]{,99}", re.ASCII)


def recent_ids(parameter: str) -> list[str]:
    """Return the ids that results had, the latest first.

    Args:
        parameter: The name of the path parameter that takes them.
    """
    return _ids_in(_read().get(parameter)) if is_on() else []


def note_ids(operation: Operation, items: Iterable[Any]) -> None:
    """Keep the ids of results; what cannot be written is left out.

    Args:
        operation: The operation that returned them.
        items: Its results: models or mappings.
    """
    parameter = _parameter_of(operation)
    found: list[str] = []
    for item in items:
        members: Any = to_json(item)
        if isinstance(members, Mapping):
            field = Catalogue().resource_id(item.__class__) or parameter
            found += _ids_in([cast("Mapping[str, Any]", members).get(field)])
    if is_on() and parameter and found:
        kept = _read()
        kept[parameter] = [*dict.fromkeys([*found, *_ids_in(kept.get(parameter))])][:MOST_IDS]
        with suppress(OSError, RuntimeError):
            path = _file()
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # The new file has the mode of the old one.
            path.touch(mode=0o600)
            path.chmod(0o600)
            with click.open_file(str(path), "w", encoding="utf-8", atomic=True) as file:
                json.dump(kept, file)


def _parameter_of(operation: Operation) -> str:
    """Return the path parameter that takes the ids of what an operation returns; empty if no operation takes them."""
    below = f"{operation.path}/{{"
    for other in Catalogue():
        if other.path.startswith(below):
            return other.path.removeprefix(below).partition("}")[0]
    return operation.path.rpartition("{")[2].rstrip("}") if operation.path.endswith("}") else ""


def is_on() -> bool:
    """Return whether ids are kept and completed."""
    return os.environ.get(SWITCH, "").strip().lower() not in ("0", "off", "no", "false")


def _file() -> Path:
    """Return the file, in the cache folder that the system has for a user."""
    return platformdirs.user_cache_path("agent-session-platform", appauthor=False) / "recent-ids.json"


def _read() -> dict[str, Any]:
    try:
        found: Any = json.loads(_file().read_bytes())
    except (OSError, ValueError, RuntimeError):
        found = None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _ids_in(values: Any) -> list[str]:
    """Return what is an id in a list; the file may be of something else."""
    found = cast("list[object]", values) if isinstance(values, list) else []
    return [each for each in found if isinstance(each, str) and ID.fullmatch(each)]


@asp_command(
    examples=(
        'eval "$(asp completion bash)"                             # in ~/.bashrc',
        'eval "$(asp completion zsh)"                              # in ~/.zshrc, after compinit',
        "asp completion fish > ~/.config/fish/completions/asp.fish",
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print the script that completes commands, operations, their options and ids of recent results.

    The ids are kept in a file of your cache folder; AGENT_PLATFORM_RECENT_IDS=off keeps none.
    """
    shell_complete(context.find_root().command, {}, "asp", "_ASP_COMPLETE", f"{shell}_source")
