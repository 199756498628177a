"""What stands before the application: every request is noted in the journal, and may meet a fault."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ...catalogue import Catalogue
from ..control.control import controls
from ..journal.journal import Journal
from ..time.clock import Clock
from .app import path_as_sent
from .faults import Fault, Faults

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class BrokenOffError(Exception):
    """The connection breaks off: a server closes it, the transport in this process tells it."""


class Front:
    """The ASGI application of a sandbox, before the one that answers."""

    def __init__(self, app: ASGIApp, control: ASGIApp, clock: Clock, journal: Journal, faults: Faults) -> None:
        self._app = app
        self._control = control
        self._clock = clock
        self._journal = journal
        self._faults = faults
        self._catalogue = Catalogue()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        method, path = scope["method"], scope["path"]
        if controls(path):
            await self._control(scope, receive, send)
            return
        # HEAD is served by what serves GET.
        found = self._catalogue.find("GET" if method == "HEAD" else method, path_as_sent(scope))
        operation = None if found is None else found.name
        heard, said = Heard(receive), Said(send)
        broken: BrokenOffError | None = None
        try:
            # All of it before anything is answered: a server that answers before may lose the answer.
            if await heard.whole():
                await self._answer(operation, scope, heard, said)
        except BrokenOffError as error:
            broken = error
        finally:
            query = scope.get("query_string", b"").decode("latin-1")
            self._journal.add(self._clock(), found, method, path, query, bytes(heard.body), said.status)
        if broken is not None:
            await break_off(scope, broken)

    async def _answer(self, operation: str | None, scope: Scope, heard: Heard, said: Said) -> None:
        fault = self._faults.met_by(operation)
        if fault is not None:
            await asyncio.sleep(fault.latency)
        if fault is None or fault.only_delays:
            await self._app(scope, heard, said)
        else:
            await fail(fault, scope["path"], said)


async def break_off(scope: Scope, error: BrokenOffError) -> None:
    """Cut the connection of a socket; in process the transport makes of the error what a socket would."""
    connection = scope.get("sandbox.connection")
    if connection is None:
        raise error
    connection.abort()
    # The server has to see that, or it would answer by itself.
    await asyncio.sleep(0.01)


class Heard:
    """Reads the request to its end, keeps its body, and passes it on in one part."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._passed_on = False
        self.body = bytearray()

    async def whole(self) -> bool:
        """Read all of it; False when the client went away meanwhile, and nobody is there to be answered."""
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                return False
            self.body += message.get("body", b"")
            if not message.get("more_body"):
                return True

    async def __call__(self) -> Message:
        """The request, and then what comes after it."""
        if self._passed_on:
            return await self._receive()
        self._passed_on = True
        return {"type": "http.request", "body": bytes(self.body), "more_body": False}


class Said:
    """Passes the answer on, and keeps its status."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status: int | None = None

    async def __call__(self, message: Message) -> None:
        """Send the next part of the answer."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)


async def fail(fault: Fault, path: str, said: Said) -> None:
    """Answer with the fault instead."""
    if fault.drop:
        raise BrokenOffError(path)
    if fault.truncate:
        content, status = b'{"items": [', 200
    else:
        content, status = fault.content(path), fault.status or 200
    length = len(content) + (100 if fault.truncate else 0)
    headers = {**fault.headers(), "Content-Length": str(length)}
    if fault.truncate:
        headers["Content-Type"] = "application/json"
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await said({"type": "http.response.start", "status": status, "headers": encoded})
    await said({"type": "http.response.body", "body": content, "more_body": fault.truncate})
    if fault.truncate:
        said.status = None
        raise BrokenOffError(path)
