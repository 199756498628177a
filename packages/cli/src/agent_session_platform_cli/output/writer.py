"""The interface of what writes a list to stdout, piece by piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class ListWriter(Protocol):
    """Writes the items of a list as they come, and keeps none of them."""

    def write(self, items: Sequence[Any]) -> None:
        """Write some items, of plain JSON types."""
        ...

    def close(self) -> None:
        """Write what stands at the end, also of a list that was interrupted."""
        ...
