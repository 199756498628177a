# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import Literal, TypeAlias

ScheduleNotifyOn: TypeAlias = Literal["always", "failure", "never"]
"""When a schedule notifies. Whom it notifies, and how, is not shown."""
