"""Commands for snapshots. Documents are sent and received; no command reads or writes a file."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from ..application import Application
from ..problems import RefusedError, suggestion
from ..snapshots import BEGINNING
from ..validation import Node
from .command import Command, ControlRequest
from .state_summary import state_summary

# Each is a copy of the whole state.
MAX_SNAPSHOTS: Final = 100
MAX_NAME: Final = 200


def snapshots(app: Application, request: ControlRequest) -> Node:
    """Return the names of the snapshots."""
    return {"snapshots": app.snapshots.names}


def _take(app: Application, request: ControlRequest) -> Node:
    app.snapshots.take(_writable(app, request.name))
    return snapshots(app, request)


def _document(app: Application, request: ControlRequest) -> Node:
    return app.snapshots.document(_existing(app, request.name))


def _keep(app: Application, request: ControlRequest) -> Node:
    app.snapshots.keep(_writable(app, request.name), request.body)
    return snapshots(app, request)


def _restore(app: Application, request: ControlRequest) -> Node:
    app.snapshots.restore(_existing(app, request.name))
    return state_summary(app, request)


def _diff(app: Application, request: ControlRequest) -> dict[str, list[str]]:
    return app.snapshots.diff(_existing(app, request.name))


def _writable(app: Application, name: str) -> str:
    names = app.snapshots.names
    if name == BEGINNING:
        raise ValueError(f"{BEGINNING!r} is the snapshot that a reset restores; take another name")
    if len(name) > MAX_NAME:
        raise ValueError(f"the name of a snapshot must have at most {MAX_NAME} characters, not {len(name)}")
    if name not in names and len(names) >= MAX_SNAPSHOTS:
        raise ValueError(f"there are {MAX_SNAPSHOTS} snapshots; replace one by taking it again")
    return name


def _existing(app: Application, name: str) -> str:
    """Return the name of a snapshot; refuse (404) an unknown one."""
    names = app.snapshots.names
    if name not in names:
        known = f"known: {', '.join(names)}{suggestion(name, names)}"
        advice = f"take it with POST /_sandbox/snapshots/{quote(name, safe='')}"
        raise RefusedError(404, f"there is no snapshot {name!r}; {known}; {advice}")
    return name


SNAPSHOT_COMMANDS: Final = (
    Command("GET", "/_sandbox/snapshots", "lists the snapshots", snapshots),
    Command("POST", "/_sandbox/snapshots/{name}", "keeps the current state under a name", _take),
    Command("GET", "/_sandbox/snapshots/{name}", "returns it as JSON without the credentials, to save it", _document),
    Command(
        "PUT",
        "/_sandbox/snapshots/{name}",
        "keeps the JSON of such a file, or of --state, under a name",
        _keep,
        body={},
    ),
    Command("POST", "/_sandbox/snapshots/{name}/restore", "restores it, including the time", _restore),
    Command("GET", "/_sandbox/snapshots/{name}/diff", "lists what was added, removed and changed since", _diff),
)
