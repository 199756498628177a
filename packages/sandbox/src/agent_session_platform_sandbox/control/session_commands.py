"""Commands for sessions: what the assistant does in them, and how many may be open."""

from __future__ import annotations

from typing import Final

from ..application import Application
from ..state import Turn
from ..validation import TEXT, Node, closed_object
from .command import Command, ControlRequest

FIELDS: Final[Node] = {"type": "object"}
# Members of these names would be taken for the settings beside them.
OTHER_FIELDS: Final[Node] = {**FIELDS, "propertyNames": {"not": {"enum": ["after", "source", "text"]}}}
MESSAGE: Final = closed_object(("text",), text=TEXT, source=TEXT, fields=OTHER_FIELDS)
MAYBE_TEXT: Final[Node] = {"type": ["string", "null"]}
SECONDS: Final[Node] = {"type": "number", "minimum": 0}
PLAN: Final = closed_object(("after",), text=MAYBE_TEXT, after=SECONDS, source=TEXT, fields=OTHER_FIELDS)
TURN: Final = closed_object(text=MAYBE_TEXT, after=SECONDS, source=TEXT, fields=FIELDS)
# Each is planned anew for every message.
SCRIPT: Final = closed_object(("turns",), turns={"type": "array", "items": TURN, "maxItems": 100})
CAPACITY: Final = closed_object(
    ("sessions",), sessions={"type": "integer", "minimum": 0}, retry_after={"type": ["number", "null"], "minimum": 0}
)


def _suspend(app: Application, request: ControlRequest) -> Node:
    app.suspend_session(request.name)
    return {"suspended": request.name}


def _update(app: Application, request: ControlRequest) -> Node:
    return app.update_session(request.name, **request.body)


def _remove(app: Application, request: ControlRequest) -> Node:
    app.remove_session(request.name)
    return {"removed": request.name}


def _add_message(app: Application, request: ControlRequest) -> Node:
    given = {**request.body}
    return app.add_message(request.name, given.pop("text"), **given.pop("fields", {}), **given)


def _plan(app: Application, request: ControlRequest) -> Node:
    given = {**request.body}
    app.plan_session(request.name, **given.pop("fields", {}), **given)
    return {"planned": request.name}


def _set_script(app: Application, request: ControlRequest) -> Node:
    turns = [Turn(**each) for each in request.body["turns"]]
    app.on_message(lambda message: turns)
    return {"turns": len(turns)}


def _remove_script(app: Application, request: ControlRequest) -> Node:
    app.on_message(None)
    return {"turns": None}


def _capacity(app: Application, request: ControlRequest) -> Node:
    return {"sessions": app.session_capacity, "retry_after": app.capacity_retry_after}


def _set_capacity(app: Application, request: ControlRequest) -> Node:
    app.session_capacity = request.body["sessions"]
    app.capacity_retry_after = request.body.get("retry_after")
    return _capacity(app, request)


def _remove_capacity(app: Application, request: ControlRequest) -> Node:
    app.session_capacity = app.capacity_retry_after = None
    return _capacity(app, request)


SESSION_COMMANDS: Final = (
    Command("POST", "/_sandbox/sessions/{name}/suspend", "suspends a session, which a message resumes", _suspend),
    Command(
        "PATCH", "/_sandbox/sessions/{name}", 'sets members of a session: {"status": "ready"}', _update, body=FIELDS
    ),
    Command("DELETE", "/_sandbox/sessions/{name}", "removes a session, which is then unknown (404)", _remove),
    Command(
        "POST",
        "/_sandbox/sessions/{name}/messages",
        'adds a message: {"text": "Done.", "source": "assistant", "fields": {}}',
        _add_message,
        body=MESSAGE,
    ),
    Command(
        "POST",
        "/_sandbox/sessions/{name}/plan",
        'plans a message, a change or both: {"after": 600, "text": "Done.", "fields": {"status": "ready"}}',
        _plan,
        body=PLAN,
    ),
    Command(
        "PUT",
        "/_sandbox/script",
        'lets the assistant do this after each message: {"turns": [{"after": 600, "text": "Done.", "fields": {}}]}',
        _set_script,
        body=SCRIPT,
    ),
    Command("DELETE", "/_sandbox/script", "restores what the assistant does by default", _remove_script),
    Command("GET", "/_sandbox/session-capacity", "shows the capacity, null for none", _capacity),
    Command(
        "PUT",
        "/_sandbox/session-capacity",
        'sets the open sessions that an organization may have: {"sessions": 10, "retry_after": 30}',
        _set_capacity,
        body=CAPACITY,
    ),
    Command("DELETE", "/_sandbox/session-capacity", "switches it off", _remove_capacity),
)
