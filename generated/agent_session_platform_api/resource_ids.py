# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The fields by which paths name resources."""

from __future__ import annotations

from typing import Final

RESOURCE_IDS: Final[dict[str, str]] = {
    "Blueprint": "blueprint_id",
    "EnterpriseUser": "user_id",
    "Session": "session_id",
}
"""The field with the id of a resource, by the name of its model; only where the contract declares it."""
