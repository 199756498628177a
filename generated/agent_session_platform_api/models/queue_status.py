# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import Literal, TypeAlias

QueueStatus: TypeAlias = Literal["elevated", "high", "normal"]
"""How busy the queue is."""
