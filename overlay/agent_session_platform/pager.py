"""Lists, page by page: nothing skipped, nothing repeated, and no endless loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

from ._api import Operation, Page
from .errors import InvalidArgumentError, PagingError
from .text import excerpt, shown

T = TypeVar("T")

# So many turns of the loop are enough for a request on a connection that stands: httpx and anyio take six.
HEAD_START = 8

Step: TypeAlias = "tuple[Page[T], Sequence[T]]"


class CursorPager(Generic[T]):
    """The items of a list, fetched page by page as they are consumed.

    *fetch* gets one page by its cursor (None: the first one); *redact* takes the credential out of messages. The state
    of the latest iteration is in `cursor`, `total` and `exhausted`; every iteration begins at *after* again.
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
        self._cursor = after
        self._total: int | None = None
        self._exhausted = False

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
        """Where to resume (`after=`): behind the last page of which everything was delivered.

        None stands for the beginning, and when `exhausted` for a list that has nothing more.
        """
        return self._cursor

    @property
    def total(self) -> int | None:
        """Total count as told by the latest page; None when not told."""
        return self._total

    @property
    def exhausted(self) -> bool:
        """Whether the latest iteration delivered the last page."""
        return self._exhausted

    async def __aiter__(self) -> AsyncIterator[T]:
        """Iterate over the items of all pages; raises PagingError, and whatever fetching a page raises."""
        walk = self._walk()
        try:
            while (step := await walk.next()) is not None:
                page, items = step
                # The cursor moves before the last item: up to then a resumed list must show this page again.
                for item in items[:-1]:
                    yield item
                self._delivered(page)
                for item in items[-1:]:
                    yield item
        finally:
            await walk.aclose()

    async def pages(self) -> AsyncIterator[Page[T]]:
        """Iterate over the pages; the next one is fetched while one is consumed."""
        walk = self._walk()
        try:
            while (step := await walk.next()) is not None:
                self._delivered(step[0])
                yield step[0]
        finally:
            await walk.aclose()

    async def first_page(self) -> Page[T]:
        """Fetch only the first page."""
        self._begin()
        page, _ = await self._fetch_checked(self._after)
        self._delivered(page)
        return page

    async def collect(self, *, limit: int | None = None) -> list[T]:
        """Gather the items in a list, *limit* at most; no page is fetched that is not needed for them.

        When *limit* cuts a page, `cursor` stays before it, so that resuming shows it again and skips nothing. After an
        error it is where this call began, because nothing was delivered.
        """
        if limit is not None and (not isinstance(limit, int) or limit < 0):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"limit must be a whole number that is not negative, not {limit!r}")
        collected: list[T] = []
        if limit == 0:
            return collected

        def more_wanted(items: Sequence[T]) -> bool:
            return limit is None or len(collected) + len(items) < limit

        walk = self._walk(more_wanted)
        try:
            while (step := await walk.next()) is not None:
                page, items = step
                done = not more_wanted(items)
                room = None if limit is None else limit - len(collected)
                if room is None or len(items) <= room:
                    self._delivered(page)
                collected += items[:room]
                if done:
                    break
        except BaseException:
            self._begin()
            raise
        finally:
            await walk.aclose()
        return collected

    def _walk(self, prefetch: Callable[[Sequence[T]], bool] = lambda _: True) -> Walk[T]:
        self._begin()
        return Walk(self._operation, self._fetch_checked, self._after, prefetch, self._redact)

    async def _fetch_checked(self, cursor: str | None) -> tuple[Page[T], Sequence[T]]:
        page = await self._fetch(cursor)
        items = page.items
        if not isinstance(items, list):
            raise PagingError("a page came without an array of items", operation=self._operation, cursor=cursor)
        return page, items

    def _begin(self) -> None:
        self._cursor = self._after
        self._total = None
        self._exhausted = False

    def _delivered(self, page: Page[T]) -> None:
        self._total = page.total
        self._exhausted = not page.has_next_page
        cursor = as_cursor(page.end_cursor)
        if self._exhausted or cursor is not None:
            self._cursor = cursor


class Walk(Generic[T]):
    """One way through a list: follows the cursors, and fetches the next page meanwhile where *prefetch* says so."""

    def __init__(
        self,
        operation: Operation,
        fetch: Callable[[str | None], Coroutine[Any, Any, Step[T]]],
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
        self._upcoming: asyncio.Task[Step[T]] | None = None
        self._stuck: str | None = None
        self._ended = False

    async def next(self) -> Step[T] | None:
        """The next page and its items, or None behind the last; raises PagingError where there is no way on."""
        if self._stuck is not None:
            raise PagingError(self._stuck, operation=self._operation, cursor=self._cursor)
        if self._ended:
            return None
        upcoming, self._upcoming = self._upcoming, None
        page, items = await (upcoming or self._fetch(self._cursor))
        following = as_cursor(page.end_cursor) if page.has_next_page else None
        if page.has_next_page and (following is None or following in self._seen):
            # Raised with the next step: what came is delivered first.
            self._stuck = stuck_because(page, following, self._redact)
            self._cursor = following or self._cursor
        elif following is None:
            self._ended = True
        else:
            self._cursor = following
            self._seen.add(following)
            if self._prefetch(items):
                self._upcoming = asyncio.ensure_future(self._fetch(following))
                # Of a walk that is dropped and never closed, its error is nobody's.
                self._upcoming.add_done_callback(lambda task: task.cancelled() or task.exception())
                await self._head_start(self._upcoming)
        return page, items

    async def _head_start(self, fetch: asyncio.Task[Step[T]]) -> None:
        """Let the request get out before the items are delivered: who works on them may never let the loop turn."""
        for _ in range(HEAD_START):
            if not fetch.done():
                await asyncio.sleep(0)

    async def aclose(self) -> None:
        """Cancel the fetch under way."""
        upcoming, self._upcoming = self._upcoming, None
        if upcoming is not None:
            upcoming.cancel()
            await asyncio.wait((upcoming,))


def as_cursor(value: object) -> str | None:
    """A cursor as it is sent; a number is taken as the text it is, and what is neither is none: nobody has said it."""
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def stuck_because(page: Page[T], following: str | None, redact: Callable[[str], str]) -> str:
    """Say why there is no way on from a page that claims a next one."""
    if following is not None:
        return f"has_next_page is true, but end_cursor did not advance from {excerpt(redact(following))!r}"
    if page.end_cursor is not None:
        return f"has_next_page is true, but end_cursor is no text: {redact(shown(page.end_cursor))}"
    return "has_next_page is true, but there is no end_cursor"
