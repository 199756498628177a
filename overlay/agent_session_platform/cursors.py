"""The cursors of a list: which can be followed, and which were followed before."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import attrs

from ._api import Page
from .text import format_value

# httpx refuses a longer URL, and no server is known that accepts one.
LONGEST_CURSOR = 65_536

# How many cursors are remembered at least, and as many of which only every 32nd is: these go back 131,072 pages.
REMEMBERED = 4096
SPARSE = 32


@attrs.define
class RecentCursors:
    """The hashes of the latest cursors, or of every so many-th: at least REMEMBERED of them, at most twice as many."""

    every: int
    _count: int = 0
    _new: set[int] = attrs.Factory(set[int])
    _old: set[int] = attrs.Factory(set[int])

    def add(self, cursor_hash: int) -> None:
        """Remember a hash; the oldest are forgotten."""
        self._count += 1
        if self._count % self.every:
            return
        if len(self._new) >= REMEMBERED:
            self._old, self._new = self._new, set()
        self._new.add(cursor_hash)

    def __contains__(self, cursor_hash: object) -> bool:
        return cursor_hash in self._new or cursor_hash in self._old


class CursorHistory:
    """The cursors that were followed, in constant memory.

    A cycle of up to 4,096 pages is found when its first cursor comes again, one of up to 131,072 pages at most 32 pages
    later.
    """

    def __init__(self) -> None:
        self._recent = (RecentCursors(1), RecentCursors(SPARSE))

    def add(self, cursor: str | None) -> None:
        """Remember a cursor; None is the beginning of the list."""
        for recent in self._recent:
            recent.add(hash(cursor))

    def __contains__(self, cursor: str | None) -> bool:
        return any(hash(cursor) in recent for recent in self._recent)


class InvalidCursorError(Exception):
    """The server's cursor cannot be followed; never leaves the pager."""


def as_cursor(value: object) -> str | None:
    """Return a cursor as it is sent: text, or a number as text; anything else becomes None."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    try:
        text = str(value)
    except ValueError:
        # Python does not write out integers of thousands of digits.
        return None
    return text if len(text) <= LONGEST_CURSOR else None


def next_cursor(page: Page[Any], redact: Callable[[str], str] = str) -> str | None:
    """Return the cursor of the page after *page*; None if it is the last one.

    Of `has_next_page`, true and 1 mean that there is another page; false, null, 0 and what is empty that there is none.

    Args:
        page: The page.
        redact: Takes the credential out of a text of the server.

    Raises:
        InvalidCursorError: `has_next_page` has another value, or `end_cursor` cannot be sent.
    """
    more: Any = page.has_next_page
    if not more:
        return None
    if more is not True and more != 1:
        raise InvalidCursorError(f"has_next_page is neither true nor false: {redact(format_value(more))}")
    value: Any = page.end_cursor
    cursor = as_cursor(value)
    if cursor is not None:
        return cursor
    if value is None:
        raise InvalidCursorError("has_next_page is true, but there is no end_cursor")
    if isinstance(value, str):
        raise InvalidCursorError(f"the server's end_cursor of {len(value)} characters is too long to be sent")
    raise InvalidCursorError(f"has_next_page is true, but end_cursor is not text: {redact(format_value(value))}")
