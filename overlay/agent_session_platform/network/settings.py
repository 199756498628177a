"""The settings of the SDK's own connections; a transport or a client that is passed has its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import attrs

from ..errors import ConfigurationError
from ..text import type_name
from ..validators import switch
from .paths import as_path

if TYPE_CHECKING:
    from .certificates import ClientFiles
    from .proxy import Proxy


def read_proxy(value: Any) -> Proxy | None:
    """Return the proxy that was passed."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise ConfigurationError(f"proxy must be an address, not {type_name(value)}")
    # Imported here, like all that most programs do not need.
    from .proxy import parse_proxy

    return parse_proxy(value, "proxy")


def read_verify(value: Any) -> Any:
    """Return the certificates to trust: True, a path, or an SSLContext."""
    if value is True:
        return True
    from .certificates import check_verify

    return check_verify(value)


def read_cert(value: Any) -> ClientFiles | None:
    """Return the files of the client certificate."""
    if value is None:
        return None
    from .certificates import check_cert

    return check_cert(value)


def read_unix_socket(value: Any) -> str | None:
    """Return the path of a socket."""
    if value is None:
        return None
    path = as_path(value)
    if path is None:
        raise ConfigurationError(f"unix_socket must be the path of a socket, not {type_name(value)}")
    return path


@attrs.frozen(eq=False)
class Network:
    """The ways to servers that a client has been given.

    Attributes:
        proxy: The proxy for every server; None: the environment names it.
        verify: True, a file or folder of certificates, or an SSLContext.
        cert: The certificate to show to the server; None for none.
        http2: Whether HTTP/2 is offered to servers with TLS.
        unix_socket: Path of a socket of this machine that the server listens on; None for the network.

    Raises:
        ConfigurationError: A setting cannot be used; the message names it, and shows no password.
    """

    proxy: Proxy | None = attrs.field(default=None, converter=read_proxy)
    verify: Any = attrs.field(default=True, converter=read_verify, repr=False)
    cert: ClientFiles | None = attrs.field(default=None, converter=read_cert)
    http2: bool = attrs.field(default=False, validator=switch)
    unix_socket: str | None = attrs.field(default=None, converter=read_unix_socket)
    # Of the proxies that have been used so far: those of the environment are read with the first request.
    _redactors: list[Callable[[str], str]] = attrs.field(factory=list["Callable[[str], str]"], init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        if self.proxy is not None:
            self.remember(self.proxy)

    def remember(self, proxy: Proxy) -> None:
        """Take the password of a proxy out of texts from now on."""
        if proxy.credentials is not None:
            self._redactors.append(proxy.redact)

    def redact(self, text: str) -> str:
        """Take the passwords of proxies out of a text of a server."""
        for redact in self._redactors:
            text = redact(text)
        return text

    def check(self, library: str | None, base_url: str) -> None:
        """Refuse settings that cannot be used together, or not with a library.

        Args:
            library: Name of the library whose connections are made; None where a transport or a client was passed.
            base_url: Address of the server.

        Raises:
            ConfigurationError: One cannot be used; the message names it.
        """
        given = [name for name in ("proxy", "cert", "unix_socket") if getattr(self, name) is not None]
        given += ["verify"] if self.verify is not True else []
        given += ["http2"] if self.http2 else []
        if given and library is None:
            raise ConfigurationError(
                f"{given[0]} is a setting of the SDK's own connections: set it on the transport or the http_client "
                "that you pass"
            )
        if self.cert is not None and self.verify is not True and not isinstance(self.verify, str):
            raise ConfigurationError(
                "pass cert or an ssl.SSLContext, not both: a context is used as it is; load the certificate into it "
                "with context.load_cert_chain(...)"
            )
        if self.proxy is not None and self.unix_socket is not None:
            raise ConfigurationError("pass proxy or unix_socket, not both: a socket of this machine needs no proxy")
        if self.http2:
            check_http2(cast("str", library))
        if self.proxy is not None and self.proxy.is_socks:
            check_socks(cast("str", library), "proxy")
        if self.unix_socket is not None and library == "aiohttp" and base_url.startswith("https:"):
            raise ConfigurationError(
                "unix_socket with an https base_url needs transport='httpx' or 'httpx2': aiohttp has no TLS on a "
                "socket; an http base_url is enough, because a socket does not leave this machine"
            )


def check_http2(library: str) -> None:
    """Refuse HTTP/2 where the library has none, or lacks what it needs for it."""
    if library == "aiohttp":
        raise ConfigurationError("http2 needs transport='httpx' or 'httpx2': aiohttp has no HTTP/2")
    if not is_installed("h2"):
        raise ConfigurationError("http2 needs h2: pip install 'h2>=4.3,<5'")


def check_socks(library: str, named: str) -> None:
    """Refuse a SOCKS proxy where the library has none, or lacks what it needs for it.

    Args:
        library: Name of the library.
        named: Where the proxy is from, for the message.
    """
    if library == "aiohttp":
        raise ConfigurationError(f"{named} speaks SOCKS, which needs transport='httpx' or 'httpx2': aiohttp has none")
    if not is_installed("socksio"):
        raise ConfigurationError(f"{named} speaks SOCKS, which needs socksio: pip install 'socksio>=1.0,<2'")


def is_installed(module: str) -> bool:
    """Return whether a module can be imported."""
    # Imported here, like all that most programs do not need.
    from importlib.util import find_spec

    return find_spec(module) is not None
