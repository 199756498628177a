# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""Prefixes with which ids begin."""

from __future__ import annotations

from typing import Final

ID_PREFIXES: Final[dict[str, str]] = {
    "org-": "org_id",
    "assistant-": "assistant_id",
}
"""The name of the path parameter by the prefix of its ids."""
