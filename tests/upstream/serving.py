"""A server for the scripts of this folder, and the library that they show: `python SCRIPT.py [httpx | httpx2]`."""

import asyncio
import importlib
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

httpx: Any = importlib.import_module(sys.argv[1] if sys.argv[1:] else "httpx")


@contextmanager
def serve(*connections: Callable[[socket.socket], object]) -> Iterator[str]:
    """Serve one connection with each function, accept no other one, and yield the address."""

    def accept() -> None:
        for handle in connections:
            with listener.accept()[0] as connection:
                handle(connection)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"


async def wait_for(call: Awaitable[object], timed_out: type[Exception]) -> None:
    """Wait half a second for a call whose timeouts are all 0.1 s, and print how it ends."""
    try:
        async with asyncio.timeout(0.5):
            await call
    except timed_out as error:
        print(type(error).__name__)
    except TimeoutError:
        print("every timeout is 0.1, and no error after half a second")


def hang_up(connection: socket.socket) -> None:
    """Read a request, and close the connection without a response."""
    connection.recv(65536)


def refuse(connection: socket.socket) -> None:
    """Accept no method of authentication, as a SOCKS proxy."""
    connection.sendall(b"\x05\xff")
