# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import Literal, TypeAlias

SessionOrigin: TypeAlias = Literal["api", "jira", "linear", "other", "slack", "teams", "webapp"]
"""Filter values of a session's origin."""
