# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import Literal, TypeAlias

ScheduleType: TypeAlias = Literal["one_time", "recurring"]
"""Whether a schedule recurs or runs once."""
