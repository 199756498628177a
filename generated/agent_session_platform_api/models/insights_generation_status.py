# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import Literal, TypeAlias

InsightsGenerationStatus: TypeAlias = Literal["already_exists", "started"]
"""`started` when generation begins, or `already_exists` when insights exist or are in progress."""
