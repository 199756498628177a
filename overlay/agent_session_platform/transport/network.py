"""The settings of the SDK's own connections; a transport or a client that is passed has its own."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import attrs

from ..errors import ConfigurationError
from ..text import type_name

if TYPE_CHECKING:
    from .proxy import Routes


@attrs.frozen
class Network:
    """How servers are reached.

    Attributes:
        proxy: Address of the proxy for every server; None: the environment names it.
        verify: True, a file or folder of certificates, or an SSLContext.
        cert: The certificate to show to the server; None for none.
        http2: Whether HTTP/2 is offered to servers with TLS.
        unix_socket: Path of a socket of this machine that the server listens on; None for the network.
    """

    proxy: str | None = attrs.field(default=None, repr=False)
    verify: Any = attrs.field(default=True, repr=False)
    cert: Any = attrs.field(default=None, repr=False)
    http2: bool = False
    unix_socket: str | None = None

    def check(self, library: str | None) -> None:
        """Refuse settings that cannot be used together, or not with a library.

        Args:
            library: Name of the library whose connections are made; None where a transport or a client was passed.

        Raises:
            ConfigurationError: One cannot be used; the message names it.
        """
        given = [name for name, value in attrs.asdict(self, recurse=False).items() if value not in (None, True, False)]
        given += ["http2"] if self.http2 else []
        if not given and self.verify is True:
            return
        if library is None:
            raise ConfigurationError(
                f"{given[0]} is a setting of the SDK's own connections: set it on the transport or the http_client that "
                "you pass"
            )
        from .proxy import parse_proxy
        from .tls import check_cert, check_verify

        check_verify(self.verify)
        check_cert(self.cert)
        if self.proxy is not None:
            if not isinstance(self.proxy, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
                raise ConfigurationError(f"proxy must be an address, not {type_name(self.proxy)}")
            if self.unix_socket is not None:
                raise ConfigurationError("pass proxy or unix_socket, not both: a socket of this machine needs no proxy")
            parse_proxy(self.proxy, "proxy")
        if self.http2 and library == "aiohttp":
            raise ConfigurationError("http2 needs transport='httpx' or 'httpx2': aiohttp has no HTTP/2")
        if self.http2 and find_spec("h2") is None:
            raise ConfigurationError("http2 needs the extra of that name: pip install 'agent-session-platform[http2]'")


def routes_of(network: Network, base_url: str, *, allow_http: bool) -> Routes:
    """Return the proxies of the SDK's own connections."""
    from .proxy import Routes

    # What may go over http stays on this machine; a proxy is another one.
    is_local = base_url.startswith("http:") and not allow_http and network.proxy is None
    return Routes(network.proxy, base_url if is_local else None, all_direct=network.unix_socket is not None)
