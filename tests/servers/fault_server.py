"""A server that fails on purpose: raw bytes or functions as answers, on a loopback port, over kept connections."""

from __future__ import annotations

import asyncio
import gzip
import json
import pickle
import socket
import struct
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from agent_session_platform import AgentPlatform

from tests.conftest import QUICK

TOKEN = "svc_never_show_this_0123456789"
BOTH = (None, "aiohttp")


@dataclass
class Request:
    """One request as it came: its line, headers in lower case, body without chunks, and number of its connection."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    connection: int

    @property
    def path(self) -> str:
        """The target without its query."""
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        """The query with one value a name."""
        return {name: values[-1] for name, values in parse_qs(urlsplit(self.target).query, True).items()}


@dataclass(eq=False)
class Connection:
    """One connection: what a script writes on, and can cut or reset."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    number: int

    async def send(self, data: bytes) -> None:
        """Write *data* and let it go."""
        self.writer.write(data)
        await self.writer.drain()

    def cut(self) -> None:
        """Close politely, with whatever was written."""
        self.writer.close()

    def reset(self) -> None:
        """Close with a RST, as a server that has crashed does."""
        linger = struct.pack("ii", 1, 0)
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.transport.abort()


Script = bytes | Callable[[Request, Connection], Awaitable[None]]


@dataclass
class FaultServer:
    """Where it listens, its requests, how many connections were opened, and the task of each that is open."""

    base_url: str = ""
    requests: list[Request] = field(default_factory=list)
    connections: int = 0
    opened: dict[Connection, Any] = field(default_factory=dict)

    def client(self, transport: Any = None, **settings: Any) -> AgentPlatform:
        """A real client of this server, which tries again at once."""
        return client(self.base_url, transport, **settings)


def client(base_url: str, transport: Any = None, **settings: Any) -> AgentPlatform:
    """A real client, which tries again at once unless *settings* say otherwise."""
    return AgentPlatform(base_url, TOKEN, organization="org-acme", transport=transport, **{"retry": QUICK, **settings})


@asynccontextmanager
async def fault_server(
    *scripts: Script,
    by_path: Mapping[str, Script] | None = None,
    on_connect: Callable[[Connection], Awaitable[None]] | None = None,
    sock: socket.socket | None = None,
) -> AsyncIterator[FaultServer]:
    """Answer by path where *by_path* has it, else with *scripts*, one a request and the last again and again.

    A connection is kept until a script ends it, or its answer says `Connection: close`. *on_connect* runs before
    anything is read. *sock* is a bound socket to listen on, else there is one on a free port.
    """
    server = FaultServer()
    scripted = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal scripted
        server.connections += 1
        connection = Connection(reader, writer, server.connections)
        server.opened[connection] = asyncio.current_task()
        try:
            if on_connect is not None:
                await on_connect(connection)
            while not writer.is_closing():
                request = await read_request(connection)
                server.requests.append(request)
                script = (by_path or {}).get(request.path)
                if script is None:
                    script = scripts[min(scripted, len(scripts) - 1)]
                    scripted += 1
                if not isinstance(script, bytes):
                    await script(request, connection)
                    continue
                await connection.send(script)
                if b"connection: close" in script.partition(b"\r\n\r\n")[0].lower():
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            del server.opened[connection]

    if sock is None:
        sock = socket.create_server(("127.0.0.1", 0))
    listening = await asyncio.start_server(serve, sock=sock)
    server.base_url = "http://{}:{}".format(*listening.sockets[0].getsockname()[:2])
    try:
        yield server
    finally:
        listening.close()
        for connection, task in server.opened.items():
            connection.writer.transport.abort()
            task.cancel()
        await asyncio.gather(*server.opened.values())
        await listening.wait_closed()


def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take out what the SDK waits on top of a Retry-After, or where there is none: it is not what is tested here."""
    for name in ("jitter.RETRY_AFTER_SECONDS", "rate_limit.adaptive_rate.FIRST_CLOSURE_SECONDS"):
        monkeypatch.setattr(f"agent_session_platform.{name}", 0.0)


def everything(error: BaseException) -> str:
    """All that an error may show anywhere: message, repr, attributes, traceback and pickle."""
    shown = [str(error), repr(error), repr(vars(error)), *traceback.format_exception(error)]
    return "\n".join(shown) + pickle.dumps(error).decode("latin-1")


async def read_request(connection: Connection) -> Request:
    """Read one request, its body by length or by chunks."""
    head = await connection.reader.readuntil(b"\r\n\r\n")
    line, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = line.split(" ")
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (each.partition(":") for each in lines if each)
    }
    body = await connection.reader.readexactly(int(headers.get("content-length", "0")))
    if headers.get("transfer-encoding", "").lower() == "chunked":
        while length := int(await connection.reader.readuntil(b"\r\n"), 16):
            body += (await connection.reader.readexactly(length + 2))[:-2]
        await connection.reader.readuntil(b"\r\n")
    return Request(method, target, headers, body, connection.number)


def answer(body: Any = b"", status: str = "200 OK", *fields: str, media_type: str | None = "application/json") -> bytes:
    """A whole answer: bytes as they are, anything else as JSON; *fields* are further header lines."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(content)}", *fields]
    lines += [f"Content-Type: {media_type}"] if media_type is not None else []
    return "\r\n".join([*lines, "", ""]).encode() + content


def zipped(body: bytes, *, keep: int | None = None, encoding: str = "gzip", status: str = "200 OK") -> bytes:
    """An answer that is compressed, of which only the first *keep* bytes come, with a length that fits them."""
    return answer(gzip.compress(body, mtime=0)[:keep], status, f"Content-Encoding: {encoding}")


def cut(data: bytes) -> Script:
    """Send *data* and close politely."""

    async def script(request: Request, connection: Connection) -> None:
        await connection.send(data)
        connection.cut()

    return script


def reset(data: bytes = b"") -> Script:
    """Send *data* and reset; whether *data* arrives is up to the network."""

    async def script(request: Request, connection: Connection) -> None:
        await connection.send(data)
        connection.reset()

    return script


def drip(head: bytes, piece: bytes = b" ", every: float = 0.005) -> Script:
    """Send *head*, and then *piece* now and then until the other side hangs up."""

    async def script(request: Request, connection: Connection) -> None:
        await connection.send(head)
        while not connection.reader.at_eof() and not connection.writer.is_closing():
            await connection.send(piece)
            await asyncio.sleep(every)

    return script


async def silence(request: Request, connection: Connection) -> None:
    """Say nothing until the other side hangs up."""
    await connection.reader.read()
