"""Choose the transport of a client: check what is passed, name the library that sends, and open it.

To add a transport, add its library here, with the features that the library lacks, and open it in
`TransportChoice.open_sender`.
"""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from typing import Any, Final, Literal, TypeAlias

import attrs

from ..configuration import Configuration
from ..errors import ConfigurationError
from ..network import Network, ProxyResolver, check_key_log, refuse_cleartext
from ..text import format_value, type_name
from .httpx import PassedTransport, PooledTransport
from .protocol import Transport
from .sender import Sender

# Features of the SDK's own connections that a library may lack, by their names in messages.
HTTP2 = "http2"
SOCKS = "a SOCKS proxy (of proxy= or the environment)"
HTTPS_OVER_SOCKET = "https over a unix_socket"
# The packages that must be installed for a feature, besides the library.
PACKAGES = {HTTP2: "h2>=4.3,<5", SOCKS: "socksio>=1.0,<2"}


@attrs.frozen
class Library:
    """An HTTP library that can send.

    Attributes:
        requirement: What to install if the library is missing, as in pyproject.toml.
        lacks: The features that the library does not support.
    """

    requirement: str
    lacks: tuple[str, ...] = ()


LIBRARIES: Final = {
    "httpx": Library("httpx>=0.28,<1"),
    "httpx2": Library("httpx2>=2.16,<3"),
    "aiohttp": Library("aiohttp>=3.14.3,<4", lacks=(HTTP2, SOCKS, HTTPS_OVER_SOCKET)),
}
TransportName: TypeAlias = Literal["httpx", "httpx2", "aiohttp"]
"""The name of an HTTP library that can send."""

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
        if "expect" in http_client.headers:
            # On aiohttp no timeout ends this wait.
            reason = "a request would wait for a response that may never come; remove it from the client's headers"
            raise ConfigurationError(f"http_client must not have the header Expect: {reason}")
        return library
    if transport is None:
        return "httpx"
    if isinstance(transport, str) and transport in LIBRARIES:
        require_package(LIBRARIES[transport].requirement, f"transport={transport!r}")
        return transport
    library = library_of(transport, TRANSPORTS)
    if library is None:
        accepted = f"{', '.join(map(repr, LIBRARIES))} or an AsyncBaseTransport of httpx or httpx2"
        hint = "pass an aiohttp.ClientSession as http_client"
        raise ConfigurationError(f"transport must be {accepted}, not {format_value(transport)}; {hint}")
    return library


def library_of(passed: Any, classes: tuple[str, ...]) -> str | None:
    """Return the name of the library whose class an object has, if it is one of *classes*; else None.

    This function imports nothing: a caller who passes an object of a library has imported that library.
    """
    for name in LIBRARIES:
        module = sys.modules.get(name)
        if any(isinstance(passed, getattr(module, cls)) for cls in classes if hasattr(module, cls)):
            return name
    return None


def require_package(requirement: str, user: str) -> None:
    """Raise a ConfigurationError if a package is missing; the message says that *user* needs it."""
    package = requirement.partition(">")[0]
    if find_spec(package) is None:
        raise ConfigurationError(f"{user} needs {package}: pip install '{requirement}'")


def require_feature(feature: str, library: str) -> None:
    """Raise a ConfigurationError if a library lacks a feature, or if the package that the feature needs is missing."""
    if feature in LIBRARIES[library].lacks:
        others = [repr(name) for name, other in LIBRARIES.items() if feature not in other.lacks]
        raise ConfigurationError(f"{feature} needs transport={' or '.join(others)}: {library} does not support it")
    if feature in PACKAGES:
        require_package(PACKAGES[feature], feature)


def refuse_settings(network: Network) -> None:
    """Raise a ConfigurationError if a setting of connections is given: what was passed has its own settings."""
    for setting in attrs.fields(Network):
        if setting.init and getattr(network, setting.name) != setting.default:
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
        network, base_url = configuration.network, configuration.base_url
        if not self.is_own:
            refuse_settings(network)
        if network.http2:
            require_feature(HTTP2, self._library)
        if network.unix_socket is not None and base_url.startswith("https:"):
            require_feature(HTTPS_OVER_SOCKET, self._library)
        # Nobody on the network can read the credential if the requests stay in this process.
        in_process = library_of(transport, IN_PROCESS) is not None
        if not (configuration.allow_http or network.unix_socket is not None or in_process):
            refuse_cleartext(base_url, network.proxy)
        self._proxies = ProxyResolver()
        if self.is_own:
            self._proxies = self._resolve_proxies()

    def open_sender(self) -> Sender:
        """Open the transport, and return the sender of the client's requests.

        Raises:
            ConfigurationError: Certificates or proxies cannot be used.
        """
        configuration, passed, proxies = self._configuration, self._passed, self._proxies
        # Only the chosen library is imported: importing it takes most of the start-up time.
        opened: Transport
        if self._library == "aiohttp":
            # aiohttp makes an SSL context when it is imported.
            check_key_log()
            from .aiohttp import open_aiohttp, wrap_session

            opened = open_aiohttp(configuration, proxies) if self.is_own else wrap_session(passed)
        else:
            module = importlib.import_module(self._library)
            opened = PooledTransport(module, configuration, proxies) if self.is_own else PassedTransport(module, passed)
        return Sender(configuration, opened, proxies)

    def _resolve_proxies(self) -> ProxyResolver:
        """Return the resolver of proxies for the SDK's own connections."""
        configuration, base_url = self._configuration, self._configuration.base_url
        # Cleartext must not leave this machine, and a proxy that the environment names may be another machine.
        stays_here = base_url.startswith("http:") and not configuration.allow_http
        direct = ""
        if stays_here or configuration.network.unix_socket is not None:
            direct = base_url
        proxies = ProxyResolver(configuration.network, direct)
        proxy = proxies.proxy_for(base_url)
        if proxy is not None and proxy.url.startswith("socks"):
            require_feature(SOCKS, self._library)
        return proxies
