# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from ..encoding import UNSET, Unset
from ..model import Model


class SessionMessage(Model):
    """A message of a session.

    Not shown by the API's description: message-required-fields.
    """

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "created_at": "created_at",
        "event_id": "event_id",
        "message": "message",
        "source": "source",
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            created_at: int | None | Unset = UNSET,
            event_id: str | None | Unset = UNSET,
            message: str | None | Unset = UNSET,
            source: Literal["assistant"] | str | None | Unset = UNSET,
        ) -> None: ...

    @property
    def created_at(self) -> int | None:
        """When the message was created, as an integer timestamp; unit not shown.

        Not shown by the API's description: message-created-at-unit.
        """
        value: int | None = self._data.get("created_at")
        return value

    @property
    def event_id(self) -> str | None:
        """Id of an event; whether it names the message itself is not shown."""
        value: str | None = self._data.get("event_id")
        return value

    @property
    def message(self) -> str | None:
        """Text of the message."""
        value: str | None = self._data.get("message")
        return value

    @property
    def source(self) -> Literal["assistant"] | str | None:
        """Source of the message; `assistant` appears as a value.

        Not shown by the API's description: message-source-values.
        """
        value: Literal["assistant"] | str | None = self._data.get("source")
        return value
