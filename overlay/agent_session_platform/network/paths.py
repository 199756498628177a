"""Paths that a caller passes, as text or as an `os.PathLike`."""

from __future__ import annotations

import os
from typing import Any


def as_path(value: Any) -> str | None:
    """Return a path as text; None if it is none."""
    path = os.fspath(value) if isinstance(value, str | os.PathLike) else None  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return path if isinstance(path, str) and path else None
