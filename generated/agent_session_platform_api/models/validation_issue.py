# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..model import UNSET, Model, convert_list, to_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..model import Unset


class ValidationIssue(Model):
    """One validation failure at schedule creation.

    Not shown by the API's description:
        validation-issue-required-fields: Which members are always present.
    """

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "loc": "loc",
        "msg": "msg",
        "type": "type",
    }
    _required: ClassVar[frozenset[str]] = frozenset([])

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            loc: Sequence[str] | None | Unset = UNSET,
            msg: str | None | Unset = UNSET,
            type: str | None | Unset = UNSET,
        ) -> None: ...

    @property
    def loc(self) -> Sequence[str] | None:
        """The `loc` that the server sent."""
        value: Sequence[str] | None = convert_list(self._data.get("loc"), to_json)
        return value

    @property
    def msg(self) -> str | None:
        """The `msg` that the server sent."""
        value: str | None = self._data.get("msg")
        return value

    @property
    def type(self) -> str | None:
        """The `type` that the server sent."""
        value: str | None = self._data.get("type")
        return value
