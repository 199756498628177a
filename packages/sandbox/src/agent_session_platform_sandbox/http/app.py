"""The ASGI application of the API: requests are admitted, authorized, validated and handled."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from inspect import iscoroutine
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import unquote

import attrs
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as StarletteRoute

from ..bodies import read_body
from ..contract import Requirement, Route, SandboxContract, load_contract, load_routes, routes
from ..generic import GenericHandlers
from ..handlers import Call, Handler, Reply
from ..parameters import read_arguments
from ..problems import RefusedError
from ..resources import HANDLERS, enterprise
from ..state import State, authorize
from .requests import path_as_sent, path_suggestion
from .responses import RateLimit, file_response, json_response, preferred, problem_response, reply_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

PARAMETER = re.compile(r"\{p\d+(:path)?\}")

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]


@attrs.define
class ApplicationContext:
    """Shared settings and tables of all endpoints. Changes apply to the next request.

    Attributes:
        state: State of the sandbox.
        strict: True to check credentials and permissions.
        contract: The contract; that of the generated package by default.
        rate_limit: The rate limit, or None.
        routes: The route of each operation.
        handlers: The handler of each operation, by its id.
        requirements: The credential that each operation requires, by its id.
        accepted: Additional query parameters of operations, by their ids.
    """

    state: State
    strict: bool
    contract: SandboxContract = attrs.field(factory=load_contract)
    rate_limit: RateLimit | None = None
    routes: list[Route] = attrs.field(init=False)
    handlers: dict[str, Handler] = attrs.field(init=False)
    requirements: dict[str, Requirement] = attrs.field(init=False)
    accepted: dict[str, set[str]] = attrs.field(init=False, factory=lambda: dict[str, set[str]]())

    def __attrs_post_init__(self) -> None:
        # The routes of the generated package are made once.
        is_own = self.contract is load_contract()
        self.routes = list(load_routes() if is_own else routes(self.contract))
        generic = GenericHandlers(self.contract, self.routes, HANDLERS)
        self.handlers = {
            route.operation_id: HANDLERS.get(route.operation_id) or generic.handler(route) for route in self.routes
        }
        self.requirements = {route.operation_id: route.requirement for route in self.routes}


def make_app(context: ApplicationContext) -> ASGIApp:
    """Return the application of a sandbox, with an endpoint for every operation."""
    # The first path that matches is used: paths with fewer parameters come first, and paths with a wildcard last.
    ordered = sorted(context.routes, key=_generality)
    paths = sorted({route.path for route in ordered})
    endpoints: dict[str, dict[str, Endpoint]] = {}
    for route in ordered:
        endpoints.setdefault(route.pattern, {})[route.method] = _endpoint(context, route)
    app = Starlette(
        routes=[_path_route(pattern, of_path) for pattern, of_path in endpoints.items()],
        exception_handlers={HTTPException: lambda request, error: _unknown_route(context, request, error, paths)},
    )
    # A path with a slash at its end is another path, and is not redirected.
    app.router.redirect_slashes = False

    async def with_path_as_sent(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, "path": path_as_sent(scope)}, receive, send)

    return with_path_as_sent


def _path_route(pattern: str, endpoints: dict[str, Endpoint]) -> StarletteRoute:
    """Return the route of one path; that of GET also responds to HEAD, and any other method is refused with 405."""
    by_method = {"HEAD": endpoints["GET"], **endpoints} if "GET" in endpoints else endpoints

    async def endpoint(request: Request) -> Response:
        if request.method not in by_method:
            raise HTTPException(405, headers={"Allow": ", ".join(sorted(by_method))})
        return await by_method[request.method](request)

    route = StarletteRoute(pattern, endpoint)
    # The first path that matches decides, and not the first that has the method.
    route.methods = None
    return route


def _endpoint(context: ApplicationContext, route: Route) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        content = await request.body()
        # Clients in other threads may use the same state.
        with context.state.lock:
            context.state.now.catch_up()
            try:
                call = _admit(context, route, request, content)
                reply = _checked(context.handlers[route.operation_id](call), route)
                enterprise.record(call)
                response = reply_response(reply, route, request.headers.get("Accept", ""), context.state.timestamp)
                return file_response(response, request) if _is_file(reply, response, route) else response
            except RefusedError as refusal:
                return _refused(context, route, request, refusal)

    return endpoint


def _generality(route: Route) -> tuple[bool, int, int]:
    """Return a key that is greater for a path that covers more."""
    fixed = PARAMETER.sub("", route.pattern)
    return ":path}" in route.pattern, len(route.path_names), -len(fixed)


def _admit(context: ApplicationContext, route: Route, request: Request, content: bytes) -> Call:
    """Return the call of a request that is within the rate limit, authorized and valid; refuse any other."""
    if context.rate_limit is not None:
        context.rate_limit.admit()
    state = context.state
    path = {name: request.path_params[f"p{index}"] for index, name in enumerate(route.path_names)}
    org_id = unquote(path["org_id"]) if "org_id" in path else None
    header = _authorization(request)
    if context.strict:
        account = state.accounts.authenticate(header)
        authorize(account, context.requirements[route.operation_id], org_id)
    else:
        account = state.accounts.unrestricted(header)
    if org_id is not None:
        state.organization(org_id)
    arguments = read_arguments(route, path, request, context.accepted.get(route.operation_id, ()))
    body = read_body(route, content, request.headers.get("Content-Type", ""))
    return Call(
        state,
        route,
        account,
        arguments.path,
        arguments.query,
        {} if body is None and route.takes_object else body,
        context.strict,
        arguments.headers,
        arguments.cookies,
        preferred(route.contents, request.headers.get("Accept", "")),
    )


def _is_file(reply: Reply, response: Response, route: Route) -> bool:
    """Return whether a response is a file, of which the contract allows a range."""
    is_get = route.method == "GET" and response.status_code == 200
    return is_get and isinstance(reply.body, bytes) and route.response(206) == route.response(200)


def _authorization(request: Request) -> str | None:
    """Return the Authorization header; refuse (401) several, because servers differ in which one they read."""
    headers = request.headers.getlist("Authorization")
    if len(headers) > 1:
        detail = f"the request has {len(headers)} Authorization headers; send one"
        raise RefusedError(401, detail, headers={"WWW-Authenticate": "Bearer"})
    return headers[0] if headers else None


def _checked(reply: object, route: Route) -> Reply:
    """Return a handler's reply; raise TypeError if a user's handler returned something else."""
    if isinstance(reply, Reply):
        return reply
    if iscoroutine(reply):
        # A coroutine that is never awaited would cause a second warning.
        reply.close()
    kind = type(reply).__name__
    raise TypeError(f"the handler of {route.operation_id} must be a function that returns a Reply, not {kind}")


def _refused(context: ApplicationContext, route: Route, request: Request, refusal: RefusedError) -> Response:
    """Return the response of a refusal, in the form of the contract (rule schedule-validation-body)."""
    redact = context.state.accounts.redact
    if route.validation_form and (refusal.status == 422 or refusal.errors):
        return json_response(redact({"detail": refusal.errors or []}), refusal.status)
    return problem_response(refusal, request.scope, redact, with_code=route.with_code)


def _unknown_route(context: ApplicationContext, request: Request, error: Exception, paths: list[str]) -> Response:
    """Return the response for an unknown path or method, with a suggestion."""
    status, headers = 500, dict[str, str]()
    if isinstance(error, HTTPException):
        status, headers = error.status_code, dict(error.headers or {})
    path: str = request.scope["path"]
    hint = f"; it takes {headers['Allow']}" if "Allow" in headers else path_suggestion(path, paths)
    refusal = RefusedError(status, f"no operation {request.method} {path}{hint}", headers=headers)
    return problem_response(refusal, request.scope, lambda body: body)
