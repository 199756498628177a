# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import Literal, TypeAlias

ScheduleAgent: TypeAlias = Literal["assistant", "data_analyst"]
"""Agent type of a schedule."""
