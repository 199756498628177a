# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from ..encoding import UNSET, Unset
from ..model import Model


class SchedulePlaybook(Model):
    """The playbook of a schedule.

    Not shown by the API's description: schedule-playbook-required-fields.
    """

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "playbook_id": "playbook_id",
        "title": "title",
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            playbook_id: str | None | Unset = UNSET,
            title: str | None | Unset = UNSET,
        ) -> None: ...

    @property
    def playbook_id(self) -> str | None:
        """Id of the playbook."""
        value: str | None = self._data.get("playbook_id")
        return value

    @property
    def title(self) -> str | None:
        """Title of the playbook."""
        value: str | None = self._data.get("title")
        return value
