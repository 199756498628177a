# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The value of an argument that was not given."""

from __future__ import annotations

from enum import Enum
from typing import Final, Literal, TypeAlias


class _Sentinel(Enum):
    UNSET = "UNSET"

    def __repr__(self) -> str:
        return "UNSET"

    def __bool__(self) -> Literal[False]:
        return False


UNSET: Final = _Sentinel.UNSET
"""The default of arguments for which None means a JSON null."""

Unset: TypeAlias = Literal[_Sentinel.UNSET]
