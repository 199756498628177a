"""The ASGI application of control: JSON in and out, without authentication."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import Response

from ..application import Application
from ..http import MAX_BODY, BufferedRequest, check_origin, json_response, problem_response
from ..problems import RefusedError, UnknownNameError, suggestion
from ..validation import parse_json
from .commands import COMMANDS, Command, ControlRequest
from .page import page

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
