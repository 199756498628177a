# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from ..encoding import UNSET, Unset
from ..model import Model
from .insights_generation_status import InsightsGenerationStatus


class InsightsGeneration(Model):
    """Whether the generation of insights began.

    Not shown by the API's description: insights-generation-members.
    """

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "status": "status",
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            status: InsightsGenerationStatus | str | None | Unset = UNSET,
        ) -> None: ...

    @property
    def status(self) -> InsightsGenerationStatus | str | None:
        """Whether generation began, or insights exist or are in progress."""
        value: InsightsGenerationStatus | str | None = self._data.get("status")
        return value
