"""The SDK's own connections through httpx or httpx2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import ConfigurationError
from .pools import PooledTransport
from .proxy import VARIABLES
from .tls import make_context

if TYPE_CHECKING:
    from ..configuration import Configuration
    from .proxy import Routes


def open_connections(library: Any, configuration: Configuration, routes: Routes) -> PooledTransport:
    """Open pools of connections.

    Args:
        library: The module `httpx` or `httpx2`.
        configuration: The settings of the client.
        routes: The proxies on the way.

    Raises:
        ConfigurationError: Certificates or a proxy cannot be used.
    """
    connections = Connections(library, configuration, routes)
    return PooledTransport(
        library,
        lambda size: connections.make(configuration.base_url, size),
        configuration.max_connections,
        connections,
        one_pool=configuration.network.http2,
    )


class Connections:
    """The connections of a client: those to the platform are in pools, those to other servers are here."""

    def __init__(self, library: Any, configuration: Configuration, routes: Routes) -> None:
        self._library = library
        self._network = configuration.network
        self._size = configuration.max_connections
        self._routes = routes
        self._elsewhere: dict[object, Any] = {}

    def make(self, url: str, size: int) -> Any:
        """Make a transport to a server, with so many connections, each of which is kept alive."""
        library, network = self._library, self._network
        proxy = self._routes.to(url)
        # Reading the certificates takes long, and http needs none.
        needs_tls = url.startswith("https:") or (proxy is not None and proxy.url.startswith("https:"))
        context = make_context(network.verify, network.cert) if needs_tls else False
        try:
            return library.AsyncHTTPTransport(
                verify=context,
                trust_env=False,
                http2=network.http2,
                uds=network.unix_socket,
                limits=library.Limits(max_connections=size, max_keepalive_connections=size, keepalive_expiry=5.0),
                proxy=None
                if proxy is None
                else library.Proxy(
                    proxy.url,
                    auth=proxy.credentials,
                    ssl_context=context if proxy.url.startswith("https:") else None,
                ),
            )
        except ImportError:
            named = "proxy" if network.proxy is not None else f"a proxy that the environment names in {VARIABLES}"
            raise ConfigurationError(
                f"{named} speaks SOCKS, which needs the extra of that name: pip install 'agent-session-platform[socks]'"
            ) from None

    def to(self, url: Any) -> Any:
        """Return the transport to another server, over the network and through the proxy for its address."""
        proxy = self._routes.to(str(url))
        if proxy not in self._elsewhere:
            self._elsewhere[proxy] = self.make(str(url), self._size)
        return self._elsewhere[proxy]

    async def aclose(self) -> None:
        """Close the connections to other servers."""
        for transport in self._elsewhere.values():
            await transport.aclose()
