# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from ..decoding import convert_list
from ..encoding import UNSET, Unset
from ..model import ListModel


class BlueprintList(ListModel):
    """The list of snapshot blueprints; not a paginated envelope.

    Not shown by the API's description: blueprint-list-required-fields.
    """

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "data": "data",
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            data: Sequence[Blueprint] | None | Unset = UNSET,
        ) -> None: ...

    @property
    def data(self) -> Sequence[Blueprint] | None:
        """The blueprints."""
        value: Sequence[Blueprint] | None = self._once(
            "data", lambda: convert_list(self._data.get("data"), Blueprint.from_item)
        )
        return value


from .blueprint import Blueprint  # noqa: E402
