"""Jobs that take more than one call, built on the public methods of the SDK."""

from __future__ import annotations

from .changes import Change, changes
from .export import Exported, export

__all__ = ("Change", "Exported", "changes", "export")
