"""Choose and open the transport of a client."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ..network.routes import Routes
from .exchange import Exchange

if TYPE_CHECKING:
    from ..configuration import Configuration


def open_exchange(configuration: Configuration, transport: Any, http_client: Any) -> Exchange:
    """Open the transport of a client, for the exchanges of its calls.

    Args:
        configuration: The settings of the client.
        transport: The name of a library, a transport of httpx or httpx2, or None for httpx; checked by `caller`.
        http_client: A client of one of the libraries, which the caller closes, or None; checked as well.

    Raises:
        ConfigurationError: Certificates or proxies cannot be used.
    """
    if http_client is None and (transport is None or isinstance(transport, str)):
        library = transport or "httpx"
        routes = Routes(configuration.network, configuration.base_url, allow_http=configuration.allow_http)
        if library == "aiohttp":
            from .aiohttp import open_aiohttp

            return Exchange(configuration, open_aiohttp(configuration, routes), routes)
        from .httpx_connections import open_connections

        return Exchange(
            configuration, open_connections(importlib.import_module(library), configuration, routes), routes
        )
    # Imported here, because most programs pass neither.
    from .caller import is_in_process, library_of

    library = library_of(transport, http_client)
    passed = http_client if http_client is not None else transport
    routes = Routes()
    if library == "aiohttp":
        from .aiohttp_session import SessionTransport

        return Exchange(configuration, SessionTransport(passed), routes)
    from .httpx_family import ClientTransport, DirectTransport

    kind = DirectTransport if http_client is None else ClientTransport
    # An application in this process has no connections.
    in_process = is_in_process(transport, http_client, configuration.base_url)
    slots = None if in_process else configuration.max_connections
    made = kind(importlib.import_module(library), passed, slots=slots)
    return Exchange(configuration, made, routes)
