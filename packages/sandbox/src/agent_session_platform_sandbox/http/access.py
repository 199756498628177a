"""Access to a sandbox on a port: for programs of this machine, and for pages of the sandbox itself.

There is no secret to stop anybody else: the credentials of a sandbox are fixed, and its control API takes none. A web
page can send requests to this machine, either from its own origin, or under a host name that it lets resolve to
127.0.0.1 (DNS rebinding).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from agent_session_platform.network import is_loopback
from starlette.datastructures import Headers

from ..problems import RefusedError
from .responses import problem_response

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
