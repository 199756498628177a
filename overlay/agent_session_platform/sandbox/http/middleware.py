"""ASGI middleware that adds every request to the journal, and applies scripted faults."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ...catalogue import Catalogue
from ..journal import Journal
from ..time import Clock
from .faults import Fault, Faults
from .paths import path_as_sent

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class BrokenOffError(Exception):
    """A fault closes the connection: a server aborts it, and the in-process transport raises an httpx error."""


class JournalAndFaults:
    """Middleware around the application of the API."""

    def __init__(self, app: ASGIApp, clock: Clock, journal: Journal, faults: Faults) -> None:
        self._app = app
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
        request, response = BufferedRequest(receive), ObservedResponse(send)
        broken: BrokenOffError | None = None
        try:
            # A server that responds before it has read the whole request may lose the response.
            if await request.read():
                await self._respond(operation, scope, request, response)
        except BrokenOffError as error:
            broken = error
        finally:
            query = scope.get("query_string", b"").decode("latin-1")
            content_type = dict(scope["headers"]).get(b"content-type", b"").decode("latin-1")
            body, status = bytes(request.body), response.status
            self._journal.add(self._clock(), found, method, path, query, body, status, content_type)
        if broken is not None:
            await _break_off(scope, broken)

    async def _respond(
        self, operation: str | None, scope: Scope, request: BufferedRequest, response: ObservedResponse
    ) -> None:
        fault = self._faults.met_by(operation)
        if fault is not None:
            await asyncio.sleep(fault.latency)
        if fault is None or fault.only_delays:
            await self._app(scope, request, response)
        else:
            await _fail(fault, scope["path"], response)


class BufferedRequest:
    """An ASGI `receive` that reads the whole request first and passes it on in one message."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._passed_on = False
        self.body = bytearray()

    async def read(self) -> bool:
        """Read the whole body; return False if the client has disconnected."""
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                return False
            self.body += message.get("body", b"")
            if not message.get("more_body"):
                return True

    async def __call__(self) -> Message:
        """Return the whole request at the first call, and later messages after it."""
        if self._passed_on:
            return await self._receive()
        self._passed_on = True
        return {"type": "http.request", "body": bytes(self.body), "more_body": False}


class ObservedResponse:
    """An ASGI `send` that keeps the status of the response."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status: int | None = None

    async def __call__(self, message: Message) -> None:
        """Send the next message of the response."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)


async def _fail(fault: Fault, path: str, response: ObservedResponse) -> None:
    """Respond with a fault."""
    if fault.drop:
        raise BrokenOffError(path)
    content, status, headers, missing = fault.content(path), fault.status or 200, fault.headers(), 0
    if fault.truncate:
        content, status, headers, missing = b'{"items": [', 200, {"Content-Type": "application/json"}, 100
    headers["Content-Length"] = str(len(content) + missing)
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await response({"type": "http.response.start", "status": status, "headers": encoded})
    await response({"type": "http.response.body", "body": content, "more_body": fault.truncate})
    if fault.truncate:
        response.status = None
        raise BrokenOffError(path)


async def _break_off(scope: Scope, error: BrokenOffError) -> None:
    """Close the connection of a server; without one, let the in-process transport handle the error."""
    connection = scope.get("sandbox.connection")
    if connection is None:
        raise error
    connection.abort()
    # The server must notice the closed connection first, or it would send a response of its own.
    await asyncio.sleep(0.01)
