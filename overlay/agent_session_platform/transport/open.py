"""Choose and open the transport of a client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ..errors import ConfigurationError
from ..text import type_name
from .environment import make_client
from .httpx import HttpxTransport
from .pools import Pools

if TYPE_CHECKING:
    from ..configuration import Configuration
    from .interface import Transport


def open_transport(configuration: Configuration, transport: Any, http_client: Any) -> Transport:
    """Open a transport.

    Args:
        configuration: The settings of the client.
        transport: An httpx transport, "aiohttp", or None for httpx's own.
        http_client: An httpx client that the caller closes, or None.

    Returns:
        The open transport.

    Raises:
        ConfigurationError: `transport` or `http_client` is of another type, or an extra is missing.
    """
    if http_client is not None:
        if not isinstance(http_client, httpx.AsyncClient):
            raise ConfigurationError(f"http_client must be an httpx.AsyncClient, not {type_name(http_client)}")
        from .httpx_client import HttpxClientTransport

        return HttpxClientTransport(configuration, http_client)
    if transport == "aiohttp":
        from .aiohttp import AiohttpTransport

        transport = AiohttpTransport(configuration.max_connections)
    elif transport is None:
        transport = Pools(make_client, httpx.URL(configuration.base_url), configuration.max_connections)
    elif not isinstance(transport, httpx.AsyncBaseTransport):
        raise ConfigurationError(f"transport must be an httpx.AsyncBaseTransport, not {type_name(transport)}")
    return HttpxTransport(configuration, transport)
