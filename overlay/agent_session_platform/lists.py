"""Lists, page by page: nothing skipped, nothing repeated, and no endless loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Generator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

from ._api import Operation, Page, Pager
from .catalogue import source_text
from .errors import AgentPlatformError, InvalidArgumentError, PagingError
from .request.arguments import check_argument
from .text import format_value, truncate

T = TypeVar("T")

# A cursor longer than this is only in `AgentPlatformError.cursor`, and not in the message.
MAX_QUOTED_CURSOR = 60

# How many pages without items may follow each other. A server that filters after paging sends some.
MAX_EMPTY_PAGES = 100

# How many cursors are remembered, to notice that a list runs in a circle. A longer circle is not noticed.
MAX_REMEMBERED_CURSORS = 65_536

# Wait this long after starting the next fetch, so that its request is sent even if the consumer never awaits. The wait
# costs nothing if the response takes longer than this.
HEAD_START_SECONDS = 0.002


class Fetched(NamedTuple, Generic[T]):
    """A page as it was fetched.

    Attributes:
        page: The page.
        items: The items of the page.
    """

    page: Page[T]
    items: Sequence[T]


class Step(NamedTuple, Generic[T]):
    """One step of an iteration: a page, and where to resume after it.

    Attributes:
        page: The page.
        items: The items of the page.
        cursor: Where to resume after this page; None after the last page, unless the server gave a cursor.
        ended: Whether it is the last page.
    """

    page: Page[T]
    items: Sequence[T]
    cursor: str | None
    ended: bool


class FetchAhead(Generic[T]):
    """The fetch of the next page, which does not outlive the iteration.

    This is not a generator, because the generators of a dropped iteration may be closed in any order, even together.
    """

    def __init__(self) -> None:
        self._task: asyncio.Task[Fetched[T]] | None = None

    async def __aenter__(self) -> FetchAhead[T]:
        return self

    async def start(self, fetch: Coroutine[Any, Any, Fetched[T]]) -> None:
        """Start the fetch of the next page, and let it send its request."""
        self._task = asyncio.create_task(fetch)
        self._task.add_done_callback(retrieve_error)
        await asyncio.wait((self._task,), timeout=HEAD_START_SECONDS)

    def take(self) -> asyncio.Task[Fetched[T]] | None:
        """Return the running fetch, which the caller then awaits: a task that is kept would keep its error."""
        task, self._task = self._task, None
        return task

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))


def retrieve_error(task: asyncio.Task[Any]) -> None:
    """Take the error of a task that nobody may await, so that asyncio does not log it: its iteration was dropped."""
    if not task.cancelled():
        task.exception()


class CursorTrail:
    """The cursors of one iteration, by which a list that would never end is noticed.

    Args:
        cursor: Where the iteration begins; None is the beginning of the list.
        redact: Takes the credential out of a text of the server.
    """

    def __init__(self, cursor: str | None, redact: Callable[[str], str]) -> None:
        self._redact = redact
        # Hashes are remembered, because a cursor may be long.
        self._seen = {hash(cursor)}
        self._empty_pages = 0

    def why_stuck(self, page: Page[Any], items: Sequence[Any], cursor: str | None) -> str | None:
        """Return why the list cannot be followed after a page; None if it can.

        Args:
            page: A page that says that there are more.
            items: The items of the page.
            cursor: The cursor of the next page.
        """
        if cursor is None:
            return f"has_next_page is true, but there is no end_cursor: {format_value(page.end_cursor)}"
        if hash(cursor) in self._seen:
            quoted = truncate(self._redact(cursor))
            return f"has_next_page is true, but end_cursor did not advance from {quoted!r}"
        if len(self._seen) >= MAX_REMEMBERED_CURSORS:
            self._seen.clear()
        self._seen.add(hash(cursor))
        if items:
            self._empty_pages = 0
            return None
        self._empty_pages += 1
        if self._empty_pages < MAX_EMPTY_PAGES:
            return None
        return f"{MAX_EMPTY_PAGES} pages in a row have no items, and has_next_page is still true"


class CursorPager(Pager[T], Generic[T]):
    """The items of a list, fetched page by page as they are consumed.

    The state of the latest iteration is in `cursor`, `total` and `exhausted`; every iteration begins at `after` again.

    Args:
        operation: The operation of the list.
        fetch: Fetches the page at a cursor; None is the first page.
        after: Cursor to begin at; None is the beginning.
        redact: Takes the credential out of a text of the server.
        path: The path arguments by name.
        base_url: The address of the server.
    """

    def __init__(
        self,
        operation: Operation,
        fetch: Callable[[str | None], Awaitable[Page[T]]],
        after: str | None,
        redact: Callable[[str], str],
        path: Mapping[str, Any],
        base_url: str,
    ) -> None:
        self._operation = operation
        self._fetch = fetch
        self._after = after
        self._redact = redact
        self._path = path
        self._base_url = base_url
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

    def resume(self, cursor: str | None) -> CursorPager[T]:
        """Return a pager of the same list that begins at *cursor*; None is the beginning of the list.

        Raises:
            InvalidArgumentError: The cursor cannot be sent.
        """
        for parameter in self._operation.parameters:
            if parameter.name == self._operation.cursor:
                value: str | int | None = cursor
                if parameter.kind == "integer" and cursor and cursor.isdecimal():
                    value = int(cursor)
                check_argument(parameter, value)
        return CursorPager(self._operation, self._fetch, cursor, self._redact, self._path, self._base_url)

    @property
    def source(self) -> str:
        """The list that the items come from: the operation and its path arguments."""
        return source_text(self._operation, self._path)

    @property
    def base_url(self) -> str:
        """The address of the server that the list comes from, without a slash at its end."""
        return self._base_url

    @property
    def cursor(self) -> str | None:
        """Where to resume (`after=`): after the last page that was delivered in full.

        None is the beginning of the list, or its end if `exhausted` is True.
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
            AgentPlatformError: A page could not be fetched. Resume at the `cursor` of the error or of the pager.
        """
        with self._errors_with_cursor():
            async with FetchAhead[T]() as ahead:
                async for step in self._walk(ahead):
                    # The cursor moves just before the last item is delivered: until then a resumed list must deliver
                    # this page again.
                    for item in step.items[:-1]:
                        yield item
                    self._deliver(step)
                    for item in step.items[-1:]:
                        yield item

    async def pages(self) -> AsyncGenerator[Page[T]]:
        """Iterate over the pages; the next page is fetched while the current page is consumed.

        Raises:
            PagingError: The list cannot be followed any further.
            AgentPlatformError: A page could not be fetched. Resume at the `cursor` of the error or of the pager.
        """
        with self._errors_with_cursor():
            async with FetchAhead[T]() as ahead:
                async for step in self._walk(ahead):
                    self._deliver(step)
                    yield step.page

    async def first_page(self) -> Page[T]:
        """Fetch only the first page."""
        with self._errors_with_cursor():
            async with aclosing(self._walk()) as steps:
                step = await anext(steps)
        self._deliver(step)
        return step.page

    async def collect(self, *, limit: int | None = None) -> list[T]:
        """Return the items as a list; fetch only the pages that are needed.

        Args:
            limit: The greatest number of items, at least 0; None for all items. If the limit ends within a page,
                `cursor` stays before that page, so that resuming delivers the page again and skips nothing.

        Raises:
            InvalidArgumentError: `limit` is out of range.
            PagingError: The list cannot be followed any further.
            AgentPlatformError: A page could not be fetched. Nothing was delivered, so the `cursor` of the error and of
                the pager is where this call began. Only pages without items are skipped.
        """
        if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 0):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"limit must be a whole number that is not negative, not {format_value(limit)}")
        collected: list[T] = []
        if limit == 0:
            return collected
        with self._errors_with_cursor():
            try:
                async with aclosing(self._walk()) as steps:
                    async for step in steps:
                        collected += step.items
                        if limit is None or len(collected) <= limit:
                            self._deliver(step)
                        if limit is not None and len(collected) >= limit:
                            break
            except BaseException as error:
                # The caller gets the error and no items, so nothing counts as delivered.
                self._exhausted = False
                if collected:
                    self._cursor = self._after
                    if isinstance(error, AgentPlatformError):
                        error.cursor = self._after
                raise
        return collected[:limit]

    async def _walk(self, ahead: FetchAhead[T] | None = None) -> AsyncGenerator[Step[T]]:
        """Yield the pages in order.

        Args:
            ahead: Fetches the next page while the current one is consumed; None fetches each page when it is needed.
        """
        self._cursor, self._total, self._exhausted = self._after, None, False
        cursor = self._after
        trail = CursorTrail(cursor, self._redact)
        while True:
            started = ahead and ahead.take()
            page, items = await (started or self._fetch_items(cursor))
            following = next_cursor(page)
            if not page.has_next_page:
                yield Step(page, items, following, True)
                return
            stuck = trail.why_stuck(page, items, following)
            if following is not None:
                cursor = following
            if ahead and stuck is None:
                await ahead.start(self._fetch_items(cursor))
            yield Step(page, items, cursor, False)
            # Raise the error only now: the items of this page were delivered.
            if stuck is not None:
                raise PagingError(stuck, operation=self._operation, cursor=cursor)

    async def _fetch_items(self, cursor: str | None) -> Fetched[T]:
        """Fetch a page, and check that it has items; an error has the cursor of the page."""
        try:
            page = await self._fetch(cursor)
        except InvalidArgumentError as error:
            error.cursor = cursor
            if cursor == self._after:
                raise
            # The server has chosen this cursor, and not the caller.
            reason = f"the server's cursor cannot be sent: {error.message}"
            raise PagingError(reason, operation=self._operation, cursor=cursor) from error
        except AgentPlatformError as error:
            error.cursor = cursor
            raise
        # A MissingFieldError is an AttributeError.
        items: Sequence[T] | None = getattr(page, "items", None)
        if not isinstance(items, list):
            raise PagingError("a page came without an array of items", operation=self._operation, cursor=cursor)
        return Fetched(page, items)

    @contextmanager
    def _errors_with_cursor(self) -> Generator[None]:
        """Note in the pager where to resume after an error, and say it in the message."""
        try:
            yield
        except AgentPlatformError as error:
            cursor = self._cursor = error.cursor
            self._exhausted = False
            if cursor is not None and len(cursor) <= MAX_QUOTED_CURSOR and self._redact(cursor) == cursor:
                error.remark(f"resume with after={cursor!r}")
            raise

    def _deliver(self, step: Step[T]) -> None:
        self._cursor, self._total, self._exhausted = step.cursor, step.page.total, step.ended


def next_cursor(page: Page[Any]) -> str | None:
    """Return the cursor of the next page as text; None if it is no text or number, or empty.

    This is the only place that reads it. A cursor in a `Link` header would be read here, too: from the headers of the
    page's response, which `Client.paginate` would pass beside the page.
    """
    cursor: Any = page.end_cursor
    if isinstance(cursor, bool) or not isinstance(cursor, str | int | float):
        return None
    return str(cursor) or None
