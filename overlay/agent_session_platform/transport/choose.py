"""Choose the transport of a client: check what is passed, name the library that makes connections, and open it."""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from typing import Any, Final, cast

from ..configuration import Configuration
from ..errors import ConfigurationError
from ..network import ProxyResolver, refuse_cleartext
from ..text import format_value, type_name
from .httpx import PassedTransport, PooledTransport
from .interface import Transport
from .sender import Sender

# The libraries that can send, and the requirement to install if a library is missing, as in pyproject.toml.
# `Network.check` and `check_feature` refuse what aiohttp lacks.
LIBRARIES: Final = {
    "httpx": "httpx>=0.28,<1",
    "httpx2": "httpx2>=2.16,<3",
    "aiohttp": "aiohttp>=3.14.3,<4",
}
# Names of the transport and client classes in these libraries.
CLIENTS = ("AsyncClient", "ClientSession")
TRANSPORTS = ("AsyncBaseTransport",)
IN_PROCESS = ("MockTransport", "ASGITransport")


def check_passed(transport: Any, http_client: Any) -> None:
    """Refuse an object that cannot be used as a transport or as a client.

    Raises:
        ConfigurationError: A transport and a client were passed together; or the object has the wrong type; or its
            library is missing; or a client has credentials of its own.
    """
    if http_client is not None:
        if transport is not None:
            raise ConfigurationError("pass transport or http_client, not both: a client has a transport of its own")
        if library_of(http_client, CLIENTS) is None:
            raise ConfigurationError(
                "http_client must be an httpx.AsyncClient, an httpx2.AsyncClient or an aiohttp.ClientSession, "
                f"not {type_name(http_client)}"
            )
        if http_client.auth is not None:
            raise ConfigurationError(
                "http_client must not have an auth: it would be ignored, or replace the token; the SDK sends "
                "AgentPlatform(token=...), which may be a function"
            )
    elif isinstance(transport, str):
        if transport not in LIBRARIES:
            names = ", ".join(map(repr, LIBRARIES))
            raise ConfigurationError(f"transport must be {names} or an httpx transport, not {format_value(transport)}")
        if find_spec(transport) is None:
            raise ConfigurationError(f"transport={transport!r} needs {transport}: pip install '{LIBRARIES[transport]}'")
    elif transport is not None and library_of(transport, TRANSPORTS) is None:
        raise ConfigurationError(
            f"transport must be an AsyncBaseTransport of httpx or httpx2, not {type_name(transport)}; pass an "
            "aiohttp.ClientSession as http_client"
        )


def library_of(passed: Any, classes: tuple[str, ...]) -> str | None:
    """Return the name of the library whose class an object has, if it is one of *classes*; else None.

    This function imports nothing: a caller who passes an object of a library has imported that library.
    """
    for name in LIBRARIES:
        module = sys.modules.get(name)
        if any(isinstance(passed, getattr(module, cls)) for cls in classes if hasattr(module, cls)):
            return name
    return None


class ChosenTransport:
    """The transport of a client, checked with the settings that it needs, and opened with the first request.

    Args:
        configuration: The settings of the client.
        transport: The name of a library, a transport of httpx or httpx2, or None for httpx.
        http_client: A client of one of the libraries, which the caller closes, or None.

    Attributes:
        library: Name of the library with which the SDK makes connections; None where a client or transport was passed.

    Raises:
        ConfigurationError: The transport or client cannot be used, alone or with these settings; or the credential
            would be sent in cleartext.
    """

    def __init__(self, configuration: Configuration, transport: Any, http_client: Any) -> None:
        check_passed(transport, http_client)
        self._configuration = configuration
        self._passed = transport if http_client is None else http_client
        is_own = isinstance(self._passed, str | None)
        self.library = (self._passed or "httpx") if is_own else None
        network = configuration.network
        network.check(self.library, configuration.base_url)
        # Nobody on the network can read the credential if the requests stay in this process.
        in_process = library_of(transport, IN_PROCESS) is not None
        if not (configuration.allow_http or network.unix_socket is not None or in_process):
            refuse_cleartext(configuration.base_url, None if network.proxy is None else network.proxy.url)

    def open(self) -> Sender:
        """Open the transport, and return the sender of the client's requests.

        Raises:
            ConfigurationError: Certificates or proxies cannot be used.
        """
        configuration, passed, own = self._configuration, self._passed, self.library
        proxies = ProxyResolver()
        if own is not None:
            proxies = ProxyResolver(
                configuration.network, configuration.base_url, own, allow_http=configuration.allow_http
            )
        # `check_passed` has refused the objects of other libraries.
        name = cast("str", own or library_of(passed, (*CLIENTS, *TRANSPORTS)))
        # Only the chosen library is imported: importing it takes most of the start-up time.
        opened: Transport
        if name == "aiohttp":
            from .aiohttp import open_aiohttp, wrap_session

            opened = open_aiohttp(configuration, proxies) if own else wrap_session(passed)
        else:
            library = importlib.import_module(name)
            opened = PooledTransport(library, configuration, proxies) if own else PassedTransport(library, passed)
        return Sender(configuration, opened, proxies)
