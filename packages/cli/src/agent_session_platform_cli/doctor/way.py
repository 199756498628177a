"""The way to the server: directly, or through a proxy, and which setting names that."""

from __future__ import annotations

import os
from typing import Final
from urllib.parse import urlsplit

import attrs
from agent_session_platform.network import DEFAULT_PORTS, Proxy, Routes

from .setup import Setup

SYSTEM: Final = "the settings of the system"


@attrs.frozen
class Way:
    """The way to the server.

    Attributes:
        host: Its host.
        port: Its port.
        has_tls: Whether the address begins with https.
        proxy: The proxy before it; None without.
        proxy_from: The setting that names the proxy.
        excepting: The variable that excepts the server from a proxy which is set; empty without.
    """

    host: str
    port: int
    has_tls: bool
    proxy: Proxy | None = None
    proxy_from: str = ""
    excepting: str = ""

    @property
    def authority(self) -> str:
        """Host and port."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def find_way(setup: Setup) -> Way:
    """Return the way to the server.

    Raises:
        ConfigurationError: The address of the proxy cannot be used; the message shows nothing of it.
    """
    address, network = setup.base_url.rstrip("/"), setup.network
    url = urlsplit(address)
    proxy = Routes(network, address, allow_http=setup.allow_http).to(address)
    variable = proxy_variable(url.scheme)
    named = setup.place("proxy") if network.proxy is not None else variable or SYSTEM
    return Way(
        url.hostname or "",
        url.port or DEFAULT_PORTS[url.scheme],
        url.scheme == "https",
        proxy,
        named if proxy else "",
        "" if proxy or not variable else next(filter(os.environ.get, ("no_proxy", "NO_PROXY")), ""),
    )


def proxy_variable(scheme: str) -> str:
    """Return the variable that names the proxy of a scheme, in the order in which they count; empty for none."""
    names = (f"{scheme}_proxy", f"{scheme.upper()}_PROXY", "all_proxy", "ALL_PROXY")
    return next(filter(os.environ.get, names), "")
