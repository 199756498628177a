"""Control over HTTP: commands under /_sandbox, and the page at /. A script in the page fills and updates it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial, wraps
from importlib.resources import files
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

import attrs
from agent_session_platform import operations
from agent_session_platform.contract import Node
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Router

from .api import Endpoint, path_route
from .application import Application
from .faults import FAULT, RateLimit
from .fields import INTEGER, NUMBER, OBJECT
from .problems import RefusedError, UnknownNameError, problem_response, suggestion
from .script import SCRIPT
from .server import path_as_sent
from .snapshots import BEGINNING
from .state import Record, alive
from .validation import ANY, FLAG, TEXT, TEXTS, check_json, closed_object, parse_json

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

PREFIX: Final = "/_sandbox"

# A record's label in the summary of the state is the first of these fields that the record has.
LABELS: Final = ("title", "name", "repo_name", "role_name", "idp_group_name", "email")
NEWEST: Final = 3


class Control:
    """ASGI application that responds to control requests, and passes all others on.

    Args:
        sandbox: The sandbox that is controlled.
        api: The application that gets all other requests.
    """

    def __init__(self, sandbox: Application, api: ASGIApp) -> None:
        self._sandbox = sandbox
        self._api = api
        endpoints: dict[str, dict[str, Endpoint]] = {"/": {"GET": show_page}}
        for command in COMMANDS:
            endpoints.setdefault(PREFIX + command.path, {})[command.method] = self._endpoint(command)
        routes = [path_route(path, by_method) for path, by_method in endpoints.items()]
        self._router = Router(routes, default=self._refuse_unknown)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        if scope["type"] == "http" and scope["path"] != "/" and not scope["path"].startswith(PREFIX):
            await self._api(scope, receive, send)
            return
        try:
            await self._router({**scope, "path": path_as_sent(scope)}, receive, send)
        except (RefusedError, UnknownNameError, ValueError, RecursionError) as error:
            status = 404 if isinstance(error, UnknownNameError) else 400
            refusal = error if isinstance(error, RefusedError) else RefusedError(status, str(error))
            await problem_response(refusal, scope["path"], self._sandbox.accounts.redact)(scope, receive, send)

    def _endpoint(self, command: Command) -> Endpoint:
        run = command.function(self._sandbox)

        async def endpoint(request: Request) -> Response:
            given = _read_arguments(request, await request.body())
            check_json(command.takes, given, "the request")
            with self._sandbox.state.lock:
                self._sandbox.clock.catch_up()
                result = run(*map(unquote, request.path_params.values()), **given)
            content = result
            if hasattr(result, "to_dict"):
                content = result.to_dict()
            elif attrs.has(type(result)):
                content = attrs.asdict(result)
            return JSONResponse(self._sandbox.accounts.redact(content), headers={"Cache-Control": "no-store"})

        return endpoint

    async def _refuse_unknown(self, scope: Scope, receive: Receive, send: Send) -> None:
        hint = suggestion(scope["path"], {PREFIX + command.path for command in COMMANDS})
        raise UnknownNameError(f"there is no {scope['path']}{hint}; GET {PREFIX} lists all addresses")


def _read_arguments(request: Request, body: bytes) -> Any:
    """Return the arguments of a command: the members of the body, or the query parameters."""
    query = request.query_params
    if not query:
        return parse_json(body or b"{}")
    if body:
        raise ValueError("the arguments are in the query and in the body; send them in one of the two")
    for name in query:
        if len(query.getlist(name)) > 1:
            raise ValueError(f"the argument {name!r} is given {len(query.getlist(name))} times")
    return dict(query)


async def show_page(request: Request) -> Response:
    """Return the page, with a Content-Security-Policy that permits only its own script and requests to this sandbox."""
    nonce = secrets.token_urlsafe(16)
    own = f"'nonce-{nonce}'"
    policy = (
        f"default-src 'none'; script-src {own}; style-src {own}; connect-src 'self'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    headers = {"Content-Security-Policy": policy, "Cache-Control": "no-store"}
    page = files(__package__ or "").joinpath("page.html").read_text(encoding="utf-8")
    return HTMLResponse(page.replace("$nonce", nonce), headers=headers)


def list_addresses(sandbox: Application) -> Node:
    """List the addresses under /_sandbox with the schemas of their arguments, and the names of the operations."""
    addresses = [
        {
            "method": command.method,
            "path": PREFIX + command.path,
            "does": (command.function(sandbox).__doc__ or "").partition("\n")[0],
            "takes": command.takes,
        }
        for command in COMMANDS
    ]
    return {"addresses": addresses, "operations": [each.name for each in operations]}


def count_records(sandbox: Application) -> Node:
    """Count the records of each collection; deleted records are counted separately."""
    collections: list[Node] = []
    for place, records in sorted(sandbox.state.by_name.items()):
        found = alive(records)
        newest = [_label(record) for record in reversed(found[-NEWEST:])]
        counts = {"count": len(found), "deleted": len(records) - len(found)}
        if records:
            collections.append({"name": "/".join(place), **counts, "newest": newest})
    return {"organizations": [*sandbox.state.organizations], "collections": collections}


def _label(record: Record) -> str:
    labels = [str(record.fields[name]) for name in LABELS if record.fields.get(name)]
    return next(iter(labels), f"#{record.number}")


def read_journal(sandbox: Application, after: str = "0") -> Node:
    """Return the latest requests, or with ?after=N the requests after number N; `dropped` counts dropped requests."""
    journal = sandbox.journal
    entries = [entry.to_dict() for entry in journal if entry.number > int(after)]
    return {"entries": entries, "last": journal.last, "cleared": journal.cleared, "dropped": journal.dropped}


def read_clock(sandbox: Application) -> Node:
    """Return the time; `ticks` is true if time passes by itself."""
    return {"now": sandbox.clock().isoformat(), "ticks": sandbox.clock.ticks}


def move_clock(sandbox: Application, advance: Node | None = None, to: str | None = None) -> Node:
    """Move the clock by a duration, or to a date-time."""
    if (advance is None) == (to is None):
        raise ValueError('the request must have either "advance", such as {"hours": 1}, or "to"')
    if to is not None:
        sandbox.clock.advance_to(datetime.fromisoformat(to))
    if advance is not None:
        sandbox.clock.advance(**advance)
    return read_clock(sandbox)


def take_snapshot(sandbox: Application, name: str, /, **document: Any) -> None:
    """Keep the current state under a name, or the JSON of an earlier state."""
    if name == BEGINNING:
        raise ValueError(f"{BEGINNING!r} is the snapshot that a reset restores; take another name")
    if document:
        _refuse_credentials("accounts", document)
        sandbox.snapshots.keep(name, document)
    else:
        sandbox.snapshots.take(name)


def list_snapshots(sandbox: Application) -> Node:
    """List the snapshots."""
    return {"snapshots": sandbox.snapshots.names}


def accept(sandbox: Application, operation: str, parameters: list[str]) -> None:
    """Accept query parameters that the contract does not have."""
    sandbox.accept(operation, *parameters)


def add_message(sandbox: Application, session_id: str, fields: Node | None = None, **settings: Any) -> Node:
    """Add a message to a session."""
    return sandbox.add_message(session_id, settings.pop("text"), **settings, **(fields or {}))


def plan_session(sandbox: Application, session_id: str, fields: Node | None = None, **settings: Any) -> None:
    """Plan a message, a change of a session or both."""
    sandbox.plan_session(session_id, **settings, **(fields or {}))


def set_script(sandbox: Application, /, **script: Any) -> None:
    """Let the assistant take turns after each message, or those of the first rule that applies; null: the default."""
    sandbox.on_message(script)


def read_settings(sandbox: Application) -> Node:
    """Return the settings: the rate limit, the number of sessions that an organization may have open, and others."""
    limit = sandbox.rate_limit
    shown = ("per_second", "burst", "retry_after", "refused")
    return {
        "org_group_limits_enabled": sandbox.state.org_group_limits_enabled,
        "session_capacity": sandbox.session_capacity,
        "capacity_retry_after": sandbox.capacity_retry_after,
        "rate_limit": limit and {name: getattr(limit, name) for name in shown},
    }


def change_settings(sandbox: Application, **settings: Any) -> Node:
    """Change settings; null switches a limit off. If one of them is not valid, none is changed."""
    limit = settings.get("rate_limit")
    if limit:
        clock = sandbox.clock if limit.pop("clock", "real") == "sandbox" else time.monotonic
        settings["rate_limit"] = RateLimit(**limit, clock=clock)
    for name, value in settings.items():
        owner: object = sandbox
        if name == "org_group_limits_enabled":
            owner = sandbox.state
        setattr(owner, name, value)
    return read_settings(sandbox)


def list_assumptions(sandbox: Application) -> Node:
    """List the assumptions of the sandbox, and the gaps that it leaves open."""
    return {
        "assumptions": [attrs.asdict(each) for each in sandbox.assumptions],
        "open_gaps": [attrs.asdict(each) for each in sandbox.open_gaps],
    }


def add_seed(sandbox: Application, /, **document: Any) -> Node:
    """Add items, such as {"sessions": [{"title": "Fix it"}]}; credentials are added in Python only."""
    _refuse_credentials("credentials", document)
    return {"added": sandbox.seed(document)}


def _refuse_credentials(name: str, document: Node) -> None:
    """Refuse a document with credentials: whoever reaches the port could give themselves any permission."""
    if name in document:
        raise ValueError(
            f"{name}: credentials are added in Python only, with sandbox.add_credential; over HTTP one is only removed"
        )


@attrs.frozen
class Command:
    """A command: one HTTP method of one path.

    Attributes:
        method: HTTP method.
        path: Path below `/_sandbox`, which may contain `{name}`.
        calls: The name of a method of the sandbox, or a function that gets the sandbox first. Its arguments are the
            `{name}` of the path, and the members of the JSON body or the query parameters.
        takes: JSON schema of the body or the query parameters.
    """

    method: str
    path: str
    calls: str | Callable[..., Any]
    takes: Node = attrs.field(factory=closed_object)

    def function(self, sandbox: Application) -> Callable[..., Any]:
        """Return the function or method that the command calls, bound to a sandbox."""
        if isinstance(self.calls, str):
            method: Callable[..., Any] = attrgetter(self.calls)(sandbox)
            return method
        return wraps(self.calls)(partial(self.calls, sandbox))


# Schemas of the arguments of commands. Where a schema allows any value, the command checks it.
AFTER: Final = closed_object(after={"type": "string", "pattern": r"^[0-9]{1,18}\Z"})
MOVE: Final = closed_object(advance=closed_object(days=NUMBER, hours=NUMBER, minutes=NUMBER, seconds=NUMBER), to=TEXT)
REQUIREMENT: Final = closed_object(permissions=TEXTS, level=TEXT, kinds=TEXTS)
# Members with these names would be mistaken for the settings of the same names.
FIELDS: Final[Node] = {**OBJECT, "propertyNames": {"not": {"enum": ["after", "source", "text"]}}}
MESSAGE: Final = closed_object(("text",), text=TEXT, source=TEXT, fields=FIELDS)
PLAN: Final = closed_object(("after",), text=ANY, after=ANY, source=ANY, fields=FIELDS)
CLOCK: Final[Node] = {"enum": ["real", "sandbox"]}
LIMIT: Final = closed_object(("per_second",), per_second=NUMBER, burst=INTEGER, retry_after=ANY, clock=CLOCK)
SETTINGS: Final = closed_object(
    org_group_limits_enabled=FLAG,
    session_capacity={"type": ["integer", "null"], "minimum": 0},
    capacity_retry_after={"type": ["number", "null"], "minimum": 0},
    rate_limit={**LIMIT, "type": ["object", "null"]},
)

COMMANDS: Final = (
    Command("GET", "", list_addresses),
    Command("GET", "/state", count_records),
    Command("GET", "/journal", read_journal, AFTER),
    Command("DELETE", "/journal", "journal.clear"),
    Command("GET", "/journal/permissions", "journal.permissions"),
    Command("GET", "/clock", read_clock),
    Command("POST", "/clock", move_clock, MOVE),
    Command("GET", "/faults", "faults.to_dict"),
    Command("POST", "/faults", "faults.add", FAULT),
    Command("DELETE", "/faults", "faults.clear"),
    Command("GET", "/snapshots", list_snapshots),
    Command("POST", "/snapshots/{name}", take_snapshot),
    Command("PUT", "/snapshots/{name}", take_snapshot, {**OBJECT, "minProperties": 1}),
    Command("GET", "/snapshots/{name}", "snapshots.document"),
    Command("POST", "/snapshots/{name}/restore", "snapshots.restore"),
    Command("GET", "/snapshots/{name}/diff", "snapshots.diff"),
    Command("POST", "/operations/{name}/require", "require", REQUIREMENT),
    Command("POST", "/operations/{name}/accept", accept, closed_object(("parameters",), parameters=TEXTS)),
    Command("POST", "/credentials/remove", "remove_credential", closed_object(("token",), token=TEXT)),
    Command("POST", "/reviews/settle", "settle_reviews", closed_object(status=TEXT)),
    Command("PATCH", "/sessions/{name}", "update_session", OBJECT),
    Command("DELETE", "/sessions/{name}", "remove_session"),
    Command("POST", "/sessions/{name}/suspend", "suspend_session"),
    Command("POST", "/sessions/{name}/messages", add_message, MESSAGE),
    Command("POST", "/sessions/{name}/plan", plan_session, PLAN),
    Command("PUT", "/script", set_script, SCRIPT),
    Command("GET", "/settings", read_settings),
    Command("PUT", "/settings", change_settings, SETTINGS),
    Command("POST", "/reset", "reset"),
    Command("GET", "/assumptions", list_assumptions),
    Command("POST", "/seed", add_seed, OBJECT),
)
