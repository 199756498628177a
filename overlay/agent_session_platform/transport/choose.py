"""Check what a caller passes as `transport` or `http_client`, and open the transport of a client."""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from ..configuration import Configuration
from ..errors import ConfigurationError
from ..network import Routes
from ..text import format_value, type_name
from ..validators import why_reserved
from .exchange import Exchange
from .httpx import PassedTransport, PooledTransport
from .interface import Transport


class Library(NamedTuple):
    """An HTTP library that can send.

    Attributes:
        requirement: What to install where it is missing, as in pyproject.toml.
        client: Name of the class of its clients.
        transport: Name of the class of its transports; None if it has none.
    """

    requirement: str
    client: str
    transport: str | None = None


LIBRARIES: Final = {
    "httpx": Library("httpx>=0.28,<1", "AsyncClient", "AsyncBaseTransport"),
    "httpx2": Library("httpx2>=2.16,<3", "AsyncClient", "AsyncBaseTransport"),
    "aiohttp": Library("aiohttp>=3.14.3,<4", "ClientSession"),
}
IN_PROCESS = ("MockTransport", "ASGITransport")

# Of the reserved headers those that may be a default of a client: it sends its own, or the SDK's replaces them.
HARMLESS_DEFAULTS = frozenset({"accept-encoding", "authorization", "connection", "host"})


def check_passed(transport: Any, http_client: Any) -> None:
    """Refuse what is no transport and no client, or cannot be used as one.

    Raises:
        ConfigurationError: Both were passed, one is of another type, or its library is missing.
    """
    if http_client is not None:
        if transport is not None:
            raise ConfigurationError("pass transport or http_client, not both: a client has a transport of its own")
        check_http_client(http_client)
    elif isinstance(transport, str):
        if transport not in LIBRARIES:
            names = ", ".join(map(repr, LIBRARIES))
            raise ConfigurationError(f"transport must be {names} or an httpx transport, not {format_value(transport)}")
        if find_spec(transport) is None:
            requirement = LIBRARIES[transport].requirement
            raise ConfigurationError(f"transport={transport!r} needs {transport}: pip install '{requirement}'")
    elif transport is not None and library_of(transport) is None:
        raise ConfigurationError(
            f"transport must be an httpx.AsyncBaseTransport, not {type_name(transport)}, or one of httpx2; an "
            "aiohttp.ClientSession is an http_client"
        )


def check_http_client(http_client: Any) -> None:
    """Refuse what is no client, or one with settings that would be ignored or go out with every request."""
    if library_of(http_client, clients=True) is None:
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


def library_of(passed: Any, *, clients: bool = False) -> str | None:
    """Return the name of the library that a transport, or a client, is of; None for none.

    Nothing is imported for it: whoever passes an object of a library has imported that library.
    """
    for name, library in LIBRARIES.items():
        cls = getattr(sys.modules.get(name), (library.client if clients else library.transport) or "", None)
        if cls is not None and isinstance(passed, cls):
            return name
    return None


def is_in_process(transport: Any) -> bool:
    """Return whether the requests of a transport stay in this process: nobody can read the credential on the way."""
    library = sys.modules.get(library_of(transport) or "")
    return library is not None and isinstance(transport, tuple(getattr(library, name) for name in IN_PROCESS))


def open_exchange(configuration: Configuration, transport: Any, http_client: Any) -> Exchange:
    """Open the transport of a client, for the exchanges of its calls.

    Args:
        configuration: The settings of the client.
        transport: The name of a library, a transport of httpx or httpx2, or None for httpx; `check_passed` has it.
        http_client: A client of one of the libraries, which the caller closes, or None; checked as well.

    Raises:
        ConfigurationError: Certificates or proxies cannot be used.
    """
    opened: Transport
    routes = Routes()
    # A library is imported when it is chosen: it is most of the start-up.
    if http_client is None and isinstance(transport, str | None):
        name = transport or "httpx"
        routes = Routes(configuration.network, configuration.base_url, allow_http=configuration.allow_http)
        if name == "aiohttp":
            from .aiohttp import open_aiohttp

            opened = open_aiohttp(configuration, routes)
        else:
            opened = PooledTransport(importlib.import_module(name), configuration, routes)
    else:
        passed = transport if http_client is None else http_client
        name = library_of(passed, clients=http_client is not None) or "httpx"
        if name == "aiohttp":
            from .aiohttp import wrap_session

            opened = wrap_session(passed)
        else:
            opened = PassedTransport(importlib.import_module(name), passed)
    return Exchange(configuration, opened, routes)
