"""What can be asked of a sandbox over HTTP: its state, journal, clock and all that has a module of its own."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Final

from ..problems import RefusedError, nearest
from ..seed import plant
from ..shapes import FLAG, TEXT, Node, check, closed
from .command import Asked, Command
from .fault_commands import FAULT_COMMANDS
from .inventory import state
from .permission_commands import PERMISSION_COMMANDS
from .snapshot_commands import SNAPSHOT_COMMANDS

if TYPE_CHECKING:
    from ..platform import Sandbox

NUMBER: Final[Node] = {"type": "number"}
SPAN: Final = closed(days=NUMBER, hours=NUMBER, minutes=NUMBER, seconds=NUMBER)
# No number of a request has more digits.
LONGEST_NUMBER: Final = 18


def index(sandbox: Sandbox, asked: Asked) -> Node:
    """What there is."""
    return {"addresses": [{"method": each.method, "path": each.path, "does": each.does} for each in COMMANDS]}


def journal(sandbox: Sandbox, asked: Asked) -> Node:
    """The requests after a number; the number of the last; and how often they were forgotten."""
    check(closed(after=TEXT), dict(asked.query), "the query")
    given = asked.query.get("after", "0")
    if not (given.isascii() and given.isdigit() and len(given) <= LONGEST_NUMBER):
        raise ValueError(f"the query.after: must be the number of a request, not {given[:LONGEST_NUMBER]!r}")
    entries, after = [*sandbox.journal], int(given)
    # They stand in the order of their numbers.
    behind = bisect_right(entries, after, key=lambda entry: entry.number)
    shown = [entry.shown() for entry in entries[behind:]]
    return {"entries": shown, "last": sandbox.journal.last, "cleared": sandbox.journal.cleared}


def clear_journal(sandbox: Sandbox, asked: Asked) -> Node:
    """Forget the requests; the numbers go on."""
    sandbox.journal.clear()
    return {"entries": [], "last": sandbox.journal.last, "cleared": sandbox.journal.cleared}


def clock(sandbox: Sandbox, asked: Asked) -> Node:
    """The time, and whether it passes by itself."""
    return {"now": sandbox.clock().isoformat(), "ticks": sandbox.clock.ticks}


def move_clock(sandbox: Sandbox, asked: Asked) -> Node:
    """Let time pass, and do what is due meanwhile."""
    check(closed(advance=SPAN, to=TEXT), asked.body, "the body")
    if len(asked.body) != 1:
        raise ValueError('the body: must have either "advance", such as {"hours": 1}, or "to"; it has both or neither')
    try:
        if "to" in asked.body:
            sandbox.clock.advance_to(datetime.fromisoformat(asked.body["to"]))
        else:
            sandbox.clock.advance(**asked.body["advance"])
    except OverflowError:
        raise ValueError(f"the body: the clock cannot go as far as {asked.body}") from None
    return clock(sandbox, asked)


def reset(sandbox: Sandbox, asked: Asked) -> Node:
    """Be as at the beginning."""
    sandbox.reset()
    return state(sandbox, asked)


def settle(sandbox: Sandbox, asked: Asked) -> Node:
    """Let the workers do their reviews."""
    given: Node = {} if asked.body is None else asked.body
    check(closed(status=TEXT), given, "the body")
    return {"settled": sandbox.settle_reviews(**given)}


def suspend(sandbox: Sandbox, asked: Asked) -> Node:
    """Suspend a session, whichever organization has it."""
    found = {
        key: name[1] for name, records in sandbox.state.by_name.items() if name[0] == "sessions" for key in records
    }
    if asked.name not in found:
        raise RefusedError(404, f"there is no session {asked.name!r}{nearest(asked.name, found)}")
    sandbox.suspend_session(asked.name, found[asked.name])
    return {"suspended": asked.name}


def settings(sandbox: Sandbox, asked: Asked) -> Node:
    """What is switched on."""
    return {"org_group_limits_enabled": sandbox.state.org_group_limits_enabled}


def set_settings(sandbox: Sandbox, asked: Asked) -> Node:
    """Switch on or off."""
    check(closed(("org_group_limits_enabled",), org_group_limits_enabled=FLAG), asked.body, "the body")
    sandbox.state.org_group_limits_enabled = asked.body["org_group_limits_enabled"]
    return settings(sandbox, asked)


def assumptions(sandbox: Sandbox, asked: Asked) -> Node:
    """What the sandbox does where the API's description is silent, and where it decides nothing."""
    return {
        "assumptions": [asdict(each) for each in sandbox.assumptions],
        "undecided": [asdict(each) for each in sandbox.undecided],
    }


def seed(sandbox: Sandbox, asked: Asked) -> Node:
    """Add things."""
    return {"added": plant(sandbox, asked.body)}


COMMANDS: Final = (
    Command("GET", "/_sandbox", "lists these addresses", index),
    Command("GET", "/_sandbox/state", "counts what there is, by family and collection", state),
    Command(
        "GET", "/_sandbox/journal", "gives the requests, with ?after=N those after number N", journal, takes_query=True
    ),
    Command("DELETE", "/_sandbox/journal", "forgets the requests", clear_journal),
    Command("GET", "/_sandbox/clock", "tells the time", clock),
    Command(
        "POST",
        "/_sandbox/clock",
        'moves it: {"advance": {"hours": 1}} or {"to": "2030-01-01T00:00:00Z"}',
        move_clock,
        takes_body=True,
    ),
    *FAULT_COMMANDS,
    *SNAPSHOT_COMMANDS,
    *PERMISSION_COMMANDS,
    Command(
        "POST",
        "/_sandbox/reviews/settle",
        'does the unfinished reviews: {"status": "completed"}, or no body',
        settle,
        takes_body=True,
    ),
    Command("POST", "/_sandbox/sessions/{name}/suspend", "suspends a session, which a message resumes", suspend),
    Command("GET", "/_sandbox/settings", "shows what is switched on", settings),
    Command(
        "PUT", "/_sandbox/settings", 'switches it: {"org_group_limits_enabled": false}', set_settings, takes_body=True
    ),
    Command("POST", "/_sandbox/reset", "goes back to the beginning", reset),
    Command("GET", "/_sandbox/assumptions", "lists what is the sandbox's own", assumptions),
    Command(
        "POST",
        "/_sandbox/seed",
        'adds things: {"sessions": [{"title": "Fix it"}], "users": [...], ...}',
        seed,
        takes_body=True,
    ),
)
