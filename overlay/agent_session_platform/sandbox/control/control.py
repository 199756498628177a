"""Control over HTTP, under a path that the API does not have: JSON in, JSON out, before any authentication."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import unquote, urlsplit

from starlette.requests import Request
from starlette.responses import Response

from ..http.app import json_response
from ..problems import RefusedError, nearest
from ..shapes import parse
from .command import Asked, Command
from .commands import COMMANDS
from .page import page

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from ..platform import Sandbox

PREFIX: Final = "/_sandbox"
PAGE: Final = "/"
PATTERNS: Final = [(re.compile(re.sub(r"\{\w+\}", "([^/]+)", each.path)), each) for each in COMMANDS]
LOCAL: Final = re.compile(r"([\w-]+\.)*localhost\.?(:\d+)?", re.IGNORECASE)


def controls(path: str) -> bool:
    """Whether a path is one of control, and none of the API."""
    return path in (PAGE, PREFIX) or path.startswith(f"{PREFIX}/")


class Control:
    """The ASGI application of control."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive)
        content = await request.body()
        try:
            refuse_strangers(request)
            answer = self._answer(request, content)
        except RefusedError as refusal:
            answer = self._refused(refusal, request)
        except ValueError as error:
            answer = self._refused(RefusedError(400, str(error)), request)
        answer.headers["Cache-Control"] = "no-store"
        await answer(scope, receive, send)

    def _answer(self, request: Request, content: bytes) -> Response:
        path = request.url.path
        self._sandbox.state.catch_up()
        if path == PAGE:
            allow(request, ["GET", "HEAD"])
            return page(self._sandbox)
        command, name = find(request, request.scope["path"])
        if request.url.query and not command.takes_query:
            raise ValueError(f"the query: {command.method} {command.path} takes none")
        if content and not command.takes_body:
            raise ValueError(f"the body: {command.method} {command.path} takes none")
        asked = Asked(name, dict(request.query_params), body_of(content))
        return json_response(self._sandbox.accounts.without_credentials(command.run(self._sandbox, asked)), 200)

    def _refused(self, refusal: RefusedError, request: Request) -> Response:
        body = self._sandbox.accounts.without_credentials(refusal.body(request.url.path, with_code=False))
        return json_response(body, refusal.status, "application/problem+json", refusal.headers)


def refuse_strangers(request: Request) -> None:
    """Refuse what a page of another origin sends: there is no authentication that would keep it out."""
    host, origin = request.headers.get("Host", ""), request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != host:
        raise RefusedError(
            403, f"a page of {origin} may not control this sandbox; ask from a program, or the page at /"
        )
    # A name of the page's own may lead here as well (DNS rebinding), and then it is the same origin. In process there
    # is no such way.
    if "sandbox.connection" in request.scope and not is_local(host):
        raise RefusedError(403, f"{host!r} may be anybody's name for this sandbox; call it localhost or by its address")


def is_local(host: str) -> bool:
    """Whether a Host header is an address, or a name that leads nowhere but to this machine."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
        ip_address(name)
    except ValueError:
        return bool(LOCAL.fullmatch(host))
    return True


def find(request: Request, path: str) -> tuple[Command, str]:
    """The command that is asked for, and the name in its path; refuses with 404 or 405."""
    # A name may have a slash, which the path as it was sent tells from those between its parts.
    sent = cast("bytes", request.scope.get("raw_path") or path.encode()).decode("latin-1").partition("?")[0]
    fitting = [(match, command) for pattern, command in PATTERNS if (match := pattern.fullmatch(sent))]
    if not fitting:
        known = sorted({command.path for command in COMMANDS})
        raise RefusedError(404, f"there is no {path}{nearest(path, known)}; GET {PREFIX} lists what there is")
    allow(request, [command.method for _, command in fitting])
    match, command = next((match, command) for match, command in fitting if command.method == request.method)
    return command, unquote(next(iter(match.groups()), ""))


def allow(request: Request, methods: list[str]) -> None:
    """Refuse any other method with 405."""
    if request.method not in methods:
        detail = f"{request.url.path} takes {' or '.join(methods)}, not {request.method}"
        raise RefusedError(405, detail, headers={"Allow": ", ".join(methods)})


def body_of(content: bytes) -> Any:
    """The JSON of a request, None for none; raises ValueError for what is none."""
    try:
        return parse(content) if content else None
    except ValueError as error:
        raise ValueError(f"the body is no JSON: {error}") from None
