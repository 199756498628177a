"""Cursor pagination over a list in the order of creation."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from typing import Any

from ..problems import invalid
from ..state.state import Record

DEFAULT_SIZE = 100


def paginate(records: Iterable[Record], query: dict[str, Any]) -> dict[str, Any]:
    """The page of *records* that `first` and `after` ask for, in the paginated envelope.

    A cursor names the last entry shown, so entries that come or go in between move nothing.
    """
    kept = list(records)
    behind = read_cursor(query.get("after"))
    rest = [record for record in kept if record.number > behind]
    page = rest[: query.get("first", DEFAULT_SIZE)]
    more = len(rest) > len(page)
    return {
        "items": [record.fields for record in page],
        "end_cursor": write_cursor(page[-1].number) if more else None,
        "has_next_page": more,
        "total": len(kept),
    }


def write_cursor(number: int) -> str:
    """An opaque cursor."""
    return base64.urlsafe_b64encode(f"after:{number}".encode()).decode()


def read_cursor(cursor: str | None) -> int:
    """The number behind a cursor; refuses one that is not of this sandbox."""
    if cursor is None:
        return 0
    try:
        number = int(base64.urlsafe_b64decode(cursor.encode()).decode().removeprefix("after:"))
        # Written otherwise it is none that was ever given out.
        if number > 0 and write_cursor(number) == cursor:
            return number
    except (ValueError, binascii.Error):
        pass
    raise invalid((["query", "after"], "not a cursor of this list", "cursor"))
