"""ASGI middleware that adds every request to the journal, and applies scripted faults."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import httpx
from agent_session_platform import Catalogue

from ..journal import Journal
from ..problems import RefusedError
from ..time import Clock
from .faults import Fault, Faults
from .requests import MAX_BODY, BufferedRequest, path_as_sent
from .responses import problem_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


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
