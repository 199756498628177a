# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import Literal, TypeAlias

QueueStatus: TypeAlias = Literal["elevated", "high", "normal"]
"""Status of the queue; what each value stands for is not shown."""
