# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..decoding import convert_list
from ..encoding import to_json
from ..model import Model
from ..unset import UNSET

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..unset import Unset


class ValidationIssue(Model):
    """One validation failure at schedule creation.

    Not shown by the API's description: validation-issue-required-fields.
    """

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "loc": "loc",
        "msg": "msg",
        "type": "type",
    }

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
        """Location of the failure; what its entries stand for is not shown."""
        value: Sequence[str] | None = convert_list(self._data.get("loc"), to_json)
        return value

    @property
    def msg(self) -> str | None:
        """Message about the failure."""
        value: str | None = self._data.get("msg")
        return value

    @property
    def type(self) -> str | None:
        """Type of the failure; its values are not shown."""
        value: str | None = self._data.get("type")
        return value
