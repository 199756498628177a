"""The SDK with the extra `speed`, which is found because it is installed."""

from __future__ import annotations

from .sdk import Peer

__all__ = ("Peer",)
