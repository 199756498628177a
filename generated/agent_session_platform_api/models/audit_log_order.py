# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import Literal, TypeAlias

AuditLogOrder: TypeAlias = Literal["asc", "desc"]
"""Order of the audit log, `desc` by default; by what it is ordered is not shown."""
