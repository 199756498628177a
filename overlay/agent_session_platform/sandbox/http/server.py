"""The sandbox on a real port of the loopback interface, by uvicorn in a thread."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

HOST = "127.0.0.1"

# So many seconds those who are being answered have when the server ends.
LAST_ANSWERS = 2


class Protocol(H11Protocol):
    """Shows the application its connection, so that it can break it off."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        app: Any = self.app

        async def with_connection(scope: Scope, receive: Receive, send: Send) -> None:
            scope["sandbox.connection"] = self.transport
            try:
                await app(scope, receive, send)
            except asyncio.CancelledError:
                # The server ends, and has waited long enough for this answer: it is not to complain that none came.
                self.cycle.disconnected = True
                self.transport.abort()

        self.app: Any = with_connection


class Server(uvicorn.Server):
    """Tells when it has started, and leaves the signals to the main thread."""

    def __init__(self, app: ASGIApp) -> None:
        settings: dict[str, Any] = {"log_level": "warning", "access_log": False, "lifespan": "off", "ws": "none"}
        # Whoever still waits then, be it for a fault's latency, does not keep the sandbox from ending.
        settings["timeout_graceful_shutdown"] = LAST_ANSWERS
        super().__init__(uvicorn.Config(app, http=Protocol, **settings))
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then tell."""
        await super().startup(sockets)
        self.ready.set()


@contextmanager
def serve(app: ASGIApp, port: int = 0) -> Generator[str]:
    """Serve *app* while the context lasts; gives the base URL."""
    listener = socket.create_server((HOST, port))
    # Connections inherit it; asyncio sets it only where the protocol is named, and without it each answer takes 40 ms.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    server = Server(app)
    # Connections wait in the listener's queue until the server accepts them; nothing depends on who is first.
    thread = threading.Thread(target=server.run, args=([listener],), name="sandbox", daemon=True)
    thread.start()
    try:
        server.ready.wait()
        yield f"http://{HOST}:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
