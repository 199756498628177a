"""The SDK with both extras that are for speed: `aiohttp` sends and `speed` decodes."""

from __future__ import annotations

from typing import Literal

from . import sdk


class Peer(sdk.Peer):
    transport: Literal["httpx2", "aiohttp"] | None = "aiohttp"
