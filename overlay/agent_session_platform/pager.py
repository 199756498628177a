"""Lists, page by page: nothing skipped, nothing repeated, and no endless loop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, Generic, NoReturn, TypeVar

from ._api import Operation, Page, Pager
from .catalogue import source_text
from .cursors import as_cursor
from .errors import AgentPlatformError, InvalidArgumentError, MissingFieldError, PagingError
from .page_walker import Fetched, PageWalker
from .request.arguments import check_argument
from .text import format_value

T = TypeVar("T")

# A longer cursor is in `AgentPlatformError.cursor` only, and not in the message.
LONGEST_QUOTED_CURSOR = 60

NO_PATH: Final[Mapping[str, Any]] = {}


class CursorPager(Pager[T], Generic[T]):
    """The items of a list, fetched page by page as they are consumed.

    The state of the latest iteration is in `cursor`, `total` and `exhausted`; every iteration begins at `after` again.

    Args:
        operation: The operation of the list.
        fetch: Fetches the page at a cursor; None is the first page.
        after: Cursor to begin at; None is the beginning.
        redact: Takes the credential out of a text of the server.
        path: The path arguments by name.
    """

    def __init__(
        self,
        operation: Operation,
        fetch: Callable[[str | None], Awaitable[Page[T]]],
        after: str | None,
        redact: Callable[[str], str] = str,
        path: Mapping[str, Any] = NO_PATH,
    ) -> None:
        self._operation = operation
        self._fetch = fetch
        self._after = after
        self._redact = redact
        self._path = path
        self._reset()

    def __repr__(self) -> str:
        return f"<Pager of {self._operation}, cursor={self._cursor!r}>"

    def __await__(self) -> NoReturn:
        raise TypeError(
            "a list is not awaited: use `async for item in pager`, or await pager.collect() or .first_page()"
        )

    def __iter__(self) -> NoReturn:
        raise TypeError("a list is fetched as it is read: use `async for item in pager`, or await pager.collect()")

    def resume(self, cursor: str | None) -> CursorPager[T]:
        """Return a pager of the same list that begins at *cursor*; None is the beginning of the list.

        Raises:
            InvalidArgumentError: The cursor cannot be sent.
        """
        for parameter in self._operation.parameters:
            if parameter.name == self._operation.cursor:
                check_argument(parameter, cursor)
        return CursorPager(self._operation, self._fetch, cursor, self._redact, self._path)

    @property
    def source(self) -> str:
        """The list that the items are of: the operation and its path arguments."""
        return source_text(self._operation, self._path)

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
            AgentPlatformError: A page could not be fetched. Its `cursor` is where to resume, as is that of the pager.
        """
        walker = self._walk()
        try:
            while (fetched := await self._next(walker)) is not None:
                page, items = fetched
                # The cursor moves before the last item: until then a resumed list must deliver this page again.
                for item in items[:-1]:
                    yield item
                self._delivered(page, walker)
                for item in items[-1:]:
                    yield item
        finally:
            await walker.aclose()

    async def pages(self) -> AsyncIterator[Page[T]]:
        """Iterate over the pages; the next one is fetched while one is consumed.

        Raises:
            PagingError: The list cannot be followed any further.
            AgentPlatformError: A page could not be fetched. Its `cursor` is where to resume, as is that of the pager.
        """
        walker = self._walk()
        try:
            while (fetched := await self._next(walker)) is not None:
                self._delivered(fetched[0], walker)
                yield fetched[0]
        finally:
            await walker.aclose()

    async def first_page(self) -> Page[T]:
        """Fetch only the first page."""
        walker = self._walk(lambda _: False)
        fetched = await self._next(walker)
        assert fetched is not None, "a new walker has a first page"
        self._delivered(fetched[0], walker)
        return fetched[0]

    async def collect(self, *, limit: int | None = None) -> list[T]:
        """Return the items as a list; no page is fetched that is not needed for them.

        Args:
            limit: How many items at most; at least 0, None for all. When it cuts a page, `cursor` stays before that
                page, so that resuming delivers it again and skips nothing.

        Raises:
            InvalidArgumentError: `limit` is out of range.
            PagingError: The list cannot be followed any further.
            AgentPlatformError: A page could not be fetched. Its `cursor`, and that of the pager, is where this call
                began, because nothing was delivered; only pages without items are behind it.
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
                    self._delivered(page, walker)
                collected += items[:room]
                if done:
                    break
        except BaseException as error:
            self._failed(error, self._after if collected else walker.cursor)
            raise
        finally:
            await walker.aclose()
        return collected

    def _walk(self, prefetch: Callable[[Sequence[T]], bool] = lambda _: True) -> PageWalker[T]:
        self._reset()
        return PageWalker(self._operation, self._fetch_checked, self._after, prefetch, self._redact)

    async def _next(self, walker: PageWalker[T]) -> Fetched[T] | None:
        """Return the walker's next page; an error gets the cursor to resume from."""
        try:
            return await walker.next()
        except AgentPlatformError as error:
            self._failed(error, walker.cursor)
            raise

    def _failed(self, error: BaseException, cursor: str | None) -> None:
        """Note where to resume, in the pager and in the error."""
        self._cursor, self._exhausted = cursor, False
        # What the caller passed cannot be resumed from.
        if not isinstance(error, AgentPlatformError) or isinstance(error, InvalidArgumentError):
            return
        error.cursor = cursor
        if cursor is not None and len(cursor) <= LONGEST_QUOTED_CURSOR and self._redact(cursor) == cursor:
            error.because(f"resume with after={cursor!r}")

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

    def _delivered(self, page: Page[T], walker: PageWalker[T]) -> None:
        self._total = page.total
        self._exhausted = walker.ended
        self._cursor = as_cursor(page.end_cursor) if walker.ended else walker.cursor
