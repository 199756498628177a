"""The way to a server, directly or through a proxy: the same one on every transport."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from .proxy import DEFAULT_PORTS, parse_proxy

if TYPE_CHECKING:
    from .proxy import Proxy
    from .settings import Network

VARIABLES = "HTTP_PROXY, HTTPS_PROXY or ALL_PROXY"
OF_ENVIRONMENT = f"a proxy that the environment names in {VARIABLES}"


class Routes:
    """The proxies that a client sends through.

    Args:
        network: The settings of the client; None: a transport of the caller has its own proxies.
        base_url: Address of the platform's server.
        allow_http: Whether what goes to it over http may leave this machine.
    """

    def __init__(self, network: Network | None = None, base_url: str = "", *, allow_http: bool = False) -> None:
        self._network = network
        self._found: dict[str, Proxy | None] = {}
        if network is None:
            return
        # What may go over http stays on this machine; a proxy that the environment names is another one.
        stays_here = base_url.lower().startswith("http:") and not allow_http and network.proxy is None
        if stays_here or network.unix_socket is not None:
            self._found[origin_of(base_url)] = None

    @property
    def named(self) -> str:
        """Where a proxy is from, for a message."""
        return "proxy" if self._network is not None and self._network.proxy is not None else OF_ENVIRONMENT

    def to(self, url: str) -> Proxy | None:
        """Return the proxy on the way to a server; None when it is reached directly.

        Raises:
            ConfigurationError: The address of the proxy cannot be used.
        """
        network = self._network
        if network is None:
            return None
        if network.proxy is not None:
            return network.proxy
        origin = origin_of(url)
        if origin not in self._found:
            # Once for each server: reading the environment takes as long as sending.
            self._found[origin] = proxy = find_proxy(origin)
            if proxy is not None:
                network.remember(proxy)
        return self._found[origin]


def origin_of(url: str) -> str:
    """Return scheme, host and port of a URL."""
    return "/".join(url.split("/", 3)[:3])


def find_proxy(url: str) -> Proxy | None:
    """Return the proxy that the environment names for a URL; None when the server is reached directly.

    Raises:
        ConfigurationError: The address of the proxy cannot be used; the message shows nothing of it.
    """
    # Imported here, because it takes milliseconds; it also reads the system settings of macOS and Windows.
    from urllib.request import getproxies

    proxies, parts = getproxies(), urlsplit(url)
    address = proxies.get(parts.scheme) or proxies.get("all")
    if not address or is_excepted(parts, proxies.get("no", "")):
        return None
    return parse_proxy(address, OF_ENVIRONMENT)


def is_excepted(url: SplitResult, no_proxy: str) -> bool:
    """Return whether NO_PROXY excepts a server.

    Args:
        url: The URL of the server.
        no_proxy: Host names (`example.com`, `.example.com` and `*.example.com` have the names below it, too), IP
            addresses and networks (`10.0.0.0/8`), each with a port or without, separated by commas; `*` excepts all.
    """
    host = (url.hostname or "").rstrip(".")
    port = url.port or DEFAULT_PORTS.get(url.scheme)
    for entry in re.split(r"[,\s]+", no_proxy.strip().lower()):
        name, entry_port = split_port(entry)
        if entry_port and entry_port != str(port):
            continue
        if name == "*" or (name and matches(host, name)):
            return True
    return False


def split_port(entry: str) -> tuple[str, str]:
    """Split an entry into its name and its port, which may be empty; an IPv6 address with a port is in brackets."""
    bracketed = re.fullmatch(r"\[([^\]]*)\](?::(\d+))?", entry)
    if bracketed:
        return bracketed[1], bracketed[2] or ""
    name, _, port = entry.partition(":") if entry.count(":") == 1 else (entry, "", "")
    return name, port


def matches(host: str, name: str) -> bool:
    """Return whether a host is the named one, in the named network, or below the named domain."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        domain = name.removeprefix("*").strip(".")
        return bool(domain) and (host == domain or host.endswith(f".{domain}"))
    try:
        return address in ipaddress.ip_network(name, strict=False)
    except ValueError:
        # No part of an address is a domain: 127.0.0.1 is not below 0.1.
        return False
