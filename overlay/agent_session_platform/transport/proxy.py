"""The proxy that a server is reached through: the same one on every transport."""

from __future__ import annotations

import ipaddress
import re
from contextlib import suppress
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies

import attrs

from ..errors import ConfigurationError

VARIABLES = "HTTP_PROXY, HTTPS_PROXY, ALL_PROXY or NO_PROXY"
SCHEMES = ("http", "https", "socks5", "socks5h")


@attrs.frozen
class Proxy:
    """A proxy; its credentials are in no repr.

    Attributes:
        url: Its address, without credentials.
        credentials: User name and password; None without.
    """

    url: str
    credentials: tuple[str, str] | None = attrs.field(default=None, repr=False)

    @property
    def is_socks(self) -> bool:
        """Whether it speaks SOCKS and not HTTP."""
        return self.url.startswith("socks")


class Routes:
    """The proxies that a client sends through.

    Args:
        given: The proxy that the client was given, for every server; None: the environment says which.
        direct: URL of a server that is reached directly, whatever the environment says; None: there is none.
        all_direct: Whether all servers are: a transport of the caller has its own proxies.
    """

    def __init__(self, given: str | None = None, direct: str | None = None, *, all_direct: bool = False) -> None:
        self._given = given
        self._direct = direct
        self._all_direct = all_direct
        self._found: dict[str, Proxy | None] = {}

    def to(self, url: str) -> Proxy | None:
        """Return the proxy on the way to a server; None when it is reached directly.

        Raises:
            ConfigurationError: The address of the proxy cannot be used.
        """
        if self._all_direct or (self._direct is not None and url == self._direct):
            return None
        origin = "/".join(url.split("/", 3)[:3])
        if origin not in self._found:
            # Once for each server: reading the environment takes as long as sending.
            self._found[origin] = find_proxy(origin, self._given)
        return self._found[origin]


def find_proxy(url: str, given: str | None) -> Proxy | None:
    """Return the proxy for a URL; None when the server is reached directly.

    Args:
        url: The URL, or the base URL, of the server.
        given: The proxy that the client was given, which is used for every server; None: ask the environment.

    Raises:
        ConfigurationError: The address of the proxy cannot be used; the message shows nothing of it.
    """
    if given is not None:
        return parse_proxy(given, "proxy")
    proxies = getproxies()
    parts = urlsplit(url)
    address = proxies.get(parts.scheme) or proxies.get("all")
    if not address or is_excepted(parts, proxies.get("no", "")):
        return None
    return parse_proxy(address, f"a proxy that the environment names in {VARIABLES}")


def is_excepted(url: SplitResult, no_proxy: str) -> bool:
    """Return whether NO_PROXY excepts a server.

    Args:
        url: The URL of the server.
        no_proxy: Host names (`example.com`, `.example.com` and `*.example.com` have the names below it, too), IP
            addresses and networks (`10.0.0.0/8`), each with a port or without, separated by commas; `*` excepts all.
    """
    host = (url.hostname or "").rstrip(".")
    port = url.port or {"http": 80, "https": 443}.get(url.scheme)
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
    with suppress(ValueError):
        return ipaddress.ip_address(host) in ipaddress.ip_network(name, strict=False)
    domain = name.removeprefix("*").strip(".")
    return bool(domain) and (host == domain or host.endswith(f".{domain}"))


def parse_proxy(address: str, named: str) -> Proxy:
    """Return the proxy of an address.

    Args:
        address: The address; without a scheme it is http.
        named: Where it is from, for the message.

    Raises:
        ConfigurationError: It cannot be used; the message shows nothing of it, because it may have a password.
    """
    problem = "its address must look like http://user:password@proxy.example.com:3128"
    try:
        url = urlsplit(address if "://" in address else f"http://{address}")
        host, port = url.hostname, url.port
        if url.scheme not in SCHEMES or not host or url.path.strip("/") or url.query or url.fragment:
            raise ValueError
        if not (address.isprintable() and address.isascii()) or " " in address or port == 0:
            raise ValueError
        if ":" in host:
            ipaddress.ip_address(host)
    except ValueError:
        pass
    else:
        credentials = None
        if url.username or url.password:
            credentials = (unquote(url.username or ""), unquote(url.password or ""))
        host = f"[{host}]" if ":" in host else host
        port = port or {"http": 80, "https": 443}.get(url.scheme, 1080)
        return Proxy(f"{url.scheme}://{host}:{port}", credentials)
    raise ConfigurationError(f"{named} cannot be used: {problem}")
