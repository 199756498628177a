"""The sandbox on a real port, by default of the loopback interface, served by uvicorn in a thread."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from .faults import BrokenOffError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK: Final = "127.0.0.1"

# The addresses that stand for all interfaces, and what leads to a server there from the same machine.
EVERYWHERE: Final = {"0.0.0.0": LOOPBACK, "::": "::1"}

# Seconds for open requests to end when the server stops.
SHUTDOWN_SECONDS: Final = 2

# Seconds for the head of a request to come.
HEAD_SECONDS = 30.0


class Protocol(H11Protocol):
    """Protocol that closes a connection on which no request comes to its end, and one that a fault breaks off."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        app: Any = self.app

        async def with_connection(scope: Scope, receive: Receive, send: Send) -> None:
            self._limit.cancel()
            try:
                await app(scope, receive, send)
            except (BrokenOffError, asyncio.CancelledError):
                # Nothing more is sent, and it is not logged that the response is missing.
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


@contextmanager
def serve(app: ASGIApp, port: int = 0, host: str = LOOPBACK) -> Generator[str]:
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
    config = uvicorn.Config(
        app,
        http=Protocol,
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        # A header that names the scheme or the address of the client is no more than a claim.
        proxy_headers=False,
        # A request that waits for the latency of a fault must not keep the sandbox from stopping.
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    server = uvicorn.Server(config)
    # Until it has started, connections wait in the queue of the socket.
    thread = threading.Thread(target=server.run, args=([listener],), name="sandbox", daemon=True)
    thread.start()
    try:
        yield f"http://{in_url(EVERYWHERE.get(host, host))}:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def in_url(host: str) -> str:
    """Return an address as a URL and a Host header have it: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host
