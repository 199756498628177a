"""One iteration over a list: from page to page, with bounds for a server that leads nowhere."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from ._api import Operation, Page
from .cursors import CursorHistory, InvalidCursorError, next_cursor
from .errors import InvalidArgumentError, PagingError
from .text import truncate

T = TypeVar("T")

# Wait this long after starting the next fetch, so that its request is sent even if the consumer never awaits. It costs
# nothing if the response takes longer than this.
HEAD_START_SECONDS = 0.002

# So many pages without items may follow each other. A server that filters after paging sends some.
MAX_EMPTY_PAGES = 100

# A page with its `page.items`, which are converted at each access: they are read and checked once.
Fetched: TypeAlias = "tuple[Page[T], Sequence[T]]"


class PageWalker(Generic[T]):
    """One iteration over a list: follows the cursors, and fetches the next page ahead if *prefetch* returns True.

    Args:
        operation: The operation of the list.
        fetch: Fetches the page at a cursor, and its items.
        after: Cursor to begin at; None is the beginning.
        prefetch: Whether the page after one with these items will be needed.
        redact: Takes the credential out of a text of the server.

    Attributes:
        cursor: Where to resume: all pages before it were returned.
        ended: Whether the last page was returned.
    """

    def __init__(
        self,
        operation: Operation,
        fetch: Callable[[str | None], Coroutine[Any, Any, Fetched[T]]],
        after: str | None,
        prefetch: Callable[[Sequence[T]], bool],
        redact: Callable[[str], str],
    ) -> None:
        self.cursor = after
        self.ended = False
        self._operation = operation
        self._fetch = fetch
        self._prefetch = prefetch
        self._redact = redact
        self._seen = CursorHistory()
        self._seen.add(after)
        # The cursor before the server's latest one; None before there is one of the server's.
        self._last_good: tuple[str | None] | None = None
        self._empty_pages = 0
        self._upcoming: asyncio.Task[Fetched[T]] | None = None
        self._why_stopped: str | None = None

    async def next(self) -> Fetched[T] | None:
        """Return the next page and its items, or None after the last.

        Raises:
            PagingError: The cursor cannot be followed, or too many pages were empty.
            AgentPlatformError: The page could not be fetched; `cursor` is where to resume.
        """
        if self._why_stopped is not None:
            raise PagingError(self._why_stopped, operation=self._operation, cursor=self.cursor)
        if self.ended:
            return None
        upcoming, self._upcoming = self._upcoming, None
        try:
            page, items = await (upcoming or self._fetch(self.cursor))
        except InvalidArgumentError as error:
            if self._last_good is None:
                raise
            # The same arguments were sent for the page before: only the server's cursor is new.
            reason = truncate(self._redact(str(error).removeprefix(f"{self._operation}: ")))
            length, (self.cursor,) = len(self.cursor or ""), self._last_good
            raise PagingError(
                f"the server's end_cursor of {length} characters cannot be sent: {reason}",
                operation=self._operation,
                cursor=self.cursor,
            ) from None
        self._advance(page, items)
        if self._upcoming is not None:
            await asyncio.wait((self._upcoming,), timeout=HEAD_START_SECONDS)
        return page, items

    def _advance(self, page: Page[T], items: Sequence[T]) -> None:
        """Move behind a page; what stops the iteration is raised with the next step, after the items of this page."""
        try:
            following = next_cursor(page, self._redact)
        except InvalidCursorError as error:
            self._why_stopped = str(error)
            return
        if following is None:
            self.ended = True
            return
        self._last_good, self.cursor = (self.cursor,), following
        self._empty_pages = 0 if items else self._empty_pages + 1
        if following in self._seen:
            quoted = truncate(self._redact(following))
            self._why_stopped = f"has_next_page is true, but end_cursor did not advance from {quoted!r}"
        elif self._empty_pages >= MAX_EMPTY_PAGES:
            self._why_stopped = f"{MAX_EMPTY_PAGES} pages in a row have no items, and has_next_page is still true"
        elif self._prefetch(items):
            self._upcoming = asyncio.ensure_future(self._fetch(following))
            # A walker may be dropped without being closed: then its error is not needed.
            self._upcoming.add_done_callback(lambda task: task.cancelled() or task.exception())
        self._seen.add(following)

    async def aclose(self) -> None:
        """Cancel the fetch under way."""
        upcoming, self._upcoming = self._upcoming, None
        if upcoming is not None:
            upcoming.cancel()
            await asyncio.wait((upcoming,))
