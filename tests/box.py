"""A model as the generator writes it, with names that the contract does not have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from agent_session_platform_api.decoding import convert_list
from agent_session_platform_api.model import Model, missing


class Box(Model):
    """A box with a required id, with names that Python renames, and with boxes in it."""

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {"box_id": "box_id", "class_": "class", "x_y": "x-y", "inner": "inner"}
    _required: ClassVar[frozenset[str]] = frozenset({"box_id"})

    @property
    def box_id(self) -> str:
        value: str | None = self._data.get("box_id")
        if value is None:
            raise missing(self, "box_id")
        return value

    @property
    def class_(self) -> str | None:
        value: str | None = self._data.get("class")
        return value

    @property
    def x_y(self) -> str | None:
        value: str | None = self._data.get("x-y")
        return value

    @property
    def inner(self) -> Sequence[Box] | None:
        value: Sequence[Box] | None = convert_list(self._data.get("inner"), Box.from_item)
        return value
