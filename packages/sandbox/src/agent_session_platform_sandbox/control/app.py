"""Application of the sandbox itself: its HTTP API under /_sandbox, and the page at /, which its own script updates."""

from __future__ import annotations

import re
import secrets
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import quote, unquote

from agent_session_platform import Catalogue
from starlette.requests import Request
from starlette.responses import Response

from ..application import Application
from ..http import MAX_BODY, BufferedRequest, check_origin, json_response, problem_response
from ..problems import RefusedError, UnknownNameError, suggestion
from ..validation import parse_json
from .commands import (
    COMMANDS,
    Command,
    ControlRequest,
    Run,
    assumptions,
    clock,
    faults,
    rate_limit,
    snapshots,
    state_summary,
)

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

PREFIX: Final = "/_sandbox"
PAGE: Final = "/"
PATTERNS: Final = [(re.compile(re.sub(r"\{\w+\}", "([^/]+)", each.path)), each) for each in COMMANDS]


class Control:
    """Middleware that responds to control requests, and passes all others on.

    Args:
        sandbox: The sandbox that is controlled.
        api: The application that gets all other requests.
        max_body: Bytes of a request's body; a longer one is refused.
    """

    def __init__(self, sandbox: Application, api: ASGIApp, max_body: int = MAX_BODY) -> None:
        self._sandbox = sandbox
        self._api = api
        self._max_body = max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        if scope["type"] != "http" or not _is_control(scope["path"]):
            await self._api(scope, receive, send)
            return
        request, buffered = Request(scope), BufferedRequest(scope, receive, self._max_body)
        try:
            # A request without a connection comes from this process, and not from a page: its host is not checked.
            check_origin(request.headers)
            if not await buffered.read():
                return
            with self._sandbox.state.lock:
                response = self._respond(request, bytes(buffered.body))
        except (RefusedError, UnknownNameError, ValueError, RecursionError) as error:
            status = 404 if isinstance(error, UnknownNameError) else 400
            refusal = error if isinstance(error, RefusedError) else RefusedError(status, str(error))
            response = problem_response(refusal, scope, self._sandbox.accounts.redact)
        response.headers["Cache-Control"] = "no-store"
        await response(scope, receive, send)

    def _respond(self, request: Request, content: bytes) -> Response:
        self._sandbox.clock.catch_up()
        if request.scope["path"] == PAGE:
            _check_method(request, ["GET", "HEAD"])
            return page(self._sandbox)
        command, name = _find(request)
        try:
            body = parse_json(content) if content else None
        except ValueError as error:
            raise ValueError(f"the body is not JSON: {error}") from None
        query = dict(request.query_params)
        command.check("query", query, is_sent=bool(query))
        command.check("body", body, is_sent=bool(content))
        result = command.run(self._sandbox, ControlRequest(name, query, body))
        return json_response(self._sandbox.accounts.redact(result), 200)


def _is_control(path: str) -> bool:
    return path in (PAGE, PREFIX) or path.startswith(f"{PREFIX}/")


def _find(request: Request) -> tuple[Command, str]:
    """Return the command of a request and the name in its path; refuse (404, 405) unknown ones."""
    path: str = request.scope["path"]
    # Only the path as it was sent distinguishes a slash inside a name from one between segments.
    sent = cast("bytes", request.scope.get("raw_path") or path.encode()).decode("latin-1").partition("?")[0]
    matching = [(match, command) for pattern, command in PATTERNS if (match := pattern.fullmatch(sent))]
    if not matching:
        known = sorted({command.path for command in COMMANDS})
        raise RefusedError(404, f"there is no {path}{suggestion(path, known)}; GET {PREFIX} lists all addresses")
    _check_method(request, [command.method for _, command in matching])
    match, command = next((match, command) for match, command in matching if command.method == request.method)
    return command, unquote(next(iter(match.groups()), ""))


def _check_method(request: Request, methods: list[str]) -> None:
    if request.method not in methods:
        detail = f"{request.scope['path']} takes {' or '.join(methods)}, not {request.method}"
        raise RefusedError(405, detail, headers={"Allow": ", ".join(methods)})


# The number of latest requests that the page shows when it is opened.
MAX_REQUESTS: Final = 200


def page(app: Application) -> Response:
    """Return the page, with a policy that permits only its own script and requests to this sandbox."""
    nonce = secrets.token_urlsafe(16)
    own = f"'nonce-{nonce}'"
    policy = (
        f"default-src 'none'; script-src {own}; style-src {own}; connect-src 'self'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return Response(_render(app, nonce), media_type="text/html", headers={"Content-Security-Policy": policy})


@cache
def template() -> Template:
    """Return the page with placeholders."""
    return Template(files(__package__ or "").joinpath("page.html").read_text(encoding="utf-8"))


def _render(app: Application, nonce: str) -> str:
    time = _result(app, clock)
    assumed = _result(app, assumptions)["assumptions"]
    limit = _result(app, rate_limit)["rate_limit"]
    return template().substitute(
        nonce=nonce,
        now=escape(time["now"][:19].replace("T", " ")),
        ticks="ticking" if time["ticks"] else "standing still",
        after=max(0, app.journal.last - MAX_REQUESTS),
        cleared=app.journal.cleared,
        snapshots=_snapshots(_result(app, snapshots)["snapshots"]),
        state=_table(_result(app, state_summary)["collections"], "Empty, except for the organizations."),
        faults=_table(_result(app, faults)["faults"], "None."),
        limit=_table([limit] if limit else [], "Off."),
        operations="".join(f'<option value="{escape(each.name)}">' for each in Catalogue()),
        assumed=len(assumed),
        assumptions=_table([{"gap": each["gap"], "assumed": each["assumed"]} for each in assumed], "None."),
    )


def _result(app: Application, command: Run) -> dict[str, Any]:
    """Return the result of a command as over HTTP."""
    result: dict[str, Any] = app.accounts.redact(command(app, ControlRequest()))
    return result


def _table(rows: list[dict[str, Any]], empty: str) -> str:
    """Return objects as a table without the members that none of them has, or the text *empty* if there are none."""
    heads = [name for name in rows[0] if any(row[name] for row in rows)] if rows else []
    lines = ["".join(f"<td>{_cell(row[name])}</td>" for name in heads) for row in rows]
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if rows else f"<p>{empty}</p>"


def _cell(value: Any) -> str:
    texts = value if isinstance(value, list) else [value or ""]
    return "".join(f'<span class="more">{escape(str(each))}</span>' for each in texts)


def _snapshots(names: list[str]) -> str:
    """Return a line for each snapshot, with what restores and what saves it."""
    lines: list[str] = []
    for name in names:
        place, shown = escape(f"snapshots/{quote(name, safe='')}"), escape(name)
        restore = f'<button data-post="{place}/restore" data-ask="Replace the state by {shown}?">Restore</button>'
        lines.append(f'<p>{shown} {restore} <a href="{PREFIX}/{place}" download="{shown}.json">Save</a></p>')
    return "".join(lines)
