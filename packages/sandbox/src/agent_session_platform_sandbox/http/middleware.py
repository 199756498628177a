"""ASGI middleware that adds every request to the journal, and applies scripted faults."""

from __future__ import annotations

import asyncio
import json
import math
import threading
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import attrs
import httpx
from agent_session_platform import Catalogue

from ..clock import Clock
from ..contract import operation_named
from ..journal import Journal
from ..problems import RefusedError, is_seconds, must
from .requests import MAX_BODY, BufferedRequest, path_as_sent
from .responses import problem_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Faults that send no problem detail.
WITHOUT_PROBLEM = ("drop", "lose", "truncate", "html")
# Faults of two kinds: a page has a status, and the response that is lost may be so in its middle.
PAIRS = (["status", "html"], ["lose", "truncate"])
# Seconds: no client waits for longer than a day.
MAX_LATENCY = 86_400
# Characters of a header: a client may refuse more.
MAX_HEADER = 4096
# Settings that have an effect only with a status.
NEEDS_STATUS = ("body", "retry_after")


def _is_count(value: Any, least: int = 1, most: float = math.inf) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_header(value: Any) -> bool:
    """Return whether a header can hold the value; nonsense is accepted, because real servers send it, too."""
    text = str(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else None
    return text is not None and text.isascii() and text.isprintable() and len(text) <= MAX_HEADER


def _is_json_object(fault: Fault, attribute: attrs.Attribute[Any], value: Any) -> None:
    if value is None:
        return
    if not isinstance(value, Mapping):
        raise ValueError(f"body must be a mapping, the members of the problem detail, not {type(value).__name__}")
    try:
        json.dumps({**value}, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"body must be JSON: {error}") from None


_IS_BOOL = must("be True or False", lambda value: isinstance(value, bool))


@attrs.define
class Fault:
    """One fault: a response in place of the sandbox's own, or none at all.

    Args:
        operation: Name of the operation whose requests meet the fault; None for any.
        status: Respond with this status, 400 to 599, and a problem detail.
        body: Members that are added to the problem detail, or replace its own.
        retry_after: Retry-After header of that response.
        latency: Seconds by which the response is delayed.
        drop: Close the connection without a response; the request is not carried out.
        lose: Carry the request out, then close the connection without a byte of its response; with *truncate* in the
            middle of it.
        truncate: Close the connection in the middle of a response with status 200; the request is not carried out.
        html: Respond with an HTML page, as a proxy does, with *status* or 200.
        times: Number of requests that meet the fault; None for all.
        every: With N, only every Nth request of the operation meets the fault.

    Attributes:
        met: Number of requests that have met the fault.

    Raises:
        ValueError: A setting is out of range, or two of them exclude each other.

    Example:
        sandbox.faults.add("organization.sessions.create", lose=True)     # The session exists; nobody knows its id.
    """

    operation: str | None = None
    status: int | None = attrs.field(
        default=None, validator=must("be between 400 and 599", lambda value: _is_count(value, 400, 599))
    )
    body: Mapping[str, Any] | None = attrs.field(default=None, validator=_is_json_object)
    retry_after: str | float | None = attrs.field(
        default=None, validator=must("be a number or text that a header can hold", _is_header)
    )
    latency: float = attrs.field(
        default=0.0,
        validator=must(
            f"be a number of seconds, not negative and at most {MAX_LATENCY}",
            lambda value: is_seconds(value, MAX_LATENCY),
        ),
    )
    drop: bool = attrs.field(default=False, validator=_IS_BOOL)
    lose: bool = attrs.field(default=False, validator=_IS_BOOL)
    truncate: bool = attrs.field(default=False, validator=_IS_BOOL)
    html: bool = attrs.field(default=False, validator=_IS_BOOL)
    times: int | None = attrs.field(
        default=1, validator=must("be at least 1, or None for all", lambda value: value is None or _is_count(value))
    )
    every: int = attrs.field(default=1, validator=must("be at least 1", _is_count))
    met: int = 0
    _seen: int = attrs.field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        kinds = self._kinds()
        if not kinds and not self.latency:
            raise ValueError("a fault must have one of status, drop, lose, truncate and html, or a latency")
        if len(kinds) > 1 and kinds not in PAIRS:
            raise ValueError(
                f"a fault has one of status, drop, lose, truncate and html, not {' and '.join(kinds)}: "
                "add a fault for each"
            )
        for name in NEEDS_STATUS:
            if getattr(self, name) is not None and self.status is None:
                raise ValueError(f"{name} needs a status: without one it is not sent")
        if self.html and self.body is not None:
            raise ValueError("body must be left out with html: the sandbox makes the page")

    @property
    def unused(self) -> bool:
        """True if fewer requests have met the fault than `times`, or none."""
        return self.met < (self.times or 1)

    @property
    def only_delays(self) -> bool:
        """True if the sandbox sends its own response, only later."""
        return not self._kinds()

    def meets(self, operation: str | None) -> bool:
        """Return whether the next request of an operation meets the fault, and count the request."""
        if self.operation not in (None, operation) or self.met == self.times:
            return False
        self._seen += 1
        if self._seen % self.every:
            return False
        self.met += 1
        return True

    def headers(self) -> dict[str, str]:
        """Return the headers of the response."""
        media_type = "text/html" if self.html else "application/problem+json"
        hint = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        return {"Content-Type": media_type, **hint}

    def content(self, instance: str) -> bytes:
        """Return the body of the response to a request with this path."""
        if self.html:
            title = f"{self.status} {_phrase(self.status)}" if self.status else "Please sign in"
            return f"<!doctype html><title>{title}</title><h1>{title}</h1>".encode()
        status = self.status or 500
        problem: dict[str, Any] = {"type": "about:blank", "title": _phrase(status), "status": status}
        return json.dumps({**problem, "instance": instance, **(self.body or {})}).encode()

    def _kinds(self) -> list[str]:
        given = {"status": self.status is not None, **{kind: getattr(self, kind) for kind in WITHOUT_PROBLEM}}
        return [kind for kind, is_given in given.items() if is_given]


class Faults:
    """The faults of a sandbox in the order of their addition. A request meets at most one, the first that applies.

    They may be used from several threads.
    """

    def __init__(self) -> None:
        # Replaced as a whole, because other threads may be going through it.
        self._faults: tuple[Fault, ...] = ()
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._faults)

    def add(self, operation: str | None = None, **settings: Any) -> Fault:
        """Add a fault, and return it.

        Args:
            operation: Name or id of the operation; None for any.
            settings: The settings of `Fault`.

        Raises:
            UnknownOperationError: There is no such operation (a KeyError).
            ValueError: A setting is not valid.

        Example:
            sandbox.faults.add("organization.sessions.list", status=503, times=2)
        """
        fault = Fault(None if operation is None else operation_named(operation).name, **settings)
        with self._lock:
            self._faults = (*self._faults, fault)
        return fault

    def met_by(self, operation: str | None) -> Fault | None:
        """Return the fault that the next request of an operation meets, and count the request."""
        with self._lock:
            return next((fault for fault in self._faults if fault.meets(operation)), None)

    @property
    def unused(self) -> list[Fault]:
        """The faults that fewer requests have met than their `times`."""
        return [fault for fault in self._faults if fault.unused]

    def clear(self) -> None:
        """Remove all faults."""
        self._faults = ()


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in set(HTTPStatus) else "Unknown status"


class BrokenOffError(httpx.ReadError):
    """A fault closes the connection: a server aborts it, and in process the client gets this error of httpx."""

    def __init__(self) -> None:
        super().__init__("the sandbox broke the connection off")


class JournalAndFaults:
    """Middleware around the application of the API.

    Args:
        app: The application.
        clock: The clock of the sandbox.
        journal: What gets an entry for every request.
        faults: The scripted faults.
        max_body: Bytes of a request's body; a longer one is refused.
    """

    def __init__(self, app: ASGIApp, clock: Clock, journal: Journal, faults: Faults, max_body: int = MAX_BODY) -> None:
        self._app = app
        self._max_body = max_body
        self._clock = clock
        self._journal = journal
        self._faults = faults
        self._catalogue = Catalogue()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        method, path = scope["method"], scope["path"]
        found = self._catalogue.find(method, path_as_sent(scope))
        if found is None and method == "HEAD":
            # The operation of GET responds to HEAD, too.
            found = self._catalogue.find("GET", path_as_sent(scope))
        operation = None if found is None else found.name
        request_id = self._journal.new_request_id()
        request, response = BufferedRequest(scope, receive, self._max_body), ObservedResponse(send, request_id)
        broken = False
        try:
            if await request.read():
                await self._respond(operation, scope, request, response)
        except BrokenOffError:
            broken = True
        except RefusedError as refusal:
            await problem_response(refusal, scope, self._journal.redact)(scope, request, response)
        finally:
            query = scope.get("query_string", b"").decode("latin-1")
            content_type = dict(scope["headers"]).get(b"content-type", b"").decode("latin-1")
            body, status = bytes(request.body), response.status
            self._journal.add(self._clock(), found, method, path, query, body, status, content_type, request_id)
        if broken:
            await _break_off(scope)

    async def _respond(
        self, operation: str | None, scope: Scope, request: BufferedRequest, response: ObservedResponse
    ) -> None:
        fault = self._faults.met_by(operation)
        if fault is not None:
            await asyncio.sleep(fault.latency)
        if fault is None or fault.only_delays:
            await self._app(scope, request, response)
        elif fault.lose:
            await self._lose(fault, scope, request, response)
        else:
            await _fail(fault, scope["path"], response)

    async def _lose(self, fault: Fault, scope: Scope, request: BufferedRequest, response: ObservedResponse) -> None:
        """Carry a request out, and send half of its response, or nothing."""
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)

        await self._app(scope, request, keep)
        content = b"".join(message.get("body", b"") for message in messages[1:])
        if fault.truncate and content:
            await response(messages[0])
            await response({"type": "http.response.body", "body": content[: len(content) // 2], "more_body": True})
            response.status = None
        raise BrokenOffError


class ObservedResponse:
    """An ASGI `send` that adds X-Request-Id to the response, and keeps its status."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send = send
        self._request_id = request_id
        self.status: int | None = None

    async def __call__(self, message: Message) -> None:
        """Send the next message of the response."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message = {**message, "headers": [*message["headers"], (b"x-request-id", self._request_id.encode())]}
        await self._send(message)


async def _fail(fault: Fault, path: str, response: ObservedResponse) -> None:
    """Respond with a fault."""
    if fault.drop:
        raise BrokenOffError
    content, status, headers, missing = fault.content(path), fault.status or 200, fault.headers(), 0
    if fault.truncate:
        content, status, headers, missing = b'{"items": [', 200, {"Content-Type": "application/json"}, 100
    headers["Content-Length"] = str(len(content) + missing)
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await response({"type": "http.response.start", "status": status, "headers": encoded})
    await response({"type": "http.response.body", "body": content, "more_body": fault.truncate})
    if fault.truncate:
        response.status = None
        raise BrokenOffError


async def _break_off(scope: Scope) -> None:
    """Close the connection of a server; without one, let the client have the error."""
    connection = scope.get("sandbox.connection")
    if connection is None:
        raise BrokenOffError
    connection.abort()
    # The server must notice the closed connection first, or it would send a response of its own.
    await asyncio.sleep(0.01)
