"""The sandbox on a real port, by default of the loopback interface, served by uvicorn in a thread."""

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

# The addresses that stand for all interfaces, and what leads to a server there from the same machine.
EVERYWHERE = {"0.0.0.0": HOST, "::": "::1"}

# Seconds for open requests to end when the server stops.
SHUTDOWN_SECONDS = 2

# Seconds for the head of a request to come.
HEAD_SECONDS = 30.0


class Protocol(H11Protocol):
    """Protocol that gives the application its connection, and closes one on which no request comes to its end."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        app: Any = self.app

        async def with_connection(scope: Scope, receive: Receive, send: Send) -> None:
            scope["sandbox.connection"] = self.transport
            self._limit.cancel()
            try:
                await app(scope, receive, send)
            except asyncio.CancelledError:
                # The server stops without this response, and must not log that it is missing.
                self.cycle.disconnected = True
                self.transport.abort()
            finally:
                self._limit_head()

        self.app: Any = with_connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Limit the time of the first request."""
        super().connection_made(transport)
        self._limit_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the limit."""
        self._limit.cancel()
        super().connection_lost(exc)

    def _limit_head(self) -> None:
        self._limit = self.loop.call_later(HEAD_SECONDS, self.transport.abort)


class Server(uvicorn.Server):
    """A server that sets an event when it has started, and leaves signals to the main thread."""

    def __init__(self, app: ASGIApp) -> None:
        settings: dict[str, Any] = {"log_level": "warning", "access_log": False, "lifespan": "off", "ws": "none"}
        # A request that waits for the latency of a fault must not keep the sandbox from stopping.
        settings["timeout_graceful_shutdown"] = SHUTDOWN_SECONDS
        # A header that names the scheme or the address of the client is no more than a claim.
        settings["proxy_headers"] = False
        super().__init__(uvicorn.Config(app, http=Protocol, **settings))
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then set the event."""
        await super().startup(sockets)
        self.ready.set()


@contextmanager
def serve(app: ASGIApp, port: int = 0, host: str = HOST) -> Generator[str]:
    """Serve *app* on an address of this machine while the context lasts, and yield its base URL.

    Args:
        app: The ASGI application.
        port: Port to listen on; 0 takes a free one.
        host: IP address or name of the interface; `0.0.0.0` and `::` are all of them.

    Raises:
        OSError: The address or the port cannot be used.
    """
    listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    # Connections inherit the option. asyncio sets it only if the protocol is named; without it, responses take 40 ms.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    server = Server(app)
    thread = threading.Thread(target=server.run, args=([listener],), name="sandbox", daemon=True)
    thread.start()
    try:
        server.ready.wait()
        reached = in_url(EVERYWHERE.get(host, host))
        yield f"http://{reached}:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def in_url(host: str) -> str:
    """Return an address as a URL and a Host header have it: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host
