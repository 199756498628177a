"""Lists, page by page: nothing skipped, nothing repeated, and no endless loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Generic, NoReturn, TypeVar

from ._api import Operation, Page
from .errors import InvalidArgumentError, PagingError

T = TypeVar("T")


class CursorPager(Generic[T]):
    """The items of a list, fetched page by page as they are consumed.

    *fetch* gets one page by its cursor (None: the first one). The state of the latest iteration is in `cursor`, `total`
    and `exhausted`; every iteration begins at *after* again.
    """

    def __init__(
        self, operation: Operation, fetch: Callable[[str | None], Awaitable[Page[T]]], after: str | None
    ) -> None:
        self._operation = operation
        self._fetch = fetch
        self._after = after
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
        async with aclosing(self._walk(prefetch=lambda _: True)) as pages:
            async for page, items in pages:
                # The cursor moves before the last item: up to then a resumed list must show this page again.
                for item in items[:-1]:
                    yield item
                self._delivered(page)
                for item in items[-1:]:
                    yield item

    async def pages(self) -> AsyncIterator[Page[T]]:
        """Iterate over the pages; the next one is fetched while one is consumed."""
        async with aclosing(self._walk(prefetch=lambda _: True)) as pages:
            async for page, _ in pages:
                self._delivered(page)
                yield page

    async def first_page(self) -> Page[T]:
        """Fetch only the first page."""
        self._begin()
        page, _ = await self._fetch_checked(self._after)
        self._delivered(page)
        return page

    async def collect(self, *, limit: int | None = None) -> list[T]:
        """Gather the items in a list, *limit* at most; no page is fetched that is not needed for them.

        When *limit* cuts a page, `cursor` stays before it, so that resuming shows it again and skips nothing.
        """
        if limit is not None and limit < 0:
            raise InvalidArgumentError(f"limit must not be negative, and is {limit}")
        collected: list[T] = []
        if limit == 0:
            return collected

        def more_wanted(items: Sequence[T]) -> bool:
            return limit is None or len(collected) + len(items) < limit

        async with aclosing(self._walk(prefetch=more_wanted)) as pages:
            async for page, items in pages:
                done = not more_wanted(items)
                room = None if limit is None else limit - len(collected)
                if room is None or len(items) <= room:
                    self._delivered(page)
                collected += items[:room]
                if done:
                    break
        return collected

    async def _walk(self, prefetch: Callable[[Sequence[T]], bool]) -> AsyncGenerator[tuple[Page[T], Sequence[T]]]:
        """Follow the cursors; the next page is fetched meanwhile where *prefetch* says so, and else when asked for."""
        self._begin()
        cursor = self._after
        seen = {cursor}
        upcoming: asyncio.Task[tuple[Page[T], Sequence[T]]] | None = None
        try:
            while True:
                page, items = await (upcoming or self._fetch_checked(cursor))
                upcoming = None
                following = following_cursor(page)
                stuck = page.has_next_page and (following is None or following in seen)
                if following is not None and not stuck and prefetch(items):
                    upcoming = asyncio.ensure_future(self._fetch_checked(following))
                # Also of a page from which there is no way on: what came is delivered first.
                yield page, items
                if stuck:
                    raise PagingError(stuck_because(following), operation=self._operation, cursor=self._cursor)
                if following is None:
                    return
                cursor = following
                seen.add(cursor)
        finally:
            if upcoming is not None:
                await discard(upcoming)

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
        if self._exhausted or page.end_cursor is not None:
            self._cursor = page.end_cursor


def following_cursor(page: Page[T]) -> str | None:
    """The cursor of the next page; None when there is none. A number is taken as the text it is."""
    return str(page.end_cursor) if page.has_next_page and page.end_cursor is not None else None


def stuck_because(following: str | None) -> str:
    """Say why there is no way on from a page that claims a next one."""
    if following is None:
        return "has_next_page is true, but there is no end_cursor"
    return f"has_next_page is true, but end_cursor did not advance from {following!r}"


async def discard(task: asyncio.Task[T]) -> None:
    """Cancel *task* and wait for its end; its error is nobody's any more."""
    task.cancel()
    await asyncio.wait((task,))
    if not task.cancelled():
        task.exception()
