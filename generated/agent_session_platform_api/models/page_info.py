# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..model import Model
from ..unset import UNSET

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..unset import Unset


class PageInfo(Model):
    """The paginated list envelope without its `items`, which each list adds."""

    __slots__ = ()
    _fields: ClassVar[Mapping[str, str]] = {
        "end_cursor": "end_cursor",
        "has_next_page": "has_next_page",
        "total": "total",
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            end_cursor: str | None | Unset = UNSET,
            has_next_page: bool | None | Unset = UNSET,
            total: int | None | Unset = UNSET,
        ) -> None: ...

    @property
    def end_cursor(self) -> str | None:
        """Cursor for the next page, to be given as `after`; null when this is the last page."""
        value: str | None = self._data.get("end_cursor")
        return value

    @property
    def has_next_page(self) -> bool | None:
        """True when more items exist after this page."""
        value: bool | None = self._data.get("has_next_page", False)
        return value

    @property
    def total(self) -> int | None:
        """Total count; may be omitted."""
        value: int | None = self._data.get("total")
        return value
