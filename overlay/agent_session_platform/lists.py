"""Lists, page by page: nothing skipped, nothing repeated, and no endless loop."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Generator
from contextlib import aclosing
from typing import Any, Generic, NamedTuple, Self, TypeVar, cast

import attrs

from ._api import ListReader, OpenModel, Operation, Page, has_more, to_json
from .configuration import Configuration
from .errors import AgentPlatformError, IncompleteListWarning, InvalidArgumentError, PagingError
from .paths import source_text
from .request.prepare import PreparedRequest
from .text import format_value, truncate

T = TypeVar("T")

# A cursor longer than this is only in `AgentPlatformError.cursor`, and not in the message.
MAX_QUOTED_CURSOR = 60

# How many pages without items may follow each other. A server that filters after paging sends some.
MAX_EMPTY_PAGES = 100

# Members of a page that are no content.
ENVELOPE = ("end_cursor", "has_next_page", "total")

# Wait this long after starting the next fetch, so that its request is sent even if the consumer never awaits. The wait
# costs nothing if the response takes longer than this.
HEAD_START_SECONDS = 0.002


class PagedList(NamedTuple, Generic[T]):
    """A list of the server.

    Attributes:
        request: The request of the first page.
        operation: The operation of the list.
        fetch: Fetches the page at a cursor; None is the first page.
        configuration: The settings of the client.
    """

    request: PreparedRequest
    operation: Operation
    fetch: Callable[[str | None], Coroutine[Any, Any, Page[T]]]
    configuration: Configuration


class ListPosition(NamedTuple):
    """A place between two pages of a list.

    Attributes:
        cursor: Where to resume; None is the beginning of the list, or its end.
        total: The total count from the page before; None if the server did not send it.
        exhausted: Whether the page before is the last one.
    """

    cursor: str | None
    total: int | None = None
    exhausted: bool = False


class PageIteration(Generic[T]):
    """One iteration over the pages of a list.

    This is not a generator, because the generators of a dropped iteration may be closed in any order, even together.

    Args:
        pages: The list.
        after: Cursor to begin at; None is the beginning.
        ahead: Whether the next page is fetched while the current one is consumed.

    Attributes:
        delivered: The place after the last page that was delivered in full; the iteration resumes there.
        fetched: The place after the last page that was fetched.
    """

    def __init__(self, pages: PagedList[T], after: str | None, *, ahead: bool = False) -> None:
        self.delivered = ListPosition(after)
        self.fetched = ListPosition(after)
        self._list = pages
        self._ahead = ahead
        self._next: asyncio.Task[Page[T]] | None = None
        # Why the list cannot be followed. The error is raised only when the items before it were delivered.
        self._paging_error = ""
        # Hashes are remembered, because a cursor may be long.
        self._seen = {hash(after)}
        self._empty_pages = 0

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Page[T]:
        """Return the next page; an error has the cursor to resume from."""
        if self.fetched.exhausted:
            raise StopAsyncIteration
        cursor = self.fetched.cursor
        running, self._next = self._next, None
        try:
            if self._paging_error:
                raise PagingError(self._paging_error, operation=self._list.operation)
            page = await (running or self._list.fetch(cursor))
            # A MissingFieldError is an AttributeError.
            items: object = getattr(page, "items", None)
            if not isinstance(items, list):
                raise PagingError("a page came without an array of items", operation=self._list.operation)
        except AgentPlatformError as error:
            # The task has the error, whose traceback has this frame: together they would stay in memory.
            running = None
            error.cursor = self.delivered.cursor
            if error.cursor is not None and len(error.cursor) <= MAX_QUOTED_CURSOR:
                error.remark(f"resume with after={error.cursor!r}")
            self._list.configuration.redact_error(error)
            raise
        self.fetched = position_after(page)
        if self.fetched.exhausted:
            return page
        following = self.fetched.cursor
        self._paging_error = self._find_paging_error(page, following)
        if following is None:
            self.fetched = self.fetched._replace(cursor=cursor)
        if self._ahead and not self._paging_error:
            self._next = asyncio.create_task(self._list.fetch(following))
            self._next.add_done_callback(retrieve_error)
            await asyncio.wait((self._next,), timeout=HEAD_START_SECONDS)
        return page

    def _find_paging_error(self, page: Page[T], following: str | None) -> str:
        """Return why the list cannot be followed after a page that says that there are more; empty if it can."""
        if following is None:
            return f"has_next_page is true, but there is no end_cursor: {format_value(page.end_cursor)}"
        if hash(following) in self._seen:
            return f"has_next_page is true, but end_cursor did not advance from {truncate(following)!r}"
        self._seen.add(hash(following))
        self._empty_pages += 1
        if page.items:
            self._empty_pages = 0
        if self._empty_pages == MAX_EMPTY_PAGES:
            return f"{MAX_EMPTY_PAGES} pages in a row have no items, and has_next_page is still true"
        return ""

    async def aclose(self) -> None:
        """Cancel the fetch of the next page: it does not outlive the iteration."""
        if self._next is not None:
            self._next.cancel()
            await asyncio.wait((self._next,))


def retrieve_error(task: asyncio.Task[Any]) -> None:
    """Take the error of a task that nobody may await, so that asyncio does not log it: its iteration was dropped."""
    if not task.cancelled():
        task.exception()


class CursorPager(ListReader[T], Generic[T]):
    """The items of a list, fetched page by page as they are consumed; every iteration begins at `after` again.

    It is a Pager, or, if its pages are OpenPages, an OpenList.

    Args:
        pages: The list.
        after: Cursor to begin at; None is the beginning.
    """

    def __init__(self, pages: PagedList[T], after: str | None) -> None:
        self._list = pages
        self._after = after
        self._latest = PageIteration(pages, after)

    def __repr__(self) -> str:
        kind = "Pager"
        if not self._list.operation.paginated:
            kind = "OpenList"
        return f"<{kind} of {self._list.operation}, cursor={self.cursor!r}>"

    def __await__(self) -> Generator[Any, Any, Any]:
        """Return the first page, or the response that it came in; warn if there are more pages."""
        response = yield from self.first_response().__await__()
        if not (self.exhausted or self._after or self._list.request.asks_for_page):
            warn_of_more(self._list.operation, "`async for` reads all, `.first_page()` only this one", 2)
        return response

    async def first_response(self) -> Any:
        """Return the first page, or the response that it came in."""
        page = await self.first_page()
        if isinstance(page, OpenPage):
            return page.response
        return page

    def resume(self, cursor: str | None) -> Self:
        """Return a pager of the same list that begins at *cursor*; None is the beginning of the list.

        Raises:
            InvalidArgumentError: The cursor is not text.
        """
        if cursor is not None and not isinstance(cursor, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"cursor must be text, as `after` has it, not {format_value(cursor)}")
        return type(self)(self._list, cursor)

    @property
    def source(self) -> str:
        """The list that the items come from: the operation and its path arguments."""
        return source_text(self._list.operation, self._list.request.request.path)

    @property
    def base_url(self) -> str:
        """The address of the server that the list comes from, without a slash at its end."""
        return self._list.configuration.base_url

    @property
    def cursor(self) -> str | None:
        """Where to resume (`after=`): after the last page that was delivered in full.

        None is the beginning of the list, or its end if `exhausted` is True.
        """
        return self._latest.delivered.cursor

    @property
    def total(self) -> int | None:
        """The total count from the latest page; None if the server did not send it."""
        return self._latest.delivered.total

    @property
    def exhausted(self) -> bool:
        """True if the latest iteration has delivered the last page."""
        return self._latest.delivered.exhausted

    async def __aiter__(self) -> AsyncIterator[T]:
        """Iterate over the items of all pages.

        Raises:
            PagingError: The list cannot be followed any further.
            AgentPlatformError: A page could not be fetched. Resume at the `cursor` of the error or of the pager.
        """
        iteration = self._latest = PageIteration(self._list, self._after, ahead=True)
        async with aclosing(iteration):
            async for page in iteration:
                items = page.items
                # The cursor moves just before the last item is delivered: until then a resumed list must deliver this
                # page again.
                for item in items[:-1]:
                    yield item
                iteration.delivered = iteration.fetched
                for item in items[-1:]:
                    yield item

    async def pages(self) -> AsyncGenerator[Page[T]]:
        """Iterate over the pages; the next page is fetched while the current page is consumed.

        Raises:
            PagingError: The list cannot be followed any further.
            AgentPlatformError: A page could not be fetched. Resume at the `cursor` of the error or of the pager.
        """
        iteration = self._latest = PageIteration(self._list, self._after, ahead=True)
        async with aclosing(iteration):
            async for page in iteration:
                iteration.delivered = iteration.fetched
                yield page

    async def first_page(self) -> Page[T]:
        """Fetch only the first page."""
        iteration = self._latest = PageIteration(self._list, self._after)
        page = await anext(iteration)
        iteration.delivered = iteration.fetched
        return page

    async def collect(self, *, limit: int | None = None) -> list[T]:
        """Return the items as a list; fetch only the pages that are needed.

        Args:
            limit: The greatest number of items, at least 0; None for all items. If the limit ends within a page,
                `cursor` stays before that page, so that resuming delivers the page again and skips nothing.

        Raises:
            InvalidArgumentError: `limit` is negative, or not an integer.
            PagingError: The list cannot be followed any further.
            AgentPlatformError: A page could not be fetched. Nothing was delivered, so the `cursor` of the error and of
                the pager is where this call began. Only pages without items are skipped.
        """
        if limit is not None and (not isinstance(limit, int) or limit < 0):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"limit must be an integer of at least 0, or None, not {format_value(limit)}")
        collected: list[T] = []
        if limit == 0:
            return collected
        iteration = self._latest = PageIteration(self._list, self._after)
        complete = iteration.delivered
        async for page in iteration:
            collected += page.items
            if limit is None or len(collected) <= limit:
                complete = iteration.fetched
            if not collected:
                iteration.delivered = complete
            if limit is not None and len(collected) >= limit:
                break
        iteration.delivered = complete
        return collected[:limit]


def position_after(page: Page[Any]) -> ListPosition:
    """Return the place after a page; its cursor is None if the page has no text or number, or an empty one.

    Only this function decides where a list goes on. A cursor in a `Link` header would be read here, but needs the
    headers of the response: `fetch` of `Client.paginate` would return them with the page, and `PageIteration.__anext__`
    would pass them on.
    """
    cursor: Any = page.end_cursor
    text = ""
    if isinstance(cursor, str | int | float) and not isinstance(cursor, bool):
        text = str(cursor)
    return ListPosition(text or None, page.total, exhausted=not page.has_next_page)


@attrs.frozen
class OpenPage:
    """A response that the contract does not show as a page, read by the conventions of the description's lists.

    Attributes:
        response: The response as the method returns it.
        items: Its items; see `OpenList`.
        end_cursor: The cursor of the next page, as it came.
        has_next_page: Whether there are more items after this page.
        total: The total count; None if the server did not send it.
    """

    response: Any
    items: list[Any]
    end_cursor: Any
    has_next_page: bool
    total: Any

    def to_dict(self) -> Any:
        """Return exactly what the server sent."""
        return to_json(self.response)

    def __getitem__(self, name: str) -> Any:
        return self.response[name]

    def __contains__(self, name: object) -> bool:
        return name in self.response


def read_as_page(response: Any) -> OpenPage:
    """Read a response as a page, by the conventions of the description's lists; no part of it is left out."""
    payload = to_json(response)
    members: dict[str, Any] = {"items": payload}
    if isinstance(payload, dict):
        members = cast("dict[str, Any]", payload)
    cursor = members.get("end_cursor")
    content = [value for name, value in members.items() if name not in ENVELOPE and value is not None]
    arrays: list[Any] = [value for value in content if isinstance(value, list)]
    items: list[Any] = []
    if isinstance(members.get("items"), list):
        items = members["items"]
    elif len(arrays) == 1:
        items = arrays[0]
    elif content:
        items = [payload]
    return OpenPage(
        response=response,
        items=[*OpenModel.from_item(items)],
        end_cursor=cursor,
        has_next_page=has_more(members.get("has_next_page"), cursor),
        total=members.get("total"),
    )


def warn_of_next_page(request: PreparedRequest, response: OpenModel) -> None:
    """Warn of a response that is not shown, and says that there are more pages."""
    # Reading an absent member raises an AttributeError.
    flag = getattr(response, "has_next_page", None)
    if has_more(flag, getattr(response, "end_cursor", None)) and not request.asks_for_page:
        query = f"{{{request.operation.cursor!r}: response.end_cursor}}"
        warn_of_more(request.operation, f"options=RequestOptions(extra_query={query}) gets the next", 4)


def warn_of_more(operation: Operation, remedy: str, stacklevel: int) -> None:
    """Warn of a response that is not the whole list, at the line of the caller.

    Args:
        operation: The operation.
        remedy: How to get the rest.
        stacklevel: How many frames above is that line; 1 is the caller of this function.
    """
    text = f"{operation}: the server has more pages than this one; {remedy}"
    warnings.warn(text, IncompleteListWarning, stacklevel=stacklevel + 1)
