"""Cursor pagination over records in the order of creation."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

from ..problems import invalid
from ..state import Record

DEFAULT_SIZE = 100


def paginate(records: Iterable[Record], query: dict[str, Any]) -> dict[str, Any]:
    """Return one page in the paginated envelope.

    A cursor names the last record of its page, so records that are added or deleted meanwhile do not shift the next.

    Args:
        records: All records of the list.
        query: `first`, the page size (default 100), and `after`, a cursor.

    Raises:
        RefusedError: 422 for a cursor that this sandbox did not make.
    """
    matching = list(records)
    last_seen = _read_cursor(query.get("after"))
    rest = [record for record in matching if record.number > last_seen]
    page = rest[: query.get("first", DEFAULT_SIZE)]
    more = len(rest) > len(page)
    return {
        "items": [record.fields for record in page],
        "end_cursor": _write_cursor(page[-1].number) if more else None,
        "has_next_page": more,
        "total": len(matching),
    }


def _write_cursor(number: int) -> str:
    return base64.urlsafe_b64encode(f"after:{number}".encode()).decode()


def _read_cursor(cursor: str | None) -> int:
    if cursor is None:
        return 0
    try:
        number = int(base64.urlsafe_b64decode(cursor.encode()).decode().removeprefix("after:"))
        # The sandbox writes each cursor in one way only.
        if number > 0 and _write_cursor(number) == cursor:
            return number
    except ValueError:
        pass
    raise invalid((["query", "after"], "not a cursor of this list", "cursor"))
