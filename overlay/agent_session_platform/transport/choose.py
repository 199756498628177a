"""Choose the transport of a client: check what is passed, name the library that sends, and open it.

To add a transport, add its library here, and open it in `TransportChoice.open_sender`.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Any, Final, Literal, TypeAlias

import attrs

from ..configuration import Configuration
from ..errors import ConfigurationError
from ..network import Network, ProxyResolver, refuse_cleartext
from ..text import format_value, type_name
from .httpx import PassedTransport, PooledTransport
from .protocol import Transport
from .sender import Sender

# The libraries that can send, and what to install if one is missing, as in pyproject.toml.
LIBRARIES: Final = {
    "httpx": "httpx>=0.28,<1",
    "httpx2": "httpx2>=2.16,<3",
    "aiohttp": "aiohttp>=3.14.3,<4",
}
TransportName: TypeAlias = Literal["httpx", "httpx2", "aiohttp"]
"""The name of an HTTP library that can send."""

# Features of the SDK's own connections that aiohttp lacks, by their names in messages, and the packages that they need
# besides httpx.
HTTP2 = "http2"
SOCKS = "a SOCKS proxy (of proxy= or the environment)"
HTTPS_OVER_SOCKET = "https over a unix_socket"
PACKAGES = {HTTP2: "h2>=4.3,<5", SOCKS: "socksio>=1.0,<2"}

# Names of the transport and client classes in these libraries.
CLIENTS = ("AsyncClient", "ClientSession")
TRANSPORTS = ("AsyncBaseTransport",)
IN_PROCESS = ("MockTransport", "ASGITransport")


def choose_library(transport: Any, http_client: Any) -> str:
    """Return the name of the library that sends; refuse an object that cannot be used as a transport or as a client.

    Raises:
        ConfigurationError: A transport and a client were passed together; or the object has the wrong type; or its
            library is missing; or a client has credentials of its own.
    """
    if http_client is not None:
        if transport is not None:
            raise ConfigurationError("pass transport or http_client, not both: a client has a transport of its own")
        return library_of_client(http_client)
    if transport is None:
        return "httpx"
    if isinstance(transport, str) and transport in LIBRARIES:
        require_package(LIBRARIES[transport], f"transport={transport!r}")
        return transport
    library = library_of(transport, TRANSPORTS)
    if library is None:
        accepted = f"{', '.join(map(repr, LIBRARIES))} or an AsyncBaseTransport of httpx or httpx2"
        hint = "pass an aiohttp.ClientSession as http_client"
        raise ConfigurationError(f"transport must be {accepted}, not {format_value(transport)}; {hint}")
    return library


def library_of_client(http_client: Any) -> str:
    """Return the name of the library of a client; refuse a client that would change what is sent."""
    library = library_of(http_client, CLIENTS)
    if library is None:
        accepted = "an httpx.AsyncClient, an httpx2.AsyncClient or an aiohttp.ClientSession"
        raise ConfigurationError(f"http_client must be {accepted}, not {type_name(http_client)}")
    if http_client.auth is not None:
        reason = "it would be ignored, or replace the token; pass AgentPlatform(token=...), also a function"
        raise ConfigurationError(f"http_client must not have an auth: {reason}")
    if getattr(http_client, "params", None):
        reason = "httpx would replace the query of each request by them; pass extra_query= to the calls"
        raise ConfigurationError(f"http_client must not have params: {reason}")
    return library


def library_of(passed: Any, classes: tuple[str, ...]) -> str | None:
    """Return the name of the library whose class an object has, if it is one of *classes*; else None."""
    for cls in type(passed).__mro__:
        library = cls.__module__.partition(".")[0]
        if library in LIBRARIES and cls.__name__ in classes:
            return library
    return None


def require_package(requirement: str, user: str) -> None:
    """Raise a ConfigurationError if a package is missing; the message says that *user* needs it."""
    package = requirement.partition(">")[0]
    if find_spec(package) is None:
        raise ConfigurationError(f"{user} needs {package}: pip install '{requirement}'")


def require_feature(feature: str, library: str) -> None:
    """Raise a ConfigurationError if a library lacks a feature, or if the package that the feature needs is missing."""
    if library == "aiohttp":
        raise ConfigurationError(f"{feature} needs transport='httpx' or 'httpx2': aiohttp does not support it")
    if feature in PACKAGES:
        require_package(PACKAGES[feature], feature)


def refuse_settings(network: Network) -> None:
    """Raise a ConfigurationError if a setting of connections is given: what was passed has its own settings."""
    for setting in attrs.fields(Network):
        if getattr(network, setting.name) != setting.default:
            text = f"{setting.name} is for the SDK's own connections: set it on the client or transport instead"
            raise ConfigurationError(text)


class TransportChoice:
    """The transport of a client, checked with the settings that it needs, and opened with the first request.

    Args:
        configuration: The settings of the client.
        transport: The name of a library, a transport of httpx or httpx2, or None for httpx.
        http_client: A client of one of the libraries, which the caller closes, or None.

    Attributes:
        is_own: Whether the SDK makes the connections; false where a client or transport was passed.

    Raises:
        ConfigurationError: The transport or client cannot be used, alone or with these settings; or the credential
            would be sent in cleartext.
    """

    def __init__(self, configuration: Configuration, transport: Any, http_client: Any) -> None:
        self._library = choose_library(transport, http_client)
        self._configuration = configuration
        self._passed = transport
        if http_client is not None:
            self._passed = http_client
        self.is_own = isinstance(self._passed, str | None)
        self._proxies = ProxyResolver()
        base_url = configuration.base_url
        network = configuration.network
        # Nobody on the network can read the credential if the requests stay in this process.
        in_process = library_of(transport, IN_PROCESS) is not None
        if not (configuration.allow_http or network.unix_socket is not None or in_process):
            refuse_cleartext(base_url, network.proxy)
        if not self.is_own:
            refuse_settings(network)
            return
        if network.http2:
            require_feature(HTTP2, self._library)
        direct = ""
        # Cleartext must not leave this machine, and a proxy that the environment names may be another machine.
        if base_url.startswith("http:") and not configuration.allow_http:
            direct = base_url
        if network.unix_socket is not None:
            direct = base_url
            if base_url.startswith("https:"):
                require_feature(HTTPS_OVER_SOCKET, self._library)
        self._proxies = ProxyResolver(network, direct)
        proxy = self._proxies.proxy_for(base_url)
        if proxy is not None and proxy.url.startswith("socks"):
            require_feature(SOCKS, self._library)

    def open_sender(self) -> Sender:
        """Open the transport, and return the sender of the client's requests."""
        return Sender(self._configuration, self._open_transport(), self._proxies)

    def _open_transport(self) -> Transport:
        # Only the chosen library is imported: importing it takes most of the start-up time.
        if self._library == "aiohttp":
            from .aiohttp import open_aiohttp, wrap_session

            if self.is_own:
                return open_aiohttp(self._configuration, self._proxies)
            return wrap_session(self._passed)
        library = importlib.import_module(self._library)
        if self.is_own:
            return PooledTransport(library, self._configuration, self._proxies)
        return PassedTransport(library, self._passed)
