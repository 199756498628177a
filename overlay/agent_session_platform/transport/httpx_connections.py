"""The SDK's own connections through httpx or httpx2."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from ..network.certificates import UnchangedContext, make_context, trust_nobody
from ..network.settings import check_socks
from .httpx_family import classify
from .httpx_proxy import HiddenText, ProxiedTransport
from .interface import KEEP_ALIVE_SECONDS, FailureKind
from .pools import PooledTransport

if TYPE_CHECKING:
    import ssl

    from ..configuration import Configuration
    from ..network.proxy import Proxy
    from ..network.routes import Routes


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
    transport = PooledTransport(
        library,
        connections.make,
        configuration.max_connections,
        connections,
        one_pool=configuration.network.http2,
    )
    if configuration.network.http2:
        transport.classify = functools.partial(classify_http2, library)
    return transport


def classify_http2(library: Any, error: Exception) -> FailureKind | None:
    """Return what an error of the library says; see `Transport.classify`.

    A server may end a request while it is sent, which httpx reports like one that cannot be written.
    """
    return FailureKind.BROKEN_OFF if isinstance(error, library.LocalProtocolError) else classify(library, error)


class Connections:
    """The connections of a client: those to the platform are in pools, those to other servers are here."""

    def __init__(self, library: Any, configuration: Configuration, routes: Routes) -> None:
        self._library = library
        self._network = configuration.network
        self._base_url = configuration.base_url
        self._size = configuration.max_connections
        self._routes = routes
        self._elsewhere: dict[str | None, Any] = {}
        # Certificates are read once for a client, not once for a pool.
        self._context = functools.cache(self._make_context)

    def make(self, size: int) -> Any:
        """Make a transport to the platform with so many connections, each of which is kept alive."""
        return self._make(self._base_url, size, self._network.unix_socket, shows_cert=True)

    def to(self, url: Any) -> Any:
        """Return the transport to another server, over the network and through the proxy for its address.

        It has the same trust as that to the platform, and shows no certificate.
        """
        proxy = self._routes.to(str(url))
        key = None if proxy is None else proxy.url
        if key not in self._elsewhere:
            self._elsewhere[key] = self._make(str(url), self._size, None, shows_cert=False)
        return self._elsewhere[key]

    async def aclose(self) -> None:
        """Close the connections to other servers."""
        for transport in self._elsewhere.values():
            await transport.aclose()

    def _make(self, url: str, size: int, unix_socket: str | None, *, shows_cert: bool) -> Any:
        library, http2 = self._library, self._network.http2
        proxy = self._routes.to(url)
        if proxy is not None and proxy.is_socks:
            check_socks(library.__name__, self._routes.named)
        made = library.AsyncHTTPTransport(
            # Never False, which would trust everybody.
            verify=self._context(shows_cert, http2) if url.startswith("https:") else trust_nobody(),
            trust_env=False,
            http2=http2,
            uds=unix_socket,
            limits=library.Limits(
                max_connections=size, max_keepalive_connections=size, keepalive_expiry=KEEP_ALIVE_SECONDS
            ),
            proxy=None if proxy is None else self._make_proxy(proxy, shows_cert=shows_cert),
        )
        connects = proxy is not None and (proxy.is_socks or url.startswith("https:"))
        return ProxiedTransport(library, made) if connects else made

    def _make_proxy(self, proxy: Proxy, *, shows_cert: bool) -> Any:
        return self._library.Proxy(
            proxy.url,
            auth=None if proxy.credentials is None else tuple(map(HiddenText, proxy.credentials)),
            # Not the context for a server with HTTP/2, which would be offered to the proxy as well.
            ssl_context=self._context(shows_cert, False) if proxy.has_tls else None,
        )

    def _make_context(self, shows_cert: bool, http2: bool) -> ssl.SSLContext:
        network = self._network
        context = make_context(network.verify, network.cert if shows_cert else None, http2=http2)
        # httpcore changes the context that it gets, which may be the caller's.
        return UnchangedContext(context) if context is network.verify else context
