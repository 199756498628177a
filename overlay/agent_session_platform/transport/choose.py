"""Choose the transport of a client: check what is passed, name the library that sends, and open it.

To add a transport:

    transport/NAME.py           a class with the members of `Transport` (`transport/protocol.py`)
    this module                 LIBRARIES, TransportName and `TransportChoice._open_transport`; CLIENT_CLASSES or
                                TRANSPORT_CLASSES if the caller can pass one of its own; `choose_proxy` if it lacks a
                                kind of proxy
    platform.py                 the types and docstrings of `transport=` and `http_client=`
    pyproject.toml              an extra with the requirement that LIBRARIES has
    tests/fixtures.py           OWN: then `all_transports` runs its tests on the new one, too
    docs/pages                  the tables of settings and of transports (search for `httpx2`)
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Any, Final, Literal, TypeAlias

import attrs

from ..configuration import Configuration
from ..errors import ConfigurationError
from ..network import Proxy, find_proxy, refuse_cleartext
from ..text import format_value, type_name
from .httpx import CallerTransport, PooledTransport
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

# Names of the transport and client classes in these libraries.
CLIENT_CLASSES = ("AsyncClient", "ClientSession")
TRANSPORT_CLASSES = ("AsyncBaseTransport",)
IN_PROCESS_CLASSES = ("MockTransport", "ASGITransport")


@attrs.frozen(eq=False)
class TransportChoice:
    """The transport of a client, which the first request opens.

    Attributes:
        configuration: The settings of the client.
        library: The name of the library that sends.
        passed: The transport or client that the caller has passed; None for the SDK's own connections.
        proxy: The proxy of the SDK's own connections, if any.
    """

    configuration: Configuration
    library: str
    passed: Any = None
    proxy: Proxy | None = None

    @property
    def is_own(self) -> bool:
        """True if the SDK makes the connections."""
        return self.passed is None

    def open_sender(self) -> Sender:
        """Open the transport, and return the sender of the client's requests."""
        where = self.configuration.base_url
        if self.proxy is not None:
            where = f"{where} through the proxy {self.proxy.url}"
        return Sender(self.configuration, self._open_transport(), where)

    def _open_transport(self) -> Transport:
        # Only the chosen library is imported: importing it takes most of the start-up time.
        if self.library == "aiohttp":
            from .aiohttp import AiohttpTransport, open_aiohttp

            if self.is_own:
                return open_aiohttp(self.configuration, self.proxy)
            return AiohttpTransport(self.passed, is_own=False, route={})
        library = importlib.import_module(self.library)
        if self.is_own:
            return PooledTransport(library, self.configuration, self.proxy)
        return CallerTransport(library, self.passed)


def choose_transport(configuration: Configuration, transport: Any, http_client: Any) -> TransportChoice:
    """Choose the transport of a client.

    Args:
        configuration: The settings of the client.
        transport: The name of a library, a transport of httpx or httpx2, or None for httpx.
        http_client: A client of one of the libraries, which the caller closes, or None.

    Raises:
        ConfigurationError: The transport or client cannot be used, alone or with these settings; or its library is
            missing; or the credential would be sent in cleartext.
    """
    if transport is not None and http_client is not None:
        reason = "a client has a transport of its own"
        raise ConfigurationError(f"pass transport or http_client, not both: {reason}")
    # Nobody on the network can read the credential if the requests stay in this process.
    in_process = library_of(transport, IN_PROCESS_CLASSES) is not None
    if not (configuration.allow_http or in_process):
        refuse_cleartext(configuration.base_url, configuration.proxy)
    if transport is None and http_client is None:
        transport = "httpx"
    if isinstance(transport, str) and transport in LIBRARIES:
        require_package(LIBRARIES[transport], f"transport={transport!r}")
        return TransportChoice(configuration, transport, proxy=choose_proxy(configuration, transport))
    if http_client is not None:
        passed, library = http_client, check_client(http_client)
    else:
        passed, library = transport, check_transport(transport)
    if configuration.proxy is not None or configuration.verify is not True:
        reason = "are for the SDK's own connections: set them on the client or transport instead"
        raise ConfigurationError(f"proxy and verify {reason}")
    return TransportChoice(configuration, library, passed)


def choose_proxy(configuration: Configuration, library: str) -> Proxy | None:
    """Return the proxy of the SDK's own connections; None if they reach the server directly.

    Raises:
        ConfigurationError: The address of the proxy cannot be used, or the library does not support it.
    """
    proxy = configuration.proxy
    # Cleartext must not leave this machine, and a proxy that the environment names may be another machine.
    is_local = configuration.base_url.startswith("http:") and not configuration.allow_http
    if proxy is None and not is_local:
        proxy = find_proxy(configuration.base_url)
    if proxy is not None and proxy.url.startswith("socks"):
        user = "a SOCKS proxy (of proxy= or the environment)"
        if library == "aiohttp":
            needed = "transport='httpx' or 'httpx2': aiohttp does not support it"
            raise ConfigurationError(f"{user} needs {needed}")
        require_package("socksio>=1.0,<2", user)
    return proxy


def check_transport(transport: Any) -> str:
    """Return the name of the library of a transport; refuse anything else."""
    library = library_of(transport, TRANSPORT_CLASSES)
    if library is None:
        accepted = f"{', '.join(map(repr, LIBRARIES))} or an AsyncBaseTransport of httpx or httpx2"
        hint = "pass an aiohttp.ClientSession as http_client"
        given = format_value(transport)
        raise ConfigurationError(f"transport must be {accepted}, not {given}; {hint}")
    return library


def check_client(http_client: Any) -> str:
    """Return the name of the library of a client; refuse a client that would change what is sent."""
    library = library_of(http_client, CLIENT_CLASSES)
    if library is None:
        accepted = "an httpx.AsyncClient, an httpx2.AsyncClient or an aiohttp.ClientSession"
        raise ConfigurationError(f"http_client must be {accepted}, not {type_name(http_client)}")
    if http_client.auth is not None:
        reason = "it would be ignored, or replace the token; pass AgentPlatform(token=...)"
        raise ConfigurationError(f"http_client must not have an auth: {reason}")
    if getattr(http_client, "params", None):
        reason = "httpx would replace the query of a call by them; pass extra_query="
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
