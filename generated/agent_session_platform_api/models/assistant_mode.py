# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import Literal, TypeAlias

AssistantMode: TypeAlias = Literal["fast", "lite", "normal"]
"""Mode of a new session; `normal` default behavior is the organization's default when omitted."""
