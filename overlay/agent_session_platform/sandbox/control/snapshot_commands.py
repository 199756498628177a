"""What can be asked of a sandbox's snapshots over HTTP: documents go both ways, and no file is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from ..problems import RefusedError, nearest
from ..shapes import Node
from ..snapshots.snapshots import BEGINNING
from .command import Asked, Command
from .inventory import state

if TYPE_CHECKING:
    from ..platform import Sandbox


def snapshots(sandbox: Sandbox, asked: Asked) -> Node:
    """What is kept."""
    return {"snapshots": sandbox.snapshots.names}


def take(sandbox: Sandbox, asked: Asked) -> Node:
    """Keep the state of now."""
    sandbox.snapshots.take(own(asked.name))
    return snapshots(sandbox, asked)


def document(sandbox: Sandbox, asked: Asked) -> Node:
    """What is kept, to save it in a file."""
    return sandbox.snapshots.document(kept(sandbox, asked.name))


def keep(sandbox: Sandbox, asked: Asked) -> Node:
    """Keep what a file has."""
    sandbox.snapshots.keep(own(asked.name), asked.body)
    return snapshots(sandbox, asked)


def restore(sandbox: Sandbox, asked: Asked) -> Node:
    """Bring back what was kept."""
    sandbox.snapshots.restore(kept(sandbox, asked.name))
    return state(sandbox, asked)


def diff(sandbox: Sandbox, asked: Asked) -> dict[str, list[str]]:
    """What has come, gone and changed since."""
    return sandbox.snapshots.diff(kept(sandbox, asked.name))


def own(name: str) -> str:
    """The name of a snapshot that may be written."""
    if name == BEGINNING:
        raise ValueError(f"{BEGINNING!r} is what a reset brings back; take another name")
    return name


def kept(sandbox: Sandbox, name: str) -> str:
    """The name of a snapshot; refuses with 404 when there is none."""
    names = sandbox.snapshots.names
    if name not in names:
        there = f"there are: {', '.join(names)}{nearest(name, names)}"
        way_out = f"take it with POST /_sandbox/snapshots/{quote(name, safe='')}"
        raise RefusedError(404, f"there is no snapshot {name!r}; {there}; {way_out}")
    return name


SNAPSHOT_COMMANDS: Final = (
    Command("GET", "/_sandbox/snapshots", "lists the snapshots", snapshots),
    Command("POST", "/_sandbox/snapshots/{name}", "keeps the state of now under a name", take),
    Command("GET", "/_sandbox/snapshots/{name}", "gives it as JSON, to save it: all but the credentials", document),
    Command(
        "PUT",
        "/_sandbox/snapshots/{name}",
        "keeps the JSON of such a file, or of --state, under a name",
        keep,
        takes_body=True,
    ),
    Command("POST", "/_sandbox/snapshots/{name}/restore", "brings it back, the time included", restore),
    Command("GET", "/_sandbox/snapshots/{name}/diff", "tells what was added, removed and changed since", diff),
)
