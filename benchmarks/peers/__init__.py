"""The clients that are compared: each does the same work the way its own users would write it.

A module each, with a class `Peer`; `NAMES` says what stands in the table. `START` is what a fresh interpreter runs: the
import and the first client.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from importlib import import_module
from typing import Any, Protocol

NAMES = {
    "bare_httpx": "bare httpx with json.loads",
    "bare_httpx2": "bare httpx2 with json.loads",
    "bare_aiohttp": "bare aiohttp with json.loads",
    "sdk": "agent-session-platform",
    "sdk_speed": "agent-session-platform[speed]",
    "sdk_httpx2": "agent-session-platform[httpx2,speed]",
    "sdk_aiohttp": "agent-session-platform[aiohttp,speed]",
    "stainless": "the machinery of openai (Stainless)",
    "stock": "openapi-python-client, stock",
    "openapi_generator": "openapi-generator, httpx",
}
SHORT = {
    "bare_httpx2": "httpx2",
    "bare_aiohttp": "aiohttp",
    "sdk": "SDK",
    "sdk_speed": "[speed]",
    "sdk_httpx2": "[httpx2,..]",
    "sdk_aiohttp": "[aiohttp,..]",
    "stainless": "Stainless",
    "stock": "stock",
    "openapi_generator": "openapi-gen",
}
BASE = "bare_httpx"
# These find what the extra `speed` installs.
WITH_SPEED = ("sdk_speed", "sdk_httpx2", "sdk_aiohttp")

TOKEN = "svc_benchmark_0123456789"


class Client(Protocol):
    """What is measured of a peer. A list yields its items, of each of which the id has been read."""

    START: str

    async def open(self, url: str, connections: int) -> None:
        """Make the client."""
        ...

    async def get(self, organization: str) -> Any:
        """Get one session."""
        ...

    def items(self, organization: str) -> AsyncIterator[Any]:
        """List the sessions of all pages, as the peer lists them."""
        ...

    async def aclose(self) -> None:
        """Close the client."""
        ...


def peer(name: str) -> Client:
    """Make the peer of that name; raises ImportError where it is not installed."""
    made: Client = import_module(f"peers.{name}").Peer()
    return made
