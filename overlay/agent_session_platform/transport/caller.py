"""Check what a caller passes as `transport` or `http_client`, when the client is made.

Nothing is imported for it: whoever passes an object of a library has imported that library.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Any

from ..errors import ConfigurationError
from ..text import format_value, type_name
from ..validators import why_reserved

# The classes of each library: of its transports, and of its clients.
TRANSPORTS = {"httpx": "AsyncBaseTransport", "httpx2": "AsyncBaseTransport"}
CLIENTS = {"httpx": "AsyncClient", "httpx2": "AsyncClient", "aiohttp": "ClientSession"}
IN_PROCESS = ("MockTransport", "ASGITransport")
# What to install where a library is missing: its requirement in pyproject.toml.
REQUIREMENTS = {"httpx": "httpx>=0.28,<1", "httpx2": "httpx2>=2.16,<3", "aiohttp": "aiohttp>=3.14.3,<4"}

# Of the reserved headers those that may be a default of a client: it sends its own, or the SDK's replaces them.
HARMLESS_DEFAULTS = frozenset({"accept-encoding", "authorization", "connection", "host"})


def check_passed(transport: Any, http_client: Any) -> None:
    """Refuse what is no transport, or cannot be used as one.

    Raises:
        ConfigurationError: Both were passed, one is of another type, or its library is missing.
    """
    if http_client is not None:
        if transport is not None:
            raise ConfigurationError("pass transport or http_client, not both: a client has a transport of its own")
        check_http_client(http_client)
    elif isinstance(transport, str):
        if transport not in CLIENTS:
            names = "'httpx', 'httpx2', 'aiohttp'"
            raise ConfigurationError(f"transport must be {names} or an httpx transport, not {format_value(transport)}")
        if find_spec(transport) is None:
            raise ConfigurationError(
                f"transport={transport!r} needs {transport}: pip install '{REQUIREMENTS[transport]}'"
            )
    elif transport is not None and library_of_object(transport, TRANSPORTS) is None:
        raise ConfigurationError(
            f"transport must be an httpx.AsyncBaseTransport, not {type_name(transport)}, or one of httpx2; an "
            "aiohttp.ClientSession is an http_client"
        )


def check_http_client(http_client: Any) -> None:
    """Refuse what is no client, or one with settings that would be ignored or go out with every request."""
    library = library_of_object(http_client, CLIENTS)
    if library is None:
        raise ConfigurationError(
            f"http_client must be an httpx.AsyncClient, not {type_name(http_client)}, or an httpx2.AsyncClient or an "
            "aiohttp.ClientSession"
        )
    if http_client.auth is not None:
        raise ConfigurationError(
            "http_client must not have an auth: it would be ignored, or replace the token; the SDK sends "
            "AgentPlatform(token=...), which may be a function"
        )
    for name in http_client.headers:
        if name.lower() not in HARMLESS_DEFAULTS and (reason := why_reserved(name)):
            raise ConfigurationError(f"http_client must not have the default header {name}: {reason}")


def library_of(transport: Any, http_client: Any) -> str:
    """Return the name of the library that requests go through."""
    if http_client is not None:
        return library_of_object(http_client, CLIENTS) or "httpx"
    if transport is None or isinstance(transport, str):
        return transport or "httpx"
    return library_of_object(transport, TRANSPORTS) or "httpx"


def library_of_object(passed: Any, classes: dict[str, str]) -> str | None:
    """Return the name of the library that an object is of; None for none."""
    for library, name in classes.items():
        cls = getattr(sys.modules.get(library), name, None)
        if cls is not None and isinstance(passed, cls):
            return library
    return None


def is_in_process(transport: Any, http_client: Any, base_url: str) -> bool:
    """Return whether requests to *base_url* stay in this process: then nobody can read the credential on the way."""
    library = sys.modules.get(library_of(transport, http_client))
    if library is None or (http_client is None and (transport is None or isinstance(transport, str))):
        return False
    if http_client is not None:
        if not hasattr(http_client, "_transport_for_url"):
            return False
        # Private, but as old as httpx's mounts: another transport may be mounted for the address.
        transport = http_client._transport_for_url(library.URL(base_url))
    return isinstance(transport, tuple(getattr(library, name) for name in IN_PROCESS))
