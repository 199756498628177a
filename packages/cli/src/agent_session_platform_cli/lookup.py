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
from agent_session_platform import Catalogue, Operation
from click.shell_completion import CompletionItem, get_completion_class

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


SWITCH: Final = "AGENT_PLATFORM_RECENT_IDS"
# Of each kind of id; a longer text is no id.
MOST_IDS: Final = 50
MOST_KINDS: Final = 20
LONGEST_ID: Final = 100
# A shell would run what stands in others, and take one that begins with a hyphen for an option.
ID: Final = re.compile(r"\w[\w.:@/+=-]*", re.ASCII)


def recent_ids(parameter: str) -> list[str]:
    """Return the ids that results had, the latest first.

    Args:
        parameter: The name of the path parameter that takes them.
    """
    return _read().get(parameter, []) if is_on() else []


def note_ids(operation: Operation, items: Iterable[Any]) -> None:
    """Keep the ids in results that some operation takes in its path; what cannot be written is left out.

    Args:
        operation: The operation that returned them.
        items: Its results: models or mappings.
    """
    if not is_on():
        return
    own = _own_parameter(operation)
    parameters = {each.name for other in Catalogue() for each in other.parameters if each.location == "path"}
    found: dict[str, list[str]] = {}
    for item in items:
        model: type[Any] = item.__class__
        given: Any = item.to_dict() if hasattr(item, "to_dict") else item
        if not isinstance(given, Mapping):
            continue
        members = cast("Mapping[str, Any]", given)
        ids: dict[str, Any] = {name: members[name] for name in parameters & members.keys()}
        resource_id = Catalogue().resource_id(model)
        if own and resource_id:
            ids.setdefault(own, members.get(resource_id))
        for name, value in ids.items():
            if _is_id(value):
                found.setdefault(name, []).append(value)
    if found:
        _write(found)


def _own_parameter(operation: Operation) -> str | None:
    """Return the path parameter that takes the ids of what an operation returns; None if no operation takes them."""
    below = f"{operation.path}/{{"
    for other in Catalogue():
        if other.path.startswith(below):
            return other.path.removeprefix(below).partition("}")[0]
    return operation.path.rpartition("{")[2].rstrip("}") if operation.path.endswith("}") else None


def is_on() -> bool:
    """Return whether ids are kept and completed."""
    return os.environ.get(SWITCH, "").strip().lower() not in ("0", "off", "no", "false")


def _path() -> Path:
    """Return the file, in the cache folder that the system has for a user."""
    return platformdirs.user_cache_path("agent-session-platform", appauthor=False) / "recent-ids.json"


def _write(found: Mapping[str, list[str]]) -> None:
    """Put ids before those that are kept, up to the bounds."""
    old = _read()
    kept = {name: [*dict.fromkeys([*ids, *old.pop(name, [])])][:MOST_IDS] for name, ids in found.items()}
    content = json.dumps(dict([*kept.items(), *old.items()][:MOST_KINDS]))
    with suppress(OSError, RuntimeError):
        path = _path()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # The new file has the mode of the old one.
        path.touch(mode=0o600)
        path.chmod(0o600)
        with click.open_file(str(path), "w", encoding="utf-8", atomic=True) as file:
            file.write(content)


def _read() -> dict[str, list[str]]:
    try:
        found: Any = json.loads(_path().read_bytes())
    except (OSError, ValueError, RuntimeError):
        return {}
    # What is no list of ids was written by something else; a shell would run what stands in others.
    kept = cast("dict[str, Any]", found).items() if isinstance(found, dict) else ()
    return {name: [*filter(_is_id, ids)] for name, ids in kept if isinstance(ids, list)}  # pyright: ignore[reportUnknownArgumentType]


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_ID and ID.fullmatch(value) is not None


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
    of_shell = get_completion_class(shell)
    if of_shell is None:
        raise click.UsageError(f"click knows no completion for {shell}", context)
    root = context.find_root()
    click.echo(of_shell(root.command, {}, "asp", "_ASP_COMPLETE").source())
