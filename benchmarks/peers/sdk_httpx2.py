"""The SDK with httpx2, and the extra `speed`."""

from __future__ import annotations

from typing import Literal

from . import sdk


class Peer(sdk.Peer):
    transport: Literal["httpx2", "aiohttp"] | None = "httpx2"
