# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import Literal, TypeAlias

ReviewStatus: TypeAlias = Literal["cancelled", "completed", "errored", "pending", "running"]
"""The state of a review; a newly accepted one starts as `pending`."""
