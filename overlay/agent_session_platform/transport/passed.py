"""Check what a caller passes as `transport` or `http_client`, when the client is made."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from ..errors import ConfigurationError
from ..text import format_value, type_name
from ..validators import why_reserved

# Of the reserved headers those that may be a default of an httpx client: it sends its own, or the SDK's replaces them.
HARMLESS_DEFAULTS = frozenset({"accept-encoding", "authorization", "connection", "host"})


def check_passed(transport: Any, http_client: Any) -> None:
    """Refuse what is no transport, or cannot be used as one.

    Raises:
        ConfigurationError: Both were passed, one is of another type, or an extra is missing.
    """
    if http_client is not None:
        if transport is not None:
            raise ConfigurationError("pass transport or http_client, not both: an httpx client has its own transport")
        check_http_client(http_client)
    elif transport == "aiohttp":
        if find_spec("aiohttp") is None or find_spec("httpx_aiohttp") is None:
            raise ConfigurationError(
                "transport='aiohttp' needs the extra of that name: pip install 'agent-session-platform[aiohttp]'"
            )
    elif isinstance(transport, str):
        raise ConfigurationError(f"transport must be 'aiohttp' or an httpx transport, not {format_value(transport)}")
    elif transport is not None:
        # Imported here: whoever passes one has imported httpx, and nobody else needs it yet.
        import httpx

        if not isinstance(transport, httpx.AsyncBaseTransport):
            raise ConfigurationError(f"transport must be an httpx.AsyncBaseTransport, not {type_name(transport)}")


def check_http_client(http_client: Any) -> None:
    """Refuse what is no httpx client, or one whose default headers would go out with every request."""
    import httpx

    if not isinstance(http_client, httpx.AsyncClient):
        raise ConfigurationError(f"http_client must be an httpx.AsyncClient, not {type_name(http_client)}")
    for name in http_client.headers:
        if name.lower() not in HARMLESS_DEFAULTS and (reason := why_reserved(name)):
            raise ConfigurationError(f"http_client must not have the default header {name}: {reason}")


def is_in_process(transport: Any, http_client: Any, base_url: str) -> bool:
    """Return whether requests to *base_url* stay in this process: then nobody can read the credential on the way."""
    if http_client is None and (transport is None or isinstance(transport, str)):
        return False
    import httpx

    if http_client is not None:
        # Private, but as old as httpx's mounts: another transport may be mounted for the address.
        transport = http_client._transport_for_url(httpx.URL(base_url))
    return isinstance(transport, httpx.MockTransport | httpx.ASGITransport)
