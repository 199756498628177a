"""The journal: the requests that a sandbox received, without credentials and secrets."""

from __future__ import annotations

from .journal import Journal

__all__ = ("Journal",)
