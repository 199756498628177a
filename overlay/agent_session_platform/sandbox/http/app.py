"""The ASGI application: each request is admitted, authenticated, authorized, validated, handled and answered."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Container, Mapping, MutableMapping
from dataclasses import dataclass
from inspect import iscoroutine
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import quote, unquote

from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as StarletteRoute

from ..problems import RefusedError, nearest_path
from ..resources import HANDLERS, audit_logs
from ..resources.generic import Generic
from ..state.accounts import Accounts, Requirement, authorize
from ..state.state import State
from .call import Call, Handler, Reply
from .routes import Contract, Route
from .validation import read_body, read_query

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

# What stands for itself in a segment of a path (RFC 3986), beside letters, digits and -._~.
SEGMENT: Final = "!$&'()*+,;=:@"

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class House:
    """What all endpoints of a sandbox share.

    `admit` may refuse any request; without `strict` nobody is asked for a credential or a permission; `replaced` has
    the handlers that stand in for the sandbox's own, `required` what is asked of a credential, and `accepted` the query
    parameters that pass though the contract does not know them, each by the id of the operation.
    """

    state: State
    accounts: Accounts
    admit: Callable[[], None]
    strict: bool
    replaced: Mapping[str, Handler]
    required: MutableMapping[str, Requirement]
    accepted: Mapping[str, Container[str]]


def make_app(house: House) -> ASGIApp:
    """Make the application of a sandbox, with a route for every operation."""
    contract = Contract()
    # Of paths that fit the same address, the one with fewer parameters is meant, and one with a wildcard last.
    routes = sorted(contract.routes(), key=lambda route: (":path}" in route.pattern, route.path.count("{")))
    generic = Generic(contract, routes)
    paths = sorted({route.path for route in routes})
    resources: dict[str, Resource] = {}
    for route in routes:
        handler = HANDLERS.get(route.operation_id) or generic.handler(route)
        house.required[route.operation_id] = route.requirement
        resources.setdefault(route.pattern, Resource()).add(route.method, endpoint(house, route, handler))
    app = Starlette(
        routes=[StarletteRoute(pattern, resource) for pattern, resource in resources.items()],
        exception_handlers={HTTPException: lambda request, error: unknown_route(request, error, paths)},
    )
    # A path with a slash at its end is another one, and is told so; nothing leads from the one to the other.
    app.router.redirect_slashes = False

    async def by_segments(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, "path": path_as_sent(scope)}, receive, send)

    return by_segments


def path_as_sent(scope: Scope) -> str:
    """The path with what is no separator percent-encoded: a name may have a slash in it."""
    path: str = scope["path"]
    sent: bytes | None = scope.get("raw_path")
    if sent is None:
        return quote(path)
    if b"%" not in sent:
        return path
    # Decoded and encoded again, so that each path is written in one way only.
    return "/".join(quote(unquote(segment), safe=SEGMENT) for segment in sent.decode("ascii", "replace").split("/"))


class Resource:
    """What is at one path: an endpoint for each method, and 405 for any other."""

    def __init__(self) -> None:
        self._endpoints: dict[str, Endpoint] = {}

    def add(self, method: str, answer: Endpoint) -> None:
        """Answer *method*, and with GET also HEAD."""
        self._endpoints[method] = answer
        if method == "GET":
            self._endpoints["HEAD"] = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; a path that a wildcard covers as well does not fall back on it."""
        scope["path_params"] = {name: unquote(value) for name, value in scope["path_params"].items()}
        request = Request(scope, receive)
        answer = self._endpoints.get(request.method)
        if answer is None:
            raise HTTPException(405, headers={"Allow": ", ".join(sorted(self._endpoints))})
        response = await answer(request)
        await response(scope, receive, send)


def endpoint(house: House, route: Route, own: Handler) -> Endpoint:
    """The endpoint of one operation."""
    state = house.state

    async def answer(request: Request) -> Response:
        content = await request.body()
        state.catch_up()
        try:
            house.admit()
            header, path = authorization(request), dict(request.path_params)
            account = house.accounts.authenticate(header) if house.strict else house.accounts.anybody(header)
            if house.strict:
                authorize(account, house.required[route.operation_id], path.get("org_id"))
            if "org_id" in path:
                state.organization(path["org_id"])
            query = query_of(route, request.query_params, house.accepted.get(route.operation_id, ()))
            body = read_body(route, content, request.headers.get("Content-Type", ""))
            call = Call(state, route, account, path, query, {} if body is None else body, house.strict)
            reply = answered(house.replaced.get(route.operation_id, own)(call), route)
            audit_logs.record(call)
        except RefusedError as refusal:
            return refused(refusal, request, route, house.accounts)
        if isinstance(reply.body, bytes):
            return Response(reply.body, reply.status or route.success, media_type="application/octet-stream")
        return json_response(reply.body, reply.status or route.success)

    return answer


def query_of(route: Route, given: QueryParams, accepted: Container[str]) -> dict[str, Any]:
    """The query as the contract types it, and besides as text what is *accepted* without it."""
    if not accepted:
        return read_query(route, given)
    known = [(name, value) for name, value in given.multi_items() if name not in accepted]
    return read_query(route, QueryParams(known)) | {name: given[name] for name in given if name in accepted}


def authorization(request: Request) -> str | None:
    """The Authorization header; refuses with 401 more than one, of which each reader would take another."""
    headers = request.headers.getlist("Authorization")
    if len(headers) > 1:
        detail = f"{len(headers)} Authorization headers came; send one"
        raise RefusedError(401, detail, headers={"WWW-Authenticate": "Bearer"})
    return headers[0] if headers else None


def answered(reply: object, route: Route) -> Reply:
    """What a handler gave back; raises TypeError where one of the user's gives back something else."""
    if isinstance(reply, Reply):
        return reply
    if iscoroutine(reply):
        # Or Python complains of it a second time.
        reply.close()
    kind = type(reply).__name__
    raise TypeError(f"the handler of {route.operation_id} must be a function that gives back a Reply, not {kind}")


def refused(refusal: RefusedError, request: Request, route: Route, accounts: Accounts) -> Response:
    """Answer a refusal, in the schedule's validation form (rule schedule-validation-body) where the contract has it."""
    if route.validation_form and (refusal.status == 422 or refusal.errors):
        body: dict[str, Any] = {"detail": refusal.errors or []}
        return json_response(accounts.without_credentials(body), refusal.status)
    body = accounts.without_credentials(refusal.body(request.url.path, with_code=route.with_code))
    return json_response(body, refusal.status, "application/problem+json", refusal.headers)


def unknown_route(request: Request, error: Exception, paths: list[str]) -> Response:
    """Answer what no operation serves, with the path or the methods that may have been meant."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    path = request.url.path
    if "Allow" in headers:
        detail = f"no operation {request.method} {path}; it takes {headers['Allow']}"
    else:
        detail = f"no operation {request.method} {path}{nearest_path(path, paths)}"
    return json_response(
        RefusedError(status, detail).body(path, with_code=False), status, "application/problem+json", headers
    )


def json_response(
    body: Any, status: int, media_type: str = "application/json", headers: dict[str, str] | None = None
) -> Response:
    """Write *body* as JSON."""
    content = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return Response(content, status, headers, media_type)
