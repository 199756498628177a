"""The version of the SDK; a test compares it with pyproject.toml."""

from __future__ import annotations

VERSION = "0.1.0"
