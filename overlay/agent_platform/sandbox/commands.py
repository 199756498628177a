"""What can be asked of a sandbox over HTTP: its state, journal, clock, faults, rate limit and snapshots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast
from urllib.parse import quote

from ..catalogue import Catalogue
from .faults import Fault
from .journal import without_secrets
from .limiter import RateLimit
from .problems import RefusedError, nearest
from .seed import plant
from .shapes import FLAG, TEXT, Node, check, closed
from .snapshots import BEGINNING
from .state import Record, alive

if TYPE_CHECKING:
    from .platform import Sandbox

NUMBER: Final[Node] = {"type": "number"}
COUNT: Final[Node] = {"type": "integer"}
SPAN: Final = closed(days=NUMBER, hours=NUMBER, minutes=NUMBER, seconds=NUMBER)
FAULT: Final = closed(
    operation={"type": ["string", "null"]},
    status={"type": ["integer", "null"]},
    body={"type": ["object", "null"]},
    retry_after={"type": ["number", "string", "null"]},
    latency=NUMBER,
    drop=FLAG,
    truncate=FLAG,
    html=FLAG,
    times={"type": ["integer", "null"]},
    every=COUNT,
)
LIMIT: Final = closed(("per_second",), per_second=NUMBER, burst=COUNT, retry_after={"type": ["string", "null"]})
# By which of its fields a thing is known.
LABELS: Final = ("title", "name", "repo_name", "role_name", "idp_group_name", "email")
NEWEST: Final = 3


class Asked(NamedTuple):
    """A request: the name in its path, its query, and its JSON (None for none)."""

    name: str
    query: Mapping[str, str]
    body: Any


class Command(NamedTuple):
    """What one method of one address does."""

    method: str
    path: str
    does: str
    run: Callable[[Sandbox, Asked], Any]


def index(sandbox: Sandbox, asked: Asked) -> Node:
    """What there is."""
    return {"addresses": [{"method": each.method, "path": each.path, "does": each.does} for each in COMMANDS]}


def state(sandbox: Sandbox, asked: Asked) -> Node:
    """How much there is of what; deleted things are counted apart."""
    collections: list[Node] = []
    families: dict[str, int] = {}
    for name, records in sorted(sandbox.state.by_name.items()):
        if records:
            there = alive(records)
            families[name[0]] = families.get(name[0], 0) + len(there)
            newest = [label(key, record) for key, record in [*records.items()][::-1] if not record.deleted][:NEWEST]
            collections.append(
                {"name": "/".join(name), "count": len(there), "deleted": len(records) - len(there), "newest": newest}
            )
    organizations = [*sandbox.state.organizations]
    return {"organizations": organizations, "families": families, "collections": collections}


def label(key: str, record: Record) -> str:
    """By what a person knows a thing."""
    return next((str(record.fields[name]) for name in LABELS if record.fields.get(name)), key)


def journal(sandbox: Sandbox, asked: Asked) -> Node:
    """The requests after a number; `last` is smaller than that when the journal was cleared meanwhile."""
    check(closed(after=TEXT), dict(asked.query), "the query")
    after = asked.query.get("after", "0")
    if not (after.isascii() and after.isdigit()):
        raise ValueError(f"the query.after: must be the number of a request, not {after!r}")
    entries = [*sandbox.journal]
    return {"entries": [entry.shown() for entry in entries[int(after) :]], "last": len(entries)}


def clear_journal(sandbox: Sandbox, asked: Asked) -> Node:
    """Forget the requests."""
    sandbox.journal.clear()
    return {"entries": [], "last": 0}


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


def faults(sandbox: Sandbox, asked: Asked) -> Node:
    """What is to go wrong, and what of that has."""
    return {"faults": [fault_of(each) for each in sandbox.faults]}


def fault_of(fault: Fault) -> Node:
    """A fault as JSON."""
    shown = {field.name: getattr(fault, field.name) for field in fields(fault) if not field.name.startswith("_")}
    return {**shown, "body": without_secrets(fault.body), "unused": fault.unused}


def add_fault(sandbox: Sandbox, asked: Asked) -> Node:
    """Let something go wrong."""
    check(FAULT, asked.body, "the body")
    settings = cast("Node", asked.body)
    hint = str(settings.get("retry_after") or "")
    if not (hint.isascii() and hint.isprintable()):
        raise ValueError(f"the body.retry_after: must be what a header can hold, not {hint!r}")
    try:
        return fault_of(sandbox.faults.add(**settings))
    except KeyError:
        name, known = settings["operation"], [operation.name for operation in Catalogue()]
        raise ValueError(f"the body.operation: there is no operation {name!r}{nearest(name, known)}") from None


def clear_faults(sandbox: Sandbox, asked: Asked) -> Node:
    """Let all be well."""
    sandbox.faults.clear()
    return faults(sandbox, asked)


def rate_limit(sandbox: Sandbox, asked: Asked) -> Node:
    """The rate limit, or null."""
    limit = sandbox.rate_limit
    names = ("per_second", "burst", "retry_after", "refused")
    return {"rate_limit": None if limit is None else {name: getattr(limit, name) for name in names}}


def set_rate_limit(sandbox: Sandbox, asked: Asked) -> Node:
    """Switch the rate limit on."""
    check(LIMIT, asked.body, "the body")
    sandbox.rate_limit = RateLimit(**asked.body)
    return rate_limit(sandbox, asked)


def lift_rate_limit(sandbox: Sandbox, asked: Asked) -> Node:
    """Switch the rate limit off."""
    sandbox.rate_limit = None
    return rate_limit(sandbox, asked)


def snapshots(sandbox: Sandbox, asked: Asked) -> Node:
    """What is kept."""
    return {"snapshots": sandbox.snapshots.names}


def take(sandbox: Sandbox, asked: Asked) -> Node:
    """Keep the state of now."""
    if asked.name == BEGINNING:
        raise ValueError(f"{BEGINNING!r} is what a reset brings back; take another name")
    sandbox.snapshots.take(asked.name)
    return snapshots(sandbox, asked)


def kept(sandbox: Sandbox, name: str) -> str:
    """The name of a snapshot; refuses with 404 when there is none."""
    if name not in sandbox.snapshots.names:
        known = ", ".join(sandbox.snapshots.names)
        way_out = f"take it with POST /_sandbox/snapshots/{quote(name)}"
        raise RefusedError(404, f"there is no snapshot {name!r}; there are: {known}; {way_out}")
    return name


def restore(sandbox: Sandbox, asked: Asked) -> Node:
    """Bring back what was kept."""
    sandbox.snapshots.restore(kept(sandbox, asked.name))
    return state(sandbox, asked)


def diff(sandbox: Sandbox, asked: Asked) -> dict[str, list[str]]:
    """What has come, gone and changed since."""
    return sandbox.snapshots.diff(kept(sandbox, asked.name))


def reset(sandbox: Sandbox, asked: Asked) -> Node:
    """Be as at the beginning."""
    sandbox.reset()
    return state(sandbox, asked)


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
    Command("GET", "/_sandbox/journal", "gives the requests, with ?after=N those after number N", journal),
    Command("DELETE", "/_sandbox/journal", "forgets the requests", clear_journal),
    Command("GET", "/_sandbox/clock", "tells the time", clock),
    Command(
        "POST", "/_sandbox/clock", 'moves it: {"advance": {"hours": 1}} or {"to": "2030-01-01T00:00:00Z"}', move_clock
    ),
    Command("GET", "/_sandbox/faults", "lists the faults, with how many requests each met", faults),
    Command("POST", "/_sandbox/faults", f"adds one: {', '.join(FAULT['properties'])}", add_fault),
    Command("DELETE", "/_sandbox/faults", "takes all faults away", clear_faults),
    Command("GET", "/_sandbox/rate-limit", "shows the rate limit, null for none", rate_limit),
    Command(
        "PUT",
        "/_sandbox/rate-limit",
        'sets it: {"per_second": 50, "burst": 10, "retry_after": "seconds"}',
        set_rate_limit,
    ),
    Command("DELETE", "/_sandbox/rate-limit", "switches it off", lift_rate_limit),
    Command("GET", "/_sandbox/snapshots", "lists the snapshots", snapshots),
    Command("POST", "/_sandbox/snapshots/{name}", "keeps the state of now under a name", take),
    Command("POST", "/_sandbox/snapshots/{name}/restore", "brings it back, the time included", restore),
    Command("GET", "/_sandbox/snapshots/{name}/diff", "tells what was added, removed and changed since", diff),
    Command("POST", "/_sandbox/reset", "goes back to the beginning", reset),
    Command("GET", "/_sandbox/assumptions", "lists what is the sandbox's own", assumptions),
    Command("POST", "/_sandbox/seed", 'adds things: {"sessions": [{"title": "Fix it"}], "users": [...], ...}', seed),
)
