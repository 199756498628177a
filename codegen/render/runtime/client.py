"""What the facade needs from whoever does the sending: protocols only."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence
    from os import PathLike

    from .operation import Request

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

FileSource: TypeAlias = "str | PathLike[str] | bytes | IO[bytes]"
"""What a file is uploaded from: its path, its bytes, or a file that is open in binary mode."""


class Page(Protocol[T_co]):
    """One page of a list: its items, and the cursor of the next page."""

    @property
    def items(self) -> Sequence[T_co]:
        """The page's entries."""
        ...

    @property
    def end_cursor(self) -> str | None:
        """Cursor for the next page; None when this is the last page."""
        ...

    @property
    def has_next_page(self) -> bool:
        """Whether more items exist after this page."""
        ...

    @property
    def total(self) -> int | None:
        """Total count; None when the server did not tell."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Give back exactly what came."""
        ...


class Pager(Protocol[T]):
    """The items of a list, fetched page by page as they are consumed.

    `async for item in pager` gives the items, `async for page in pager.pages()` the pages. Each iteration starts at
    the page that the call named with `after`; `cursor` and `total` follow the latest one.
    """

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
        """Gather the items in a list, *limit* at most; no page is fetched that is not needed for them."""
        ...

    @property
    def cursor(self) -> str | None:
        """Where to resume (`after=`) so that no delivered page is repeated and no other is skipped."""
        ...

    @property
    def total(self) -> int | None:
        """Total count as told by the latest page; None when not told."""
        ...

    @property
    def exhausted(self) -> bool:
        """Whether the latest iteration delivered the last page."""
        ...


class Download(Protocol):
    """A file, fetched when it is asked for; each of the three ways fetches it anew.

    `async for chunk in download` gives its bytes piece by piece.
    """

    def __aiter__(self) -> AsyncIterator[bytes]:
        """Iterate over the bytes, as they come."""
        ...

    async def save(self, path: str | PathLike[str]) -> int:
        """Write the file to *path* without holding it in memory, and give the number of its bytes.

        Nothing stands at *path* before all of it has come.
        """
        ...

    async def read(self) -> bytes:
        """Hold the whole file in memory; raises DecodeError when it is larger than `max_body`."""
        ...


class RequestOptions(Protocol):
    """Settings of a single call; `agent_session_platform.RequestOptions` is the class to make one of."""

    @property
    def timeout(self) -> float | None:
        """Seconds of silence of one try; None: the client's."""
        ...

    @property
    def retry(self) -> Any:
        """A RetryPolicy; None: the client's."""
        ...

    @property
    def extra_query(self) -> Mapping[str, Any] | None:
        """Query parameters that the contract does not know."""
        ...

    @property
    def extra_headers(self) -> Mapping[str, str] | None:
        """Headers to add."""
        ...


class Client(Protocol):
    """Sends requests; the facade is a thin layer of typed methods on one of these."""

    async def send(self, request: Request[T], options: RequestOptions | None) -> T:
        """Send one request and decode its answer."""
        ...

    def download(self, request: Request[Any], options: RequestOptions | None) -> Download:
        """Make the download of a file; nothing is sent before it is consumed."""
        ...

    def paginate(self, request: Request[Page[T]], options: RequestOptions | None) -> Pager[T]:
        """Make the pager of a list; nothing is sent before it is consumed."""
        ...
