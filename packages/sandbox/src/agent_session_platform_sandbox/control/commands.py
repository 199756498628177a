"""The list of all commands, and the commands that have no module of their own."""

from __future__ import annotations

from typing import Final

import attrs

from ..application import Application
from ..validation import FLAG, TEXT, Node, closed_object
from .command import Command, ControlRequest
from .fault_commands import FAULT_COMMANDS
from .permission_commands import PERMISSION_COMMANDS
from .session_commands import SESSION_COMMANDS
from .snapshot_commands import SNAPSHOT_COMMANDS
from .state_summary import state_summary
from .time_commands import TIME_COMMANDS

SETTINGS: Final = closed_object(("org_group_limits_enabled",), org_group_limits_enabled=FLAG)


def _index(app: Application, request: ControlRequest) -> Node:
    return {"addresses": [{"method": each.method, "path": each.path, "does": each.does} for each in COMMANDS]}


def _reset(app: Application, request: ControlRequest) -> Node:
    app.reset()
    return state_summary(app, request)


def _settle_reviews(app: Application, request: ControlRequest) -> Node:
    given: Node = request.body or {}
    return {"settled": app.settle_reviews(**given)}


def _settings(app: Application, request: ControlRequest) -> Node:
    return {"org_group_limits_enabled": app.state.org_group_limits_enabled}


def _set_settings(app: Application, request: ControlRequest) -> Node:
    app.state.org_group_limits_enabled = request.body["org_group_limits_enabled"]
    return _settings(app, request)


def assumptions(app: Application, request: ControlRequest) -> Node:
    """Return the assumptions of the sandbox, and the gaps that it leaves open."""
    return {
        "assumptions": [attrs.asdict(each) for each in app.assumptions],
        "undecided": [attrs.asdict(each) for each in app.open_gaps],
    }


def _seed(app: Application, request: ControlRequest) -> Node:
    return {"added": app.seed(request.body)}


COMMANDS: Final = (
    Command("GET", "/_sandbox", "lists these addresses", _index),
    Command("GET", "/_sandbox/state", "counts the records, by resource and collection", state_summary),
    *TIME_COMMANDS,
    *FAULT_COMMANDS,
    *SNAPSHOT_COMMANDS,
    *PERMISSION_COMMANDS,
    Command(
        "POST",
        "/_sandbox/reviews/settle",
        'settles the unfinished reviews: {"status": "completed"}, or no body',
        _settle_reviews,
        body={**closed_object(status=TEXT), "type": ["object", "null"]},
    ),
    *SESSION_COMMANDS,
    Command("GET", "/_sandbox/settings", "returns the settings", _settings),
    Command(
        "PUT", "/_sandbox/settings", 'changes them: {"org_group_limits_enabled": false}', _set_settings, body=SETTINGS
    ),
    Command("POST", "/_sandbox/reset", "restores the initial state", _reset),
    Command("GET", "/_sandbox/assumptions", "lists the assumptions of the sandbox", assumptions),
    Command(
        "POST",
        "/_sandbox/seed",
        'adds items: {"sessions": [{"title": "Fix it"}], "users": [...], ...}',
        _seed,
        body={},
    ),
)
