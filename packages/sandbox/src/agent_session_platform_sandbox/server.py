"""Guard the requests of a sandbox, and serve it on a port, with uvicorn in a thread."""

from __future__ import annotations

import asyncio
import re
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, unquote

import uvicorn
from starlette.requests import ClientDisconnect, Request
from uvicorn.protocols.http.h11_impl import H11Protocol

from .problems import BrokenOffError, RefusedError, problem_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# In bytes. A longer body is refused.
MAX_BODY: Final = 32 * 1024 * 1024
# The whole body of a request must come within this many seconds.
BODY_SECONDS: Final = 30.0
# Only this many digits of Content-Length are read: a number with more digits is too large in any case.
MAX_DIGITS: Final = 18
MAX_SHOWN: Final = 80
HOST: Final = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*)\.?(?P<port>:[0-9]{1,5})?")
# Characters of a segment that need no encoding (RFC 3986), besides letters, digits, -._~ and the comma.
SEGMENT: Final = "!$&'()*+;=:@"


class Guard:
    """Middleware that reads the whole request. It refuses requests of other sites, and bodies that are too long.

    Args:
        app: The application that gets all other requests.
        redact: A function that removes known credentials from JSON.
        max_body: Largest body of a request in bytes. A longer body is refused.
        hosts: On a port, the host names that are accepted besides those of the loopback interface. None accepts any
            host: without a port, requests come from this process, and not from a page.

    Raises:
        ValueError: One of `hosts` is not a host name.
    """

    def __init__(
        self,
        app: ASGIApp,
        redact: Callable[[Any], Any],
        max_body: int = MAX_BODY,
        hosts: Iterable[str] | None = None,
    ) -> None:
        self._app = app
        self._redact = redact
        self._max_body = max_body
        self._hosts = None if hosts is None else frozenset(map(check_host_name, hosts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        try:
            if self._hosts is not None:
                _check_host(request, self._hosts)
            _check_origin(request)
            async with asyncio.timeout(BODY_SECONDS):
                body = await self._read(request)
        except ClientDisconnect:
            return
        except TimeoutError:
            refusal = RefusedError(408, f"the body did not come within {BODY_SECONDS:g} s")
        except RefusedError as error:
            refusal = error
        else:

            async def whole() -> Message:
                return {"type": "http.request", "body": body}

            await self._app(scope, whole, send)
            return
        # The connection must be closed, because the rest of the body would be taken for the next request.
        refusal.headers["Connection"] = "close"
        await problem_response(refusal, scope["path"], self._redact)(scope, receive, send)

    async def _read(self, request: Request) -> bytes:
        """Return the body; refuse (413) a body that is too long, unread if Content-Length shows its length."""
        advice = "allow more with --max-body, or in Python with Sandbox(max_body=...)"
        too_long = RefusedError(413, f"the body is longer than {self._max_body} bytes; {advice}")
        declared = request.headers.get("content-length", "")[:MAX_DIGITS]
        if declared.isdecimal() and int(declared) > self._max_body:
            raise too_long
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > self._max_body:
                raise too_long
        return bytes(body)


def _check_host(request: Request, allowed: frozenset[str]) -> None:
    """Refuse a request that names another host, because the host name of a hostile page may lead to this machine."""
    path: str = request.scope["path"]
    if not path.startswith("/"):
        raise RefusedError(400, f"the target of a request must be a path, not {path[:MAX_SHOWN]!r}")
    hosts = request.headers.getlist("host")
    match = HOST.fullmatch(hosts[0].lower()) if len(hosts) == 1 else None
    if match is None or int((match["port"] or ":0")[1:]) > 65_535:
        raise RefusedError(400, "a request must have one Host header, with a host name and at most a port")
    if match["name"] not in allowed and not is_loopback(match["name"]):
        raise RefusedError(
            403,
            f"this sandbox does not serve the host {match['name'][:MAX_SHOWN]!r}, which may be another site's; "
            "use localhost or 127.0.0.1, or allow the name with --allow-host NAME, in Python serve(allow_hosts=[NAME])",
        )


def _check_origin(request: Request) -> None:
    """Refuse a request from a page of another origin.

    A page also sends requests without Origin, such as those for images; Sec-Fetch-Site tells where they come from. If a
    person follows a link from another page to the sandbox, that request is accepted.
    """
    headers = request.headers
    host = headers.get("host", "").lower()
    is_foreign = headers.get("sec-fetch-site", "none").lower() in ("cross-site", "same-site")
    is_link = headers.get("sec-fetch-dest") == "document"
    other = [each for each in headers.getlist("origin") if each.lower() not in (f"http://{host}", f"https://{host}")]
    if other or (is_foreign and not is_link):
        raise RefusedError(403, "a page of another site may not use this sandbox; use a program, or the page at /")


def check_host_name(name: str) -> str:
    """Return a host name in lower case.

    Raises:
        ValueError: The text is not a host name, or has a scheme or a port.
    """
    match = HOST.fullmatch(name.lower())
    if match is None or match["port"] is not None:
        raise ValueError(f"must be a host name or an IP address without a scheme and a port, not {name!r}")
    return match["name"]


def is_loopback(host: str) -> bool:
    """Return whether a host, in lower case, always means this machine, whatever resolves it."""
    # RFC 6761, section 6.3, reserves these names for the loopback interface.
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def path_as_sent(scope: Scope) -> str:
    """Return the path of a request in one unique encoding: a slash inside a name stays encoded."""
    sent: bytes | None = scope.get("raw_path")
    if sent is None:
        return quote(scope["path"])
    return "/".join(map(_encode_once, sent.decode("ascii", "replace").split("/")))


def _encode_once(segment: str) -> str:
    # A comma separates the items of an array; a comma within an item is percent-encoded.
    return ",".join(quote(unquote(item), safe=SEGMENT) for item in segment.split(","))


LOOPBACK: Final = "127.0.0.1"

# The addresses that mean all interfaces, each with the address at which this machine reaches such a server.
EVERYWHERE: Final = {"0.0.0.0": LOOPBACK, "::": "::1"}

# When the server stops, open requests have this many seconds to end.
SHUTDOWN_SECONDS: Final = 2
# The thread of the server has this many seconds to end. Only code of a test that blocks it takes longer.
STOP_SECONDS = 10.0

# The head of a request must come within this many seconds.
HEAD_SECONDS = 30.0


class Protocol(H11Protocol):
    """HTTP protocol that closes a connection if a request does not come in time, or if a fault breaks it off."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        app: Any = self.app

        async def with_connection(scope: Scope, receive: Receive, send: Send) -> None:
            self._limit.cancel()
            try:
                await app(scope, receive, send)
            except (BrokenOffError, asyncio.CancelledError):
                # Send nothing more, and let uvicorn log no missing response.
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
        """Cancel the time limit when the connection is closed."""
        self._limit.cancel()
        super().connection_lost(exc)

    def _limit_head(self) -> None:
        self._limit = self.loop.call_later(HEAD_SECONDS, self.transport.abort)


class RealTimeLoop(asyncio.SelectorEventLoop):
    """An event loop in real time, also in a test that has frozen or moved the time.

    Libraries such as freezegun and time-machine replace `time.monotonic`. Without this class, the timers of the server
    would never fire then, or fire at once.
    """

    if sys.platform == "win32":

        def time(self, _read: Callable[[], float] = time.monotonic) -> float:
            """Return seconds."""
            return _read()

    else:

        def time(self, _read: Callable[[int], float] = time.clock_gettime) -> float:
            """Return seconds since an arbitrary time."""
            return _read(time.CLOCK_MONOTONIC)


class UnstoppedServerWarning(RuntimeWarning):
    """The thread of a server did not end in time."""


@contextmanager
def serve(app: ASGIApp, port: int = 0, host: str = LOOPBACK) -> Generator[str]:
    """Serve *app* on an address of this machine while the context lasts, and yield its base URL.

    If a handler or a script of a test blocks the server, the end of the context warns of it (UnstoppedServerWarning)
    instead of waiting.

    Args:
        app: The ASGI application.
        port: Port to listen on; 0 takes a free one.
        host: IP address or name of the interface; `0.0.0.0` and `::` mean all interfaces.

    Raises:
        OSError: The address or the port cannot be used.
    """
    listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    # Connections inherit TCP_NODELAY. asyncio sets it only on sockets that name their protocol. Without it, responses
    # take 40 ms.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    config = uvicorn.Config(
        app,
        http=Protocol,
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        # Any client can send headers with a false scheme or address.
        proxy_headers=False,
        # A request that waits for the latency of a fault must not keep the sandbox from stopping.
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    server = uvicorn.Server(config)
    # Until the server has started, connections wait in the queue of the socket.
    thread = threading.Thread(target=_run, args=(server, listener), name="sandbox", daemon=True)
    thread.start()
    try:
        yield f"http://{in_url(EVERYWHERE.get(host, host))}:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(STOP_SECONDS)
        if thread.is_alive():
            warnings.warn(
                f"the server of a sandbox has not stopped after {STOP_SECONDS:g} s: a handler, a script or a lock of "
                "the test blocks its thread",
                UnstoppedServerWarning,
                stacklevel=3,
            )


def _run(server: uvicorn.Server, listener: socket.socket) -> None:
    with listener, asyncio.Runner(loop_factory=RealTimeLoop) as runner:
        runner.run(server.serve(sockets=[listener]))


def in_url(host: str) -> str:
    """Return an address in the form for a URL and a Host header: an IPv6 address gets brackets."""
    return f"[{host}]" if ":" in host else host
