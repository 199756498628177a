# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from ..encoding import UNSET, Unset
from ..model import Model
from .queue_status import QueueStatus


class Queue(Model):
    """The state of the queue of sessions.

    Not shown by the API's description: queue-members.
    """

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "status": "status",
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            status: QueueStatus | str | None | Unset = UNSET,
        ) -> None: ...

    @property
    def status(self) -> QueueStatus | str | None:
        """Status of the queue."""
        value: QueueStatus | str | None = self._data.get("status")
        return value
