# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""Declare the lists that the facade returns: protocols only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@runtime_checkable
class Page(Protocol[T_co]):
    """One page of a list: its items, and the cursor of the next page."""

    __slots__ = ()

    @property
    def items(self) -> Sequence[T_co]:
        """The entries of the page."""
        ...

    @property
    def end_cursor(self) -> str | None:
        """The cursor of the next page; None on the last page."""
        ...

    @property
    def has_next_page(self) -> bool:
        """True if there are more items after this page."""
        ...

    @property
    def total(self) -> int | None:
        """The total count; None if the server did not send it."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return exactly what the server sent."""
        ...


@runtime_checkable
class Pager(Protocol[T]):
    """The items of a list, fetched page by page as they are consumed.

    Each iteration starts at the page that the call named with `after`; `cursor` and `total` follow the latest one. An
    error in the middle has the cursor to resume from, too (`AgentPlatformError.cursor`). A list whose cursors go in
    circles, or of which 100 pages in a row are empty, raises a PagingError.

    Example:
        async for session in organization.sessions.list():
            print(session.session_id)
        async for page in organization.sessions.list().pages():
            print(len(page.items), page.end_cursor)
    """

    __slots__ = ()

    def __aiter__(self) -> AsyncIterator[T]:
        """Iterate over the items of all pages."""
        ...

    def pages(self) -> AsyncIterator[Page[T]]:
        """Iterate over the pages; the next one is fetched while one is consumed."""
        ...

    async def first_page(self) -> Page[T]:
        """Fetch only the first page."""
        ...

    async def collect(self, *, limit: int | None = None) -> list[T]:
        """Return the items as a list.

        Args:
            limit: The greatest number of items; no page beyond them is fetched. None: all items.
        """
        ...

    def resume(self, cursor: str | None) -> Pager[T]:
        """Return a pager of the same list that begins at *cursor*; all its other arguments are those of this one.

        Args:
            cursor: A cursor of this list, such as `Pager.cursor` of an earlier run; None is the beginning of the list.

        Raises:
            InvalidArgumentError: The cursor cannot be sent.

        Example:
            pager = organization.sessions.list(origins=["api"])
            async for session in pager.resume(saved_cursor):
                print(session.session_id)
        """
        ...

    @property
    def source(self) -> str:
        """The list that the items are of, as one line: the operation and its path arguments.

        It is the same for every filter, page size and cursor, and equal to `operations.source_of` of the method.

        Example:
            platform.organization("org-acme").sessions.list().source
            # organization.sessions.list(org_id='org-acme')
        """
        ...

    @property
    def cursor(self) -> str | None:
        """The cursor to resume from (`after=`): no delivered page is repeated, and no other is skipped."""
        ...

    @property
    def total(self) -> int | None:
        """The total count from the latest page; None if the server did not send it."""
        ...

    @property
    def exhausted(self) -> bool:
        """True if the latest iteration has delivered the last page."""
        ...
