"""Commands for the journal and the clock."""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime
from typing import Final

from ..application import Application
from ..validation import TEXT, Node, closed_object
from .command import Command, ControlRequest

NUMBER: Final[Node] = {"type": "number"}
DURATION: Final = closed_object(days=NUMBER, hours=NUMBER, minutes=NUMBER, seconds=NUMBER)
# Digits of a request's number.
MAX_DIGITS: Final = 18


def _journal(app: Application, request: ControlRequest) -> Node:
    """Return the entries after a number."""
    given = request.query.get("after", "0")
    if not (given.isascii() and given.isdigit() and len(given) <= MAX_DIGITS):
        raise ValueError(f"the query.after: must be the number of a request, not {given[:MAX_DIGITS]!r}")
    entries = [*app.journal]
    first = bisect_right(entries, int(given), key=lambda entry: entry.number)
    shown = [entry.to_dict() for entry in entries[first:]]
    return {**_journal_reply(app, shown), "dropped": app.journal.dropped}


def _clear_journal(app: Application, request: ControlRequest) -> Node:
    app.journal.clear()
    return _journal_reply(app, [])


def _journal_reply(app: Application, entries: list[Node]) -> Node:
    return {"entries": entries, "last": app.journal.last, "cleared": app.journal.cleared}


def _permissions(app: Application, request: ControlRequest) -> Node:
    return app.journal.permissions().to_dict()


def clock(app: Application, request: ControlRequest) -> Node:
    """Return the time, and true in `ticks` if it passes by itself."""
    return {"now": app.clock().isoformat(), "ticks": app.clock.ticks}


def _move_clock(app: Application, request: ControlRequest) -> Node:
    if len(request.body) != 1:
        raise ValueError('the body: must have either "advance", such as {"hours": 1}, or "to"; it has both or neither')
    if "to" in request.body:
        app.clock.advance_to(datetime.fromisoformat(request.body["to"]))
    else:
        app.clock.advance(**request.body["advance"])
    return clock(app, request)


TIME_COMMANDS: Final = (
    Command(
        "GET",
        "/_sandbox/journal",
        "returns the latest requests, with ?after=N those after number N; `dropped` is the number of older ones",
        _journal,
        query=closed_object(after=TEXT),
    ),
    Command("DELETE", "/_sandbox/journal", "removes the requests", _clear_journal),
    Command("GET", "/_sandbox/journal/permissions", "returns the permissions that the requests required", _permissions),
    Command("GET", "/_sandbox/clock", "returns the time", clock),
    Command(
        "POST",
        "/_sandbox/clock",
        'moves it: {"advance": {"hours": 1}} or {"to": "2030-01-01T00:00:00Z"}',
        _move_clock,
        body=closed_object(advance=DURATION, to=TEXT),
    ),
)
