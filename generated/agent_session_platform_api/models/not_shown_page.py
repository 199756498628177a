# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from ..decoding import convert_list, has_more
from ..encoding import UNSET, Unset
from ..model import ListModel, OpenModel, missing, open_value


class NotShownPage(ListModel):
    """A page of things whose fields are not shown."""

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "items": "items",
        "end_cursor": "end_cursor",
        "has_next_page": "has_next_page",
        "total": "total",
    }
    _required: ClassVar[frozenset[str]] = frozenset({"items"})

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            items: Sequence[OpenModel] | None | Unset = UNSET,
            end_cursor: str | None | Unset = UNSET,
            has_next_page: bool | None | Unset = UNSET,
            total: int | None | Unset = UNSET,
        ) -> None: ...

    @property
    def items(self) -> Sequence[OpenModel]:
        """The page's entries."""
        value: Sequence[OpenModel] | None = self._once(
            "items", lambda: convert_list(self._data.get("items"), open_value)
        )
        if value is None:
            raise missing(self, "items")
        return value

    @property
    def end_cursor(self) -> str | None:
        """Cursor for the next page, to be given as `after`; null when this is the last page."""
        value: str | None = self._data.get("end_cursor")
        return value

    @property
    def has_next_page(self) -> bool:
        """True when more items exist after this page."""
        value: bool = has_more(self._data.get("has_next_page"), self._data.get("end_cursor"))
        return value

    @property
    def total(self) -> int | None:
        """Total count; may be omitted."""
        value: int | None = self._data.get("total")
        return value
