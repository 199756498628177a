"""The commands of control: each is one method of one path, and the function that runs it."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, TypeAlias
from urllib.parse import quote

import attrs

from ..application import Application
from ..contract import KINDS, LEVELS, operation_named
from ..http import Fault, RateLimit
from ..problems import RefusedError, UnknownNameError, suggestion
from ..redaction import redact_secrets
from ..snapshots import BEGINNING
from ..state import Turn, alive
from ..validation import FLAG, TEXT, TEXTS, Node, check, closed_object

# Every request is compared with each fault, and each snapshot is a copy of the whole state.
MAX_FAULTS: Final = 1000
MAX_SNAPSHOTS: Final = 100
MAX_NAME: Final = 200
# Digits of a request's number.
MAX_DIGITS: Final = 18

# The first of these fields that a record has is its label in the summary of the state.
LABELS: Final = ("title", "name", "repo_name", "role_name", "idp_group_name", "email")
NEWEST: Final = 3

# Schemas of what commands take; what is any value here is checked where it is used.
ANY: Final[Node] = {}
FIELDS: Final[Node] = {"type": "object"}
NUMBER: Final[Node] = {"type": "number"}
COUNT: Final[Node] = {"type": "integer"}
MOVE: Final = closed_object(advance=closed_object(days=NUMBER, hours=NUMBER, minutes=NUMBER, seconds=NUMBER), to=TEXT)
FAULT: Final = closed_object(
    operation={"type": ["string", "null"]},
    **dict.fromkeys(("status", "body", "retry_after", "latency", "drop", "lose", "truncate", "html"), ANY),
    **dict.fromkeys(("times", "every"), ANY),
)
LIMIT: Final = closed_object(
    ("per_second",), per_second=NUMBER, burst=COUNT, retry_after=ANY, clock={"enum": ["real", "sandbox"]}
)
CAPACITY: Final = closed_object(("sessions",), sessions=ANY, retry_after=ANY)
REQUIREMENT: Final = closed_object(
    permissions=TEXTS, level={"enum": [*LEVELS]}, kinds={"type": "array", "items": {"enum": [*KINDS]}}
)
# Members of these names would be taken for the settings beside them.
OTHER_FIELDS: Final[Node] = {**FIELDS, "propertyNames": {"not": {"enum": ["after", "source", "text"]}}}
MESSAGE: Final = closed_object(("text",), text=TEXT, source=TEXT, fields=OTHER_FIELDS)
PLAN: Final = closed_object(("after",), text=ANY, after=ANY, source=ANY, fields=OTHER_FIELDS)
TURN: Final = closed_object(text=ANY, after=ANY, source=ANY, fields=FIELDS)
# Each is planned anew for every message.
SCRIPT: Final = closed_object(("turns",), turns={"type": "array", "items": TURN, "maxItems": 100})


@attrs.frozen
class ControlRequest:
    """A request to control.

    Attributes:
        name: The name in the path; empty if the path has none.
        query: Query parameters.
        body: The JSON of the body; None without a body.
    """

    name: str = ""
    query: Mapping[str, str] = attrs.field(factory=lambda: dict[str, str]())
    body: Any = None


Run: TypeAlias = Callable[[Application, ControlRequest], Node]


@attrs.frozen
class Command:
    """One method of one path.

    Attributes:
        method: HTTP method.
        path: Path below `/_sandbox`, which may contain `{name}`.
        does: Description for the list of all commands.
        run: Returns the JSON of the response.
        schemas: JSON schemas of the parts `query` and `body` of the request; a part without one is refused.
        hidden: True if errors must not show the body, because it contains a credential.
    """

    method: str
    path: str
    does: str
    run: Run
    schemas: Mapping[str, Node | None]
    hidden: bool = False

    def check(self, part: str, value: Any, *, is_sent: bool) -> None:
        """Raise ValueError if the query or the body of a request does not fit."""
        schema = self.schemas[part]
        if schema is not None:
            check(schema, value, f"the {part}", hidden=self.hidden)
        elif is_sent:
            raise ValueError(f"the {part}: {self.method} {self.path} takes none")


COMMANDS: Final[list[Command]] = []


def command(
    method: str, path: str, does: str, *, body: Node | None = None, query: Node | None = None, hidden: bool = False
) -> Callable[[Run], Run]:
    """Return a decorator that adds a function to the commands."""

    def add(run: Run) -> Run:
        COMMANDS.append(Command(method, f"/_sandbox{path}", does, run, {"query": query, "body": body}, hidden))
        return run

    return add


@command("GET", "", "lists these addresses")
def _index(app: Application, request: ControlRequest) -> Node:
    return {"addresses": [{"method": each.method, "path": each.path, "does": each.does} for each in COMMANDS]}


@command("GET", "/state", "counts the records, by resource and collection")
def state_summary(app: Application, request: ControlRequest) -> Node:
    """Return the number of records by resource and by collection; deleted records are counted separately."""
    collections: list[Node] = []
    resources: dict[str, int] = {}
    for name, records in sorted(app.state.by_name.items()):
        if records:
            count = len(alive(records))
            resources[name[0]] = resources.get(name[0], 0) + count
            newest = [
                next((str(record.fields[label]) for label in LABELS if record.fields.get(label)), key)
                for key, record in reversed(records.items())
                if not record.deleted
            ]
            deleted = len(records) - count
            collections.append({"name": "/".join(name), "count": count, "deleted": deleted, "newest": newest[:NEWEST]})
    return {"organizations": [*app.state.organizations], "families": resources, "collections": collections}


@command(
    "GET",
    "/journal",
    "returns the latest requests, with ?after=N those after number N; `dropped` is the number of older ones",
    query=closed_object(after=TEXT),
)
def _journal(app: Application, request: ControlRequest) -> Node:
    given = request.query.get("after", "0")
    if not (given.isascii() and given.isdigit() and len(given) <= MAX_DIGITS):
        raise ValueError(f"the query.after: must be the number of a request, not {given[:MAX_DIGITS]!r}")
    entries = [*app.journal]
    first = bisect_right(entries, int(given), key=lambda entry: entry.number)
    shown = [entry.to_dict() for entry in entries[first:]]
    return {**_journal_reply(app, shown), "dropped": app.journal.dropped}


@command("DELETE", "/journal", "removes the requests")
def _clear_journal(app: Application, request: ControlRequest) -> Node:
    app.journal.clear()
    return _journal_reply(app, [])


def _journal_reply(app: Application, entries: list[Node]) -> Node:
    return {"entries": entries, "last": app.journal.last, "cleared": app.journal.cleared}


@command("GET", "/journal/permissions", "returns the permissions that the requests required")
def _permissions(app: Application, request: ControlRequest) -> Node:
    return app.journal.permissions().to_dict()


@command("GET", "/clock", "returns the time")
def clock(app: Application, request: ControlRequest) -> Node:
    """Return the time, and true in `ticks` if it passes by itself."""
    return {"now": app.clock().isoformat(), "ticks": app.clock.ticks}


@command("POST", "/clock", 'moves it: {"advance": {"hours": 1}} or {"to": "2030-01-01T00:00:00Z"}', body=MOVE)
def _move_clock(app: Application, request: ControlRequest) -> Node:
    if len(request.body) != 1:
        raise ValueError('the body: must have either "advance", such as {"hours": 1}, or "to"; it has both or neither')
    if "to" in request.body:
        app.clock.advance_to(datetime.fromisoformat(request.body["to"]))
    else:
        app.clock.advance(**request.body["advance"])
    return clock(app, request)


@command("GET", "/faults", "lists the faults, each with the number of requests that met it")
def faults(app: Application, request: ControlRequest) -> Node:
    """Return the faults, each with the number of requests that it was applied to."""
    return {"faults": [_fault(each) for each in app.faults]}


def _fault(fault: Fault) -> Node:
    settings = attrs.asdict(fault, recurse=False, filter=lambda attribute, value: not attribute.name.startswith("_"))
    return {**settings, "body": redact_secrets(fault.body), "unused": fault.unused}


@command("POST", "/faults", f"adds one: {', '.join(FAULT['properties'])}", body=FAULT)
def _add_fault(app: Application, request: ControlRequest) -> Node:
    if len([*app.faults]) >= MAX_FAULTS:
        raise ValueError(f"there are {MAX_FAULTS} faults; remove them with DELETE /_sandbox/faults")
    try:
        return _fault(app.faults.add(**request.body))
    except UnknownNameError as error:
        raise ValueError(f"the body.operation: {error}") from None


@command("DELETE", "/faults", "removes all faults")
def _clear_faults(app: Application, request: ControlRequest) -> Node:
    app.faults.clear()
    return faults(app, request)


@command("GET", "/rate-limit", "shows the rate limit, null for none")
def rate_limit(app: Application, request: ControlRequest) -> Node:
    """Return the rate limit, or null."""
    limit = app.rate_limit
    if limit is None:
        return {"rate_limit": None}
    settings = {name: getattr(limit, name) for name in ("per_second", "burst", "retry_after", "refused")}
    clock = "sandbox" if limit.clock is app.clock else "real" if limit.clock is time.monotonic else "other"
    return {"rate_limit": {**settings, "clock": clock}}


@command(
    "PUT",
    "/rate-limit",
    'sets it: {"per_second": 50, "burst": 10, "retry_after": "seconds", "clock": "real" or "sandbox"}',
    body=LIMIT,
)
def _set_rate_limit(app: Application, request: ControlRequest) -> Node:
    settings = {**request.body}
    clock = app.clock if settings.pop("clock", "real") == "sandbox" else time.monotonic
    app.rate_limit = RateLimit(**settings, clock=clock)
    return rate_limit(app, request)


@command("DELETE", "/rate-limit", "switches it off")
def _remove_rate_limit(app: Application, request: ControlRequest) -> Node:
    app.rate_limit = None
    return rate_limit(app, request)


@command("GET", "/snapshots", "lists the snapshots")
def snapshots(app: Application, request: ControlRequest) -> Node:
    """Return the names of the snapshots."""
    return {"snapshots": app.snapshots.names}


@command("POST", "/snapshots/{name}", "keeps the current state under a name")
def _take(app: Application, request: ControlRequest) -> Node:
    app.snapshots.take(_writable(app, request.name))
    return snapshots(app, request)


@command("GET", "/snapshots/{name}", "returns it as JSON without the credentials, to save it")
def _document(app: Application, request: ControlRequest) -> Node:
    return app.snapshots.document(_existing(app, request.name))


@command("PUT", "/snapshots/{name}", "keeps the JSON of such a file, or of --state, under a name", body={})
def _keep(app: Application, request: ControlRequest) -> Node:
    app.snapshots.keep(_writable(app, request.name), request.body)
    return snapshots(app, request)


@command("POST", "/snapshots/{name}/restore", "restores it, including the time")
def _restore(app: Application, request: ControlRequest) -> Node:
    app.snapshots.restore(_existing(app, request.name))
    return state_summary(app, request)


@command("GET", "/snapshots/{name}/diff", "lists what was added, removed and changed since")
def _diff(app: Application, request: ControlRequest) -> Node:
    return {**app.snapshots.diff(_existing(app, request.name))}


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


@command(
    "POST",
    "/operations/{name}/require",
    f"changes the credential that it requires: {', '.join(REQUIREMENT['properties'])}",
    body=REQUIREMENT,
)
def _require(app: Application, request: ControlRequest) -> Node:
    app.require(request.name, **request.body)
    return {"operation": operation_named(request.name).name, "required": request.body}


@command(
    "POST",
    "/operations/{name}/accept",
    'accepts query parameters that the contract does not have: {"parameters": ["from"]}',
    body=closed_object(("parameters",), parameters=TEXTS),
)
def _accept(app: Application, request: ControlRequest) -> Node:
    app.accept(request.name, *request.body["parameters"])
    return {"operation": operation_named(request.name).name, "accepted": request.body["parameters"]}


@command(
    "POST",
    "/credentials/remove",
    'removes a credential: {"token": "..."}',
    body=closed_object(("token",), token=TEXT),
    hidden=True,
)
def _remove_credential(app: Application, request: ControlRequest) -> Node:
    app.remove_credential(request.body["token"])
    return {"known": len(app.accounts.by_token)}


@command(
    "POST",
    "/reviews/settle",
    'settles the unfinished reviews: {"status": "completed"}, or no body',
    body={**closed_object(status=TEXT), "type": ["object", "null"]},
)
def _settle_reviews(app: Application, request: ControlRequest) -> Node:
    given: Node = request.body or {}
    return {"settled": app.settle_reviews(**given)}


@command("POST", "/sessions/{name}/suspend", "suspends a session, which a message resumes")
def _suspend(app: Application, request: ControlRequest) -> Node:
    app.suspend_session(request.name)
    return {"suspended": request.name}


@command("PATCH", "/sessions/{name}", 'sets members of a session: {"status": "ready"}', body=FIELDS)
def _update(app: Application, request: ControlRequest) -> Node:
    return app.update_session(request.name, **request.body)


@command("DELETE", "/sessions/{name}", "removes a session, which is then unknown (404)")
def _remove(app: Application, request: ControlRequest) -> Node:
    app.remove_session(request.name)
    return {"removed": request.name}


@command(
    "POST",
    "/sessions/{name}/messages",
    'adds a message: {"text": "Done.", "source": "assistant", "fields": {}}',
    body=MESSAGE,
)
def _add_message(app: Application, request: ControlRequest) -> Node:
    given = {**request.body}
    return app.add_message(request.name, given.pop("text"), **given.pop("fields", {}), **given)


@command(
    "POST",
    "/sessions/{name}/plan",
    'plans a message, a change or both: {"after": 600, "text": "Done.", "fields": {"status": "ready"}}',
    body=PLAN,
)
def _plan(app: Application, request: ControlRequest) -> Node:
    given = {**request.body}
    app.plan_session(request.name, **given.pop("fields", {}), **given)
    return {"planned": request.name}


@command(
    "PUT",
    "/script",
    'lets the assistant do this after each message: {"turns": [{"after": 600, "text": "Done.", "fields": {}}]}',
    body=SCRIPT,
)
def _set_script(app: Application, request: ControlRequest) -> Node:
    turns = [Turn(**each) for each in request.body["turns"]]
    app.on_message(lambda message: turns)
    return {"turns": len(turns)}


@command("DELETE", "/script", "restores what the assistant does by default")
def _remove_script(app: Application, request: ControlRequest) -> Node:
    app.on_message(None)
    return {"turns": None}


@command("GET", "/session-capacity", "shows the capacity, null for none")
def _capacity(app: Application, request: ControlRequest) -> Node:
    return {"sessions": app.session_capacity, "retry_after": app.capacity_retry_after}


@command(
    "PUT",
    "/session-capacity",
    'sets the open sessions that an organization may have: {"sessions": 10, "retry_after": 30}',
    body=CAPACITY,
)
def _set_capacity(app: Application, request: ControlRequest) -> Node:
    app.session_capacity = request.body["sessions"]
    app.capacity_retry_after = request.body.get("retry_after")
    return _capacity(app, request)


@command("DELETE", "/session-capacity", "switches it off")
def _remove_capacity(app: Application, request: ControlRequest) -> Node:
    app.session_capacity = app.capacity_retry_after = None
    return _capacity(app, request)


@command("GET", "/settings", "returns the settings")
def _settings(app: Application, request: ControlRequest) -> Node:
    return {"org_group_limits_enabled": app.state.org_group_limits_enabled}


@command(
    "PUT",
    "/settings",
    'changes them: {"org_group_limits_enabled": false}',
    body=closed_object(("org_group_limits_enabled",), org_group_limits_enabled=FLAG),
)
def _set_settings(app: Application, request: ControlRequest) -> Node:
    app.state.org_group_limits_enabled = request.body["org_group_limits_enabled"]
    return _settings(app, request)


@command("POST", "/reset", "restores the initial state")
def _reset(app: Application, request: ControlRequest) -> Node:
    app.reset()
    return state_summary(app, request)


@command("GET", "/assumptions", "lists the assumptions of the sandbox")
def assumptions(app: Application, request: ControlRequest) -> Node:
    """Return the assumptions of the sandbox, and the gaps that it leaves open."""
    return {
        "assumptions": [attrs.asdict(each) for each in app.assumptions],
        "undecided": [attrs.asdict(each) for each in app.open_gaps],
    }


@command("POST", "/seed", 'adds items: {"sessions": [{"title": "Fix it"}], "users": [...], ...}', body={})
def _seed(app: Application, request: ControlRequest) -> Node:
    return {"added": app.seed(request.body)}
