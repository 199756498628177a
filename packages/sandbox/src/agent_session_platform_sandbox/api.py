"""The ASGI application of the API: it checks requests, calls their handlers, and writes the responses."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import starmap
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import unquote

from agent_session_platform.contract import is_array, is_object
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route as StarletteRoute, Router

from .bodies import read_body
from .contract import HEADER, PATH, QUERY, Content, Kind, Requirement, ResponseForm, Route, load_routes, routes
from .faults import RateLimit
from .fitting import Fitter
from .generic import GenericHandlers
from .handlers import Call, Handler, Reply
from .parameters import read_arguments
from .problems import RefusedError, problem_response, suggestion
from .replies import follow_contract, has_overlay, refusal_body
from .resources import HANDLERS, enterprise, sessions
from .server import path_as_sent
from .state import State, authorize
from .validation import SandboxContract, load_contract

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]

PARAMETER: Final = re.compile(r"\{p\d+(:path)?\}")
BYTES: Final = "application/octet-stream"
# The media type of a response if the contract declares a range such as `image/*`, and the request names no type.
OF_RANGES: Final = {"text": "text/plain", "image": "image/png", "audio": "audio/mpeg", "video": "video/mp4"}
# A server may ignore a Range header. The sandbox ignores several ranges, a range of the last bytes, other units and
# invalid text.
RANGE: Final = re.compile(r"bytes=(?P<first>[0-9]{1,18})-(?P<last>[0-9]{0,18})", re.IGNORECASE)


class Api:
    """The application of the API. Changes of its attributes apply to the next request.

    Args:
        state: State of the sandbox.
        strict: True to check credentials and permissions.
        contract: The contract; None for the contract of the generated package.

    Attributes:
        rate_limit: The rate limit, or None.
        routes: The route of each operation, by its id.
        handlers: The handler of each operation, by its id.
        requirements: The credential that each operation requires, by its id.
        accepted: Additional query parameters of operations, by their ids.
    """

    def __init__(self, state: State, *, strict: bool, contract: SandboxContract | None = None) -> None:
        # The routes of the generated package are made only once.
        listed = load_routes() if contract is None else tuple(routes(contract))
        contract = contract or load_contract()
        generic = GenericHandlers(contract, listed, HANDLERS)
        fits = has_overlay(contract)
        state.id_shapes = generic.id_shapes()
        state.words = sessions.status_words(contract)
        self._state = state
        self._strict = strict
        self.rate_limit: RateLimit | None = None
        self.routes = {route.operation_id: route for route in listed}
        self.handlers: dict[str, Handler] = {}
        for route in listed:
            handler = HANDLERS.get(route.operation_id)
            if handler is None:
                self.handlers[route.operation_id] = follow_contract(generic.handler(route), route, fits=True)
            else:
                self.handlers[route.operation_id] = follow_contract(handler, route, fits=fits)
        self.requirements: dict[str, Requirement] = {route.operation_id: route.requirement for route in listed}
        self.accepted: dict[str, set[str]] = {}
        endpoints: dict[str, dict[str, Endpoint]] = {}
        for route in sorted(listed, key=_generality):
            endpoints.setdefault(route.pattern, {})[route.method] = self._endpoint(route)
        self._paths = [route.path for route in listed]
        # A path with a slash at its end is another path, and is not redirected.
        paths = list(starmap(path_route, endpoints.items()))
        self._router = Router(paths, redirect_slashes=False, default=self._refuse_unknown)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        try:
            await self._router({**scope, "path": path_as_sent(scope)}, receive, send)
        except RefusedError as refusal:
            response = problem_response(refusal, scope["path"], self._state.accounts.redact)
            await response(scope, receive, send)

    def _endpoint(self, route: Route) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            content = await request.body()
            # Clients in other threads may use the same state.
            with self._state.lock:
                self._state.now.catch_up()
                try:
                    call = self._admit(route, request, content)
                    reply = self.handlers[route.operation_id](call)
                    enterprise.add_audit_log(call)
                    return _respond(reply, route, request, self._state.timestamp)
                except RefusedError as refusal:
                    return self._refuse(route, request, refusal)

        return endpoint

    def _admit(self, route: Route, request: Request, content: bytes) -> Call:
        """Return the call of a request that is within the rate limit, authorized and valid; refuse others."""
        if self.rate_limit is not None:
            self.rate_limit.admit()
        state = self._state
        path = {name: request.path_params[f"p{index}"] for index, name in enumerate(route.path_names)}
        org_id = unquote(path["org_id"]) if "org_id" in path else None
        credentials = request.headers.getlist("Authorization")
        if len(credentials) > 1:
            # Servers differ in which of these headers they read.
            detail = f"the request has {len(credentials)} Authorization headers; send one"
            raise RefusedError(401, detail, headers={"WWW-Authenticate": "Bearer"})
        credential = next(iter(credentials), None)
        if self._strict:
            account = state.accounts.authenticate(credential)
            authorize(account, self.requirements[route.operation_id], org_id)
        else:
            account = state.accounts.unrestricted(credential)
        if org_id is not None:
            state.organization(org_id)
        arguments = read_arguments(route, path, request, self.accepted.get(route.operation_id, ()))
        body = read_body(route, content, request.headers.get("Content-Type", ""))
        if body is None and route.takes_object:
            body = {}
        return Call(
            state,
            route,
            account,
            arguments[PATH],
            arguments[QUERY],
            body,
            self._strict,
            arguments[HEADER],
            _preferred(route.contents, request),
        )

    def _refuse(self, route: Route, request: Request, refusal: RefusedError) -> Response:
        """Return the response to a refused request, in the form of the contract."""
        media_type, body = refusal_body(route, refusal, request.scope["path"], self._state.timestamp())
        return JSONResponse(self._state.accounts.redact(body), refusal.status, refusal.headers, media_type)

    async def _refuse_unknown(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        raise RefusedError(404, f"no operation {scope['method']} {path}{suggestion(path, self._paths)}")


def path_route(pattern: str, endpoints: Mapping[str, Endpoint]) -> StarletteRoute:
    """Return the route of one path. GET also responds to HEAD, and other methods are refused with 405.

    The first path that matches is used, even if only a later path has the method.
    """
    by_method = {"HEAD": endpoints["GET"], **endpoints} if "GET" in endpoints else endpoints

    async def endpoint(request: Request) -> Response:
        if request.method not in by_method:
            allowed = ", ".join(sorted(by_method))
            detail = f"no operation {request.method} {request.scope['path']}; it takes {allowed}"
            raise RefusedError(405, detail, headers={"Allow": allowed})
        return await by_method[request.method](request)

    route = StarletteRoute(pattern, endpoint)
    route.methods = None
    return route


def _generality(route: Route) -> tuple[bool, int, int]:
    """Return a sort key: specific paths come before general ones, because the first path that matches is used."""
    fixed = PARAMETER.sub("", route.pattern)
    return ":path}" in route.pattern, len(route.path_names), -len(fixed)


def _respond(reply: object, route: Route, request: Request, now: Callable[[], str]) -> Response:
    """Return the response for a handler's reply, in a media type that the contract declares and that fits the body."""
    if not isinstance(reply, Reply):
        raise TypeError(f"the handler of {route.operation_id} must return a Reply, not {type(reply).__name__}")
    status = reply.status or route.success
    form = route.response(status)
    headers = _required_headers(form, now)
    declared = form.contents if form else ()
    writable = [content for content in declared if _can_write(content, reply.body)]
    # After one of these statuses, a body would be read as the beginning of the next response.
    has_none = status < 200 or status in (204, 205, 304)
    if has_none or (reply.body is None and form is not None and not writable):
        return Response(None, status, headers)
    chosen = _preferred(writable, request)
    kind, media_type = Kind.JSON, "application/json"
    if chosen is not None:
        kind, media_type = chosen.kind, _media_type(chosen, request)
    elif isinstance(reply.body, bytes):
        kind, media_type = Kind.BYTES, BYTES
    response = Response(_write(kind, reply.body), status, headers, media_type)
    is_file = isinstance(reply.body, bytes) and route.method == "GET" and status == 200
    if is_file and route.response(206) == form:
        response = _file_response(response, request)
    return response


def _named(request: Request) -> list[str]:
    """Return the media types that the Accept header of a request names, without ranges."""
    names: list[str] = []
    for part in request.headers.get("Accept", "").split(","):
        name = part.partition(";")[0].strip().lower()
        if name and "*" not in name:
            names.append(name)
    return names


def _preferred(contents: Sequence[Content], request: Request) -> Content | None:
    """Return the content that the Accept header names first, or else the first content; None if *contents* is empty."""
    for name in _named(request):
        for content in contents:
            if content.covers(name):
                return content
    return next(iter(contents), None)


def _media_type(content: Content, request: Request) -> str:
    if not content.is_range:
        return content.media_type
    main = content.media_type.partition("/")[0]
    return next(filter(content.covers, _named(request)), OF_RANGES.get(main, BYTES))


def _can_write(content: Content, body: Any) -> bool:
    if isinstance(body, bytes):
        return content.kind is not Kind.JSON
    if content.is_range:
        return content.kind is Kind.TEXT and isinstance(body, str)
    is_scalar = not (body is None or is_object(body) or is_array(body))
    return content.kind is Kind.JSON or isinstance(body, str) or (content.kind is Kind.TEXT and is_scalar)


def _write(kind: Kind, body: Any) -> str | bytes:
    if isinstance(body, bytes) or (isinstance(body, str) and kind is not Kind.JSON):
        return body
    return _json(body)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _required_headers(form: ResponseForm | None, now: Callable[[], str]) -> dict[str, str]:
    """Return the headers that the contract requires of a response, with minimal values."""
    headers: dict[str, str] = {}
    for name, shape in form.headers.items() if form else ():
        value = Fitter(shape.contract, now()).sample(shape.schema)
        headers[name] = value if isinstance(value, str) else _json(value)
    return headers


def _file_response(whole: Response, request: Request) -> Response:
    """Return the response of a file with its ETag, or only the range that the request asks for (RFC 9110, section 14).

    Raises:
        RefusedError: The range begins after the end of the file (416).
    """
    content = bytes(whole.body)
    # The ETag is strong: two files have the same ETag only if their bytes are equal.
    etag = f'"{hashlib.sha256(content).hexdigest()}"'
    whole.headers.update({"ETag": etag, "Accept-Ranges": "bytes"})
    match = RANGE.fullmatch(", ".join(request.headers.getlist("range")))
    # An If-Range header with a date never fits, because the file has no Last-Modified. A weak ETag never fits either.
    if match is None or request.method != "GET" or request.headers.get("if-range", etag) != etag:
        return whole
    first, last = int(match["first"]), int(match["last"] or len(content))
    if match["last"] and last < first:
        return whole
    if first >= len(content):
        detail = f"the range {match[0]} begins after the end of the file, at {len(content)} bytes"
        raise RefusedError(416, detail, headers={"Content-Range": f"bytes */{len(content)}"})
    part = content[first : last + 1]
    place = f"bytes {first}-{first + len(part) - 1}/{len(content)}"
    return Response(part, 206, {**whole.headers, "content-length": str(len(part)), "content-range": place})
