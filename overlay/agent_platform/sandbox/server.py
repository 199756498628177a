"""The sandbox on a real port of the loopback interface, by uvicorn in a thread."""

from __future__ import annotations

import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import uvicorn

if TYPE_CHECKING:
    from starlette.applications import Starlette

HOST = "127.0.0.1"


class Server(uvicorn.Server):
    """Tells when it has started, and leaves the signals to the main thread."""

    def __init__(self, app: Starlette) -> None:
        super().__init__(uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off", ws="none"))
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then tell."""
        await super().startup(sockets)
        self.ready.set()


@contextmanager
def serve(app: Starlette, port: int = 0) -> Generator[str]:
    """Serve *app* while the context lasts; gives the base URL."""
    listener = socket.create_server((HOST, port))
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
