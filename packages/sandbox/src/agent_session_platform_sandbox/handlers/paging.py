"""Cursor pagination over records in the order of creation."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from ..problems import invalid
from ..state import Record

DEFAULT_SIZE = 100


@attrs.frozen
class PageOfRecords:
    """One page of a list.

    Attributes:
        records: The records of the page.
        end_cursor: The cursor of the next page; None for the last page.
        total: Number of records of all pages.
    """

    records: list[Record]
    end_cursor: str | None
    total: int


def paginate(records: Iterable[Record], query: Mapping[str, Any]) -> dict[str, Any]:
    """Return one page in the paginated envelope.

    Args:
        records: All records of the list.
        query: `first`, the page size (default 100), and `after`, a cursor.

    Raises:
        RefusedError: 422 for a cursor that this sandbox did not make.
    """
    page = find_page(records, query.get("first", DEFAULT_SIZE), query.get("after"))
    return {
        "items": [record.fields for record in page.records],
        "end_cursor": page.end_cursor,
        "has_next_page": page.end_cursor is not None,
        "total": page.total,
    }


def find_page(
    records: Iterable[Record], size: int, cursor: object, place: tuple[str, str] = ("query", "after")
) -> PageOfRecords:
    """Return one page.

    A cursor names the last record of its page, so records that are added or deleted meanwhile do not shift the next.

    Args:
        records: All records of the list.
        size: Most records of a page.
        cursor: The cursor of the page; None for the first page.
        place: Location of the cursor in the request.

    Raises:
        RefusedError: 422 for a cursor that this sandbox did not make.
    """
    matching = list(records)
    last_seen = 0 if cursor is None else _read_cursor(cursor, place)
    rest = [record for record in matching if record.number > last_seen]
    page = rest[:size]
    return PageOfRecords(page, _write_cursor(page[-1].number) if len(rest) > len(page) else None, len(matching))


def _write_cursor(number: int) -> str:
    return base64.urlsafe_b64encode(f"after:{number}".encode()).decode()


def _read_cursor(cursor: object, place: tuple[str, str]) -> int:
    try:
        number = int(base64.urlsafe_b64decode(str(cursor).encode()).decode().removeprefix("after:"))
        # The sandbox writes each cursor in one way only.
        if number > 0 and _write_cursor(number) == cursor:
            return number
    except ValueError:
        pass
    raise invalid(([*place], "not a cursor of this list", "cursor"))
