# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""Declare the client that sends the requests of the facade, and what it returns: protocols only."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeVar, runtime_checkable

from .encoding import UNSET

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection, Sequence
    from os import PathLike

    from .encoding import Unset
    from .operation import Request
    from .polling import Follow, Follower, OutcomeT, Wait

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

FileSource: TypeAlias = (
    "str | PathLike[str] | bytes | IO[bytes] | tuple[str, bytes | IO[bytes]] | tuple[str, bytes | IO[bytes], str]"
)
"""The source of an upload: a path, the bytes, or a file that is open in binary mode.

Or (file name, bytes or open file), or these with the media type.
"""

MAX_DOWNLOAD: Final = 10 * 1024**3
"""The greatest number of bytes of a file that is saved or streamed, unless `max_bytes` says otherwise: 10 GiB."""


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


@runtime_checkable
class Download(Protocol):
    """A file; each way of reading it fetches it again.

    Every way takes the same options: `max_bytes` bounds the file (decompressed), `timeout` the seconds for all of it.
    `stream` and `save` are bounded to 10 GiB by default, `read` to the client's `max_body`.
    With `follow=True` a redirect is followed, up to five times, to an https URL on one of `hosts` (such as
    `"files.example.com"` or `"files.example.com:8443"`; no subdomains are meant), without the credential and without
    any header of the call. If the connection breaks off, the rest is asked for, as often as the retry policy allows,
    where the server names the size of the file and a strong ETag.

    Example:
        async for chunk in download:
            target.write(chunk)
        await download.save("report.pdf", timeout=600, resume=True)
    """

    __slots__ = ()

    def __aiter__(self) -> AsyncIterator[bytes]:
        """Iterate over the bytes in chunks, as they arrive; `stream` takes options."""
        ...

    def stream(
        self,
        *,
        max_bytes: int | None = MAX_DOWNLOAD,
        timeout: float | None = None,
        follow: bool = False,
        hosts: Collection[str] = (),
    ) -> AsyncIterator[bytes]:
        """Iterate over the bytes in chunks, as they arrive.

        Another version of the file, or the whole file again, does not continue what was delivered, and fails the call.

        Args:
            max_bytes: The greatest number of bytes, at least 0, by default 10 GiB; None: no limit.
            timeout: Seconds for the whole file, more than 0; None: only the client's `timeout` applies.
            follow: Whether a redirect is followed.
            hosts: The hosts that a redirect may lead to.

        Raises:
            InvalidArgumentError: An option is out of range or of the wrong type.
            FileTooLargeError: The file is larger than `max_bytes`.
            DecodeError: A redirect is not followed, or the body is not what the server announced.
            DeadlineExceededError: `timeout` has passed.
            ConnectionFailedError: There was no connection, or it broke off and the rest could not be fetched.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.
        """
        ...

    async def save(
        self,
        path: str | PathLike[str],
        *,
        max_bytes: int | None = MAX_DOWNLOAD,
        timeout: float | None = None,
        follow: bool = False,
        hosts: Collection[str] = (),
        resume: bool = False,
        checksum: Callable[[bytes], object] | None = None,
    ) -> int:
        """Write the file to *path* without holding it in memory.

        Nothing is at *path* before the file is complete and on the disk; then it replaces the file that is there, and
        keeps its mode. After an error nothing is left.

        Args:
            path: A new or a regular file; a symbolic link, a directory, a FIFO or a device is refused.
            max_bytes: The greatest number of bytes, at least 0, by default 10 GiB; None: no limit.
            timeout: Seconds for the whole file, more than 0; None: only the client's `timeout` applies.
            follow: Whether a redirect is followed.
            hosts: The hosts that a redirect may lead to.
            resume: Ask for the file without compression, because the rest of a compressed response cannot be asked for
                if the connection breaks off. Nothing is kept for another call.
            checksum: Called with every chunk in order, such as `hashlib.sha256().update`.

        Returns:
            The number of bytes.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            FileTooLargeError: The file is larger than `max_bytes`.
            DecodeError: A redirect is not followed, or the body is not what the server announced.
            DeadlineExceededError: `timeout` has passed.
            ConnectionFailedError: There was no connection, or it broke off and the rest could not be fetched.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.
            OSError: The file cannot be written.
        """
        ...

    async def read(
        self,
        *,
        max_bytes: int | Unset | None = UNSET,
        timeout: float | None = None,
        follow: bool = False,
        hosts: Collection[str] = (),
    ) -> bytes:
        """Return the whole file.

        Args:
            max_bytes: The greatest number of bytes, at least 0, by default the client's `max_body`; None: no limit.
            timeout: Seconds for the whole file, more than 0; None: only the client's `timeout` applies.
            follow: Whether a redirect is followed.
            hosts: The hosts that a redirect may lead to.

        Raises:
            InvalidArgumentError: An option is out of range or of the wrong type.
            FileTooLargeError: The file is larger than `max_bytes`.
            DecodeError: A redirect is not followed, or the body is not what the server announced.
            DeadlineExceededError: `timeout` has passed.
            ConnectionFailedError: There was no connection, or it broke off and the rest could not be fetched.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.
        """
        ...


@runtime_checkable
class JsonLines(Protocol[T_co]):
    """The values of a response in JSON Lines (NDJSON), one for each line as it comes; each iteration fetches it again.

    Example:
        async for value in lines:
            print(value)
    """

    __slots__ = ()

    def __aiter__(self) -> AsyncIterator[T_co]:
        """Iterate over the values as they arrive."""
        ...


class Client(Protocol):
    """The sender of requests; the facade is a thin layer of typed methods on top of it."""

    __slots__ = ()

    async def send(self, request: Request[T]) -> T:
        """Send one request and decode its response."""
        ...

    def download(self, request: Request[Any]) -> Download:
        """Return the download of a file; nothing is sent before it is consumed."""
        ...

    def stream(self, request: Request[T]) -> JsonLines[T]:
        """Return the stream of a response in JSON Lines; nothing is sent before it is consumed."""
        ...

    def paginate(self, request: Request[Page[T]]) -> Pager[T]:
        """Return the pager of a list; nothing is sent before it is consumed."""
        ...

    def follow(self, follow: Follow[T]) -> Follower[T]:
        """Return the follower of a list; nothing is sent before it is consumed."""
        ...

    async def wait(self, wait: Wait[T, OutcomeT]) -> OutcomeT:
        """Wait until an object is as it should be, and return how that has ended."""
        ...
