"""Lists, page by page: nothing skipped, nothing repeated, and no endless loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

from ._api import Operation, Page, Pager
from .errors import InvalidArgumentError, MissingFieldError, PagingError
from .text import format_value, truncate

T = TypeVar("T")

# Wait this long after starting the next fetch, so that its request is sent even if the consumer never awaits. It costs
# nothing if the response takes longer than this.
HEAD_START_SECONDS = 0.002

# A page with its `page.items`, which are converted at each access: they are read and checked once.
Fetched: TypeAlias = "tuple[Page[T], Sequence[T]]"


class CursorPager(Pager[T], Generic[T]):
    """The items of a list, fetched page by page as they are consumed.

    The state of the latest iteration is in `cursor`, `total` and `exhausted`; every iteration begins at `after` again.

    Args:
        operation: The operation of the list.
        fetch: Fetches the page at a cursor; None is the first page.
        after: Cursor to begin at; None is the beginning.
        redact: Takes the credential out of a text of the server.
    """

    def __init__(
        self,
        operation: Operation,
        fetch: Callable[[str | None], Awaitable[Page[T]]],
        after: str | None,
        redact: Callable[[str], str] = str,
    ) -> None:
        self._operation = operation
        self._fetch = fetch
        self._after = after
        self._redact = redact
        self._reset()

    def __repr__(self) -> str:
        return f"<Pager of {self._operation}, cursor={self._cursor!r}>"

    def __await__(self) -> NoReturn:
        raise TypeError(
            "a list is not awaited: use `async for item in pager`, or await pager.collect() or .first_page()"
        )

    def __iter__(self) -> NoReturn:
        raise TypeError("a list is fetched as it is read: use `async for item in pager`, or await pager.collect()")

    @property
    def cursor(self) -> str | None:
        """Where to resume (`after=`): after the last page of which everything was delivered.

        None is the beginning, or when `exhausted` the end of the list.
        """
        return self._cursor

    @property
    def total(self) -> int | None:
        """The total count from the latest page; None if the server did not send it."""
        return self._total

    @property
    def exhausted(self) -> bool:
        """True if the latest iteration has delivered the last page."""
        return self._exhausted

    async def __aiter__(self) -> AsyncIterator[T]:
        """Iterate over the items of all pages.

        Raises:
            PagingError: The list cannot be followed any further.
            AgentPlatformError: A page could not be fetched; `cursor` is where to resume.
        """
        walker = self._walk()
        try:
            while (fetched := await walker.next()) is not None:
                page, items = fetched
                # The cursor moves before the last item: until then a resumed list must deliver this page again.
                for item in items[:-1]:
                    yield item
                self._delivered(page)
                for item in items[-1:]:
                    yield item
        finally:
            await walker.aclose()

    async def pages(self) -> AsyncIterator[Page[T]]:
        """Iterate over the pages; the next one is fetched while one is consumed."""
        walker = self._walk()
        try:
            while (fetched := await walker.next()) is not None:
                self._delivered(fetched[0])
                yield fetched[0]
        finally:
            await walker.aclose()

    async def first_page(self) -> Page[T]:
        """Fetch only the first page."""
        self._reset()
        page, _ = await self._fetch_checked(self._after)
        self._delivered(page)
        return page

    async def collect(self, *, limit: int | None = None) -> list[T]:
        """Return the items as a list; no page is fetched that is not needed for them.

        Args:
            limit: How many items at most; at least 0, None for all. When it cuts a page, `cursor` stays before that
                page, so that resuming delivers it again and skips nothing.

        Raises:
            InvalidArgumentError: `limit` is out of range.
            AgentPlatformError: A page could not be fetched; `cursor` is where this call began, because nothing was
                delivered.
        """
        if limit is not None and (not isinstance(limit, int) or limit < 0):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"limit must be a whole number that is not negative, not {format_value(limit)}")
        collected: list[T] = []
        if limit == 0:
            return collected

        def more_wanted(items: Sequence[T]) -> bool:
            return limit is None or len(collected) + len(items) < limit

        walker = self._walk(more_wanted)
        try:
            while (fetched := await walker.next()) is not None:
                page, items = fetched
                done = not more_wanted(items)
                room = None if limit is None else limit - len(collected)
                if room is None or len(items) <= room:
                    self._delivered(page)
                collected += items[:room]
                if done:
                    break
        except BaseException:
            self._reset()
            raise
        finally:
            await walker.aclose()
        return collected

    def _walk(self, prefetch: Callable[[Sequence[T]], bool] = lambda _: True) -> PageWalker[T]:
        self._reset()
        return PageWalker(self._operation, self._fetch_checked, self._after, prefetch, self._redact)

    async def _fetch_checked(self, cursor: str | None) -> Fetched[T]:
        page = await self._fetch(cursor)
        try:
            items = page.items
        except MissingFieldError:
            items = ()
        if not isinstance(items, list):
            raise PagingError("a page came without an array of items", operation=self._operation, cursor=cursor)
        return page, items

    def _reset(self) -> None:
        self._cursor = self._after
        self._total: int | None = None
        self._exhausted = False

    def _delivered(self, page: Page[T]) -> None:
        self._total = page.total
        self._exhausted = not page.has_next_page
        cursor = as_cursor(page.end_cursor)
        if self._exhausted or cursor is not None:
            self._cursor = cursor


class PageWalker(Generic[T]):
    """One iteration over a list: follows the cursors, and fetches the next page ahead if *prefetch* returns True."""

    def __init__(
        self,
        operation: Operation,
        fetch: Callable[[str | None], Coroutine[Any, Any, Fetched[T]]],
        after: str | None,
        prefetch: Callable[[Sequence[T]], bool],
        redact: Callable[[str], str],
    ) -> None:
        self._operation = operation
        self._fetch = fetch
        self._prefetch = prefetch
        self._redact = redact
        self._cursor = after
        self._seen = {after}
        self._upcoming: asyncio.Task[Fetched[T]] | None = None
        self._cursor_error: str | None = None
        self._ended = False

    async def next(self) -> Fetched[T] | None:
        """Return the next page and its items, or None after the last; raise PagingError if the cursor is invalid."""
        if self._cursor_error is not None:
            raise PagingError(self._cursor_error, operation=self._operation, cursor=self._cursor)
        if self._ended:
            return None
        upcoming, self._upcoming = self._upcoming, None
        page, items = await (upcoming or self._fetch(self._cursor))
        following = as_cursor(page.end_cursor) if page.has_next_page else None
        if page.has_next_page and (following is None or following in self._seen):
            # Raised with the next step, so that the items of this page are delivered first.
            self._cursor_error = describe_invalid_cursor(page, following, self._redact)
            self._cursor = following or self._cursor
        elif following is None:
            self._ended = True
        else:
            self._cursor = following
            self._seen.add(following)
            if self._prefetch(items):
                self._upcoming = asyncio.ensure_future(self._fetch(following))
                # A walker may be dropped without being closed: then its error is not needed.
                self._upcoming.add_done_callback(lambda task: task.cancelled() or task.exception())
                await asyncio.wait((self._upcoming,), timeout=HEAD_START_SECONDS)
        return page, items

    async def aclose(self) -> None:
        """Cancel the fetch under way."""
        upcoming, self._upcoming = self._upcoming, None
        if upcoming is not None:
            upcoming.cancel()
            await asyncio.wait((upcoming,))


def as_cursor(value: object) -> str | None:
    """Return a cursor as it is sent: text, or a number as text; anything else becomes None."""
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def describe_invalid_cursor(page: Page[T], following: str | None, redact: Callable[[str], str]) -> str:
    """Describe why the next page cannot be requested.

    Args:
        page: The page, whose has_next_page is true.
        following: Its end_cursor, which was requested before; None if it is missing or not a cursor.
        redact: Takes the credential out of a text of the server.
    """
    if following is not None:
        return f"has_next_page is true, but end_cursor did not advance from {truncate(redact(following))!r}"
    if page.end_cursor is not None:
        return f"has_next_page is true, but end_cursor is not text: {redact(format_value(page.end_cursor))}"
    return "has_next_page is true, but there is no end_cursor"
