"""Choose and open the transport of a client."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import httpx

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
        transport: An httpx transport, "aiohttp", or None for httpx's own; checked by `passed`.
        http_client: An httpx client that the caller closes, or None; checked as well.

    Returns:
        The open transport.

    Raises:
        ConfigurationError: The environment names certificates or proxies that cannot be used.
    """
    if http_client is not None:
        from .httpx_client import HttpxClientTransport

        return HttpxClientTransport(configuration, http_client)
    if transport == "aiohttp":
        from .aiohttp import AiohttpTransport

        return HttpxTransport(configuration, AiohttpTransport(configuration.max_connections), owned=True)
    if transport is not None:
        return HttpxTransport(configuration, transport)
    address = httpx.URL(configuration.base_url)
    # What may go over http stays on this machine; a proxy is another one.
    is_local = address.scheme == "http" and not configuration.allow_http
    direct = f"http://{address.netloc.decode('ascii')}" if is_local else None
    pools = Pools(partial(make_client, direct=direct), address, configuration.max_connections)
    return HttpxTransport(configuration, pools, owned=True)
