"""Requests as they arrive: their origin and host, and their body, buffered within bounds."""

from __future__ import annotations

import asyncio
import difflib
import re
from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, unquote, urlsplit

from starlette.datastructures import Headers

from ..problems import RefusedError
from .responses import problem_response

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope

# Bytes of a body that are read; a longer one is refused.
MAX_BODY: Final = 32 * 1024 * 1024
# Seconds for each part of a body to come.
PART_SECONDS: Final = 30.0
# More digits than the length of any body has.
MAX_DIGITS: Final = 18
# Characters of a segment that need no encoding (RFC 3986), besides letters, digits, -._~ and the comma.
SEGMENT = "!$&'()*+;=:@"
# Characters of a path that is compared: the time grows with the square of its length.
MAX_COMPARED = 500


class BufferedRequest:
    """An ASGI `receive` that reads the whole request first and passes it on in one message.

    A server that responds before it has read the whole request may lose the response.

    Args:
        scope: The ASGI scope of the request.
        receive: The `receive` of the server.
        limit: Bytes of the body that are read.

    Attributes:
        body: What was read of the body.
    """

    def __init__(self, scope: Scope, receive: Receive, limit: int = MAX_BODY) -> None:
        self._headers = Headers(scope=scope)
        self._receive = receive
        self._limit = limit
        self._passed_on = False
        self.body = bytearray()

    async def read(self) -> bool:
        """Read the whole body; return False if the client has disconnected.

        Raises:
            RefusedError: 413 if the body is longer than the limit; no more than that is read, and nothing if the
                header names the length. 408 if a part of it does not come.
        """
        declared = self._headers.get("content-length", "")[:MAX_DIGITS]
        if declared.isdecimal() and int(declared) > self._limit:
            raise self._too_large()
        while True:
            try:
                async with asyncio.timeout(PART_SECONDS):
                    message = await self._receive()
            except TimeoutError:
                raise self._refusal(408, f"no part of the body came for {PART_SECONDS:g} s") from None
            if message["type"] == "http.disconnect":
                return False
            part: bytes = message.get("body", b"")
            if len(self.body) + len(part) > self._limit:
                self.body.clear()
                raise self._too_large()
            self.body += part
            if not message.get("more_body"):
                return True

    async def __call__(self) -> Message:
        """Return the whole request at the first call, and later messages after it."""
        if self._passed_on:
            return await self._receive()
        self._passed_on = True
        return {"type": "http.request", "body": bytes(self.body), "more_body": False}

    def _too_large(self) -> RefusedError:
        detail = (
            f"the body is longer than {self._limit} bytes; --max-body, in Python Sandbox(max_body=...), allows more"
        )
        return self._refusal(413, detail)

    def _refusal(self, status: int, detail: str) -> RefusedError:
        # What was not read would be taken for the next request.
        return RefusedError(status, detail, headers={"Connection": "close"})


def path_as_sent(scope: Scope) -> str:
    """Return the path of a request in one unique encoding: a slash inside a name stays encoded."""
    path: str = scope["path"]
    sent: bytes | None = scope.get("raw_path")
    if sent is None:
        return quote(path)
    if b"%" not in sent:
        return path
    return "/".join(map(_encode_once, sent.decode("ascii", "replace").split("/")))


def _encode_once(segment: str) -> str:
    # A comma separates the items of an array, one inside an item is encoded.
    return ",".join(quote(unquote(item), safe=SEGMENT) for item in segment.split(","))


def path_suggestion(path: str, templates: Iterable[str]) -> str:
    """Return "; did you mean ...?" with the closest path of the contract, or an empty string."""
    given = path.split("/")
    # The parameters of a template are filled from the path, because any value fits them.
    filled = {_fill(template, given): template for template in templates}
    if path.endswith("/") and path.rstrip("/") in {_fill(template, given) for template in templates}:
        return "; remove the slash at the end"
    close = difflib.get_close_matches(path, filled, n=1, cutoff=0.5) if len(path) <= MAX_COMPARED else []
    return f"; did you mean {filled[close[0]]!r}?" if close else ""


def _fill(template: str, given: list[str]) -> str:
    parts = template.split("/")
    return "/".join(
        given[index] if part.startswith("{") and index < len(given) else part for index, part in enumerate(parts)
    )


if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

HOST: Final = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?)(:(?P<port>[0-9]{1,5}))?")
MAX_PORT: Final = 65_535
MAX_SHOWN: Final = 80


class AccessCheck:
    """Middleware that refuses requests whose Host header or origin is that of another site, whatever their path.

    Args:
        app: The application that gets all other requests.
        redact: Removes known credentials from JSON.
        allow_hosts: Host names that are accepted besides those of the loopback interface.
        own: The address that is listened on, which is accepted as well.

    Raises:
        ValueError: One of `allow_hosts` or `own` is not a host name.
    """

    def __init__(
        self,
        app: ASGIApp,
        redact: Callable[[Any], Any],
        allow_hosts: Iterable[str] = (),
        own: Iterable[str] = (),
    ) -> None:
        if isinstance(allow_hosts, str):
            raise ValueError(f"allow_hosts must be a list of host names, such as [{allow_hosts!r}]")
        self._app = app
        self._redact = redact
        self._allowed = frozenset(map(check_host_name, [*allow_hosts, *own]))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        try:
            self._check(scope)
        except RefusedError as refusal:
            # The body is not read: the connection cannot be used again.
            refusal.headers["Connection"] = "close"
            await problem_response(refusal, scope, self._redact)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        path: str = scope["path"]
        if not path.startswith("/"):
            raise RefusedError(400, f"the target of a request must be a path, not {path[:MAX_SHOWN]!r}")
        headers = Headers(scope=scope)
        hosts = [*headers.getlist("host"), *headers.getlist(":authority")]
        if len(hosts) != 1:
            raise RefusedError(400, f"a request must have one Host header, not {len(hosts)}")
        name = _host_name(hosts[0])
        if name is None:
            raise RefusedError(400, f"the Host header is malformed: {hosts[0][:MAX_SHOWN]!r}")
        if not (name in self._allowed or is_loopback(name.strip("[]"))):
            raise RefusedError(
                403,
                f"this sandbox does not serve the host {name[:MAX_SHOWN]!r}, which may be the name of another site; "
                "use localhost or 127.0.0.1, or start it with --allow-host NAME, in Python serve(allow_hosts=[NAME])",
            )
        check_origin(headers)


def check_origin(headers: Headers) -> None:
    """Refuse (403) the request of a page from another origin than the host that the request names.

    A page also sends requests without Origin, such as those for images; Sec-Fetch-Site names them. A link from another
    page to one of the sandbox, which a person follows, is not refused.
    """
    is_foreign = headers.get("sec-fetch-site", "none").lower() in ("cross-site", "same-site")
    if is_foreign and headers.get("sec-fetch-dest") != "document":
        raise RefusedError(403, "a page of another site may not use this sandbox; use a program, or the page at /")
    for origin in headers.getlist("origin"):
        if _authority(origin) != headers.get("host", headers.get(":authority", "")).lower():
            raise RefusedError(
                403,
                f"a page of {origin[:MAX_SHOWN]} may not use this sandbox; use a program, or the sandbox's page at /",
            )


def check_host_name(name: str) -> str:
    """Return a host name in small letters.

    Raises:
        ValueError: It is not a host name, or has a scheme or a port.
    """
    match = HOST.fullmatch(name.lower())
    if match is None or match["port"] is not None:
        raise ValueError(f"must be a host name or an IP address without a scheme and a port, not {name!r}")
    return match["name"].removesuffix(".")


def is_loopback(host: str) -> bool:
    """Return whether a host, in lower case, is this machine and no other, however it is resolved."""
    # RFC 6761, section 6.3.
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _host_name(host: str) -> str | None:
    """Return the name in a Host header; None if the header is malformed."""
    match = HOST.fullmatch(host.lower())
    if match is None or int(match["port"] or 0) > MAX_PORT:
        return None
    return match["name"].removesuffix(".")


def _authority(origin: str) -> str | None:
    """Return host and port of an Origin header; None if there is none, as in `null`."""
    try:
        parts = urlsplit(origin.lower())
    except ValueError:
        return None
    return parts.netloc if parts.scheme in ("http", "https") else None
