# Copied from codegen/render/runtime/ by codegen/render/generate.py: change that folder, not this file.
"""Declare the client that sends the facade's requests: its arguments and its results."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Generator, Mapping, Sequence
from os import PathLike
from typing import (
    IO,
    Annotated,
    Any,
    Generic,
    Literal,
    Protocol,
    Self,
    TypeAlias,
    TypedDict,
    TypeVar,
    Unpack,
    runtime_checkable,
)

import attrs

from .errors import AgentPlatformError
from .operation import CallOptions, Operation, Request

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Unchecked:
    """The mark of a type that only the client checks: pydantic, which frameworks use, does not know it."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return handler.generate_schema(Any)


BinaryFile: TypeAlias = Annotated[IO[bytes], Unchecked]
"""A file that is open in binary mode."""

FileSource: TypeAlias = (
    str | PathLike[str] | bytes | BinaryFile | tuple[str, bytes | BinaryFile] | tuple[str, bytes | BinaryFile, str]
)
"""The source of an upload: a path, the bytes, or a file that is open in binary mode.

Or a tuple: (file name, bytes or open file) or (file name, bytes or open file, media type).
"""

Until: TypeAlias = Mapping[str, Any] | Callable[[T], bool]
"""The condition that ends a wait: values by field (one value, or a collection of them; text is one value), or a
function that takes the object and returns whether the wait ends."""

StateName: TypeAlias = Literal["done", "waiting", "failed"]
"""The name of a state; `agent_session_platform.States` says what each means."""

Reason: TypeAlias = Literal["matched", "unexpected", "gone", "stalled", "deadline"]
"""The reason why a wait has ended; `Outcome.reason` describes each reason."""


class Page(Protocol[T_co]):
    """One page of a list: its items, and the cursor of the next page."""

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

    def __getitem__(self, name: str, /) -> Any: ...

    def __contains__(self, name: object, /) -> bool: ...


class ListReader(AsyncIterable[T], Protocol[T]):
    """The items of a list, fetched page by page as they are consumed; a `Pager` or an `OpenList`.

    Each iteration starts at `after` of the call; `cursor` and `total` are those of the latest iteration. An error in
    the middle also has the cursor to resume from (`AgentPlatformError.cursor`). A list with a repeated cursor, or with
    100 empty pages in a row, raises a PagingError.
    """

    def pages(self) -> AsyncIterator[Page[T]]:
        """Iterate over the pages; the next page is fetched while the current page is consumed."""
        ...

    async def first_page(self) -> Page[T]:
        """Fetch only the first page."""
        ...

    async def collect(self, *, limit: int | None = None) -> list[T]:
        """Return the items as a list.

        Args:
            limit: The greatest number of items; only the pages that these items need are fetched. None means all items.
        """
        ...

    def resume(self, cursor: str | None) -> Self:
        """Return a pager of the same list that begins at *cursor*; all other arguments stay the same.

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
        """The list that the items come from, as one line: the operation and its path arguments.

        It is the same for every filter, page size and cursor, and equal to `operations.source_of` of the method.

        Example:
            platform.organization("org-acme").sessions.list().source
            # organization.sessions.list(org_id='org-acme')
        """
        ...

    @property
    def base_url(self) -> str:
        """The address of the server that the list comes from, without a slash at its end."""
        ...

    @property
    def cursor(self) -> str | None:
        """The cursor to resume from (`after=`): no delivered page is repeated, and no other page is skipped."""
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
class Pager(ListReader[T], Protocol[T]):
    """The items of a list, fetched page by page as they are consumed.

    `await pager` is the first page. It warns with an IncompleteListWarning if there are more, unless the call has
    `after`; `first_page` does not warn. `ListReader` describes the rest.

    Example:
        async for session in organization.sessions.list():
            print(session.session_id)
        async for page in organization.sessions.list().pages():
            print(len(page.items), page.end_cursor)
    """

    def __await__(self) -> Generator[Any, Any, Page[T]]: ...


@runtime_checkable
class OpenList(ListReader[Any], Protocol[T_co]):
    """A list whose pages the contract does not show: `await` it for its first response, or iterate over its items.

    `await` warns with an IncompleteListWarning if the response says that there are more, unless the call has `after`.

    The iteration follows the conventions that the description states for its lists: `end_cursor` goes into the query
    parameter `after`, until `has_next_page` is false; without such members the response is the only page. Its items are
    its member `items`, or else its only member that is an array, or the array that it is. A response without an array
    is an item itself. Objects among the items are OpenModels. All this stays so when the gap is closed; if the list
    then has pages, it is a `Pager` of models.

    Example:
        async for playbook in organization.playbooks.list():
            print(playbook.title)
    """

    def __await__(self) -> Generator[Any, Any, T_co]: ...


class DownloadOptions(TypedDict, total=False):
    """The options of one download; each option may be left out.

    Attributes:
        max_bytes: The greatest number of bytes after decompression, at least 0; None means no limit. By default 10 GiB,
            and the client's `max_body` for `read`.
        timeout: Seconds for the whole file, more than 0; None means that only the client's `timeout` applies.
        resume: Request the file without compression, because the rest of a compressed response cannot be requested if
            the connection breaks off. Nothing is kept for another call.
        checksum: Called with every chunk in order, such as `hashlib.sha256().update`.
    """

    max_bytes: int | None
    timeout: float | None
    resume: bool
    checksum: Callable[[bytes], object] | None


@runtime_checkable
class Download(AsyncIterable[bytes], Protocol):
    """A file; each method fetches it again.

    All methods take the same options, which `DownloadOptions` describes. If the connection breaks off, the rest is
    requested, again and again while each part brings bytes. For this the server must send the size of the file and a
    strong ETag.

    Each method raises an InvalidArgumentError for an argument that is refused, before anything is sent; a
    FileTooLargeError for a file larger than `max_bytes`; a DecodeError for a redirect, which is not followed, or a body
    that is not what the server announced; a DeadlineExceededError after `timeout`; a ConnectionFailedError where there
    was no connection, or the rest could not be fetched; and for any other failure an AgentPlatformError, see
    `agent_session_platform.errors`.

    Example:
        async for chunk in download:
            target.write(chunk)
        await download.save("report.pdf", timeout=600, resume=True)
    """

    def stream(self, **options: Unpack[DownloadOptions]) -> AsyncIterator[bytes]:
        """Iterate over the bytes in chunks, as they arrive.

        If the server sends another version of the file, or the whole file again, instead of the rest, the call fails.

        Args:
            options: `max_bytes`, `timeout`, `resume` and `checksum`; see `DownloadOptions`.
        """
        ...

    async def save(self, path: str | PathLike[str], **options: Unpack[DownloadOptions]) -> int:
        """Write the file to *path* without holding it in memory.

        The file appears at *path* only when it is complete and on the disk. It replaces a file that is there, and keeps
        the mode of that file. After an error no part of the new file is left.

        Args:
            path: A new or a regular file; a symbolic link, a directory, a FIFO or a device is refused.
            options: `max_bytes`, `timeout`, `resume` and `checksum`; see `DownloadOptions`.

        Returns:
            The number of bytes.

        Raises:
            OSError: The file cannot be written.
        """
        ...

    async def read(self, **options: Unpack[DownloadOptions]) -> bytes:
        """Return the whole file.

        Args:
            options: `max_bytes`, `timeout`, `resume` and `checksum`; see `DownloadOptions`.
        """
        ...


@attrs.frozen
class PolledChange(Generic[T_co]):
    """A change of an object, found by a poll of a wait.

    Attributes:
        before: The object as the previous poll read it; None at the first poll.
        after: The object as this poll read it.
    """

    before: T_co | None
    after: T_co


@attrs.frozen(kw_only=True)
class Outcome(Generic[T_co]):
    """The end of a wait.

    Attributes:
        reason: `matched`: the object meets `until`. `unexpected`: it meets `unexpected`. `gone`: it is archived or
            deleted. `stalled`: it did not change for `stalled_after` seconds. `deadline`: `timeout` seconds
            have passed, or no other poll fits into them.
        state: With `matched`, the state that holds if `until` is `States`; otherwise None.
        last: The object as it was read last; None if it was never read, because every poll failed.
        elapsed: The seconds that the wait took.
        polls: How often the object was read, alone or in a list; polls that failed do not count.
        error: Why the latest poll failed; None if the latest poll succeeded. With `gone`, the NotFoundError if there
            was one; with `deadline`, a DeadlineExceededError if the first poll was still under way.
    """

    reason: Reason
    last: T_co | None
    elapsed: float
    polls: int
    error: AgentPlatformError | None = None
    state: StateName | None = None


OutcomeT = TypeVar("OutcomeT", bound=Outcome[Any])


@attrs.frozen(kw_only=True)
class Wait(Generic[T, OutcomeT]):
    """One wait for an object: how to read it, and when the wait ends.

    The description shows no event, so the object is polled, through the client's rate limiter. A poll that fails, for
    example because the server cannot be reached for a while, does not end the wait; closing the client does. If the
    server asks for a wait (Retry-After), the next poll is no sooner. If that is after `timeout`, the wait ends at once
    with the reason `deadline`, and its `error` says how long the server asks to wait.

    If there is a list of such objects, many waits share one poll of the list. Its items may lack fields: if a value by
    field or `changed` needs such a field, the object is read alone. But if the contract states a default, an absent
    field has this default. A function may need any field, so with a function the object is read alone at every poll.
    For many waits, prefer values by field.

    Attributes:
        operation: The operation that reads the object.
        key: The id of the object.
        read: Reads the object.
        listed: Lists all objects of this kind, or the objects after a cursor, in pages of the largest size; None if
            there is no such list.
        shared: The name of the list: waits of one client with the same name may share their polls. None means that this
            wait always reads its own object.
        id: The member of a listed object that has its id.
        gone: The flags of the object that say that it is gone.
        until: Values by field, `{"title": {"done", "failed"}}`: each field must have the given value, or one of the
            given values. Or `agent_session_platform.any_of` several of these, or `States`, or a function that takes the
            object and returns whether the wait has ended, such as `agent_session_platform.changed("updated_at")`. The
            description does not say which values are final: name the values that are final for you.
        unexpected: Another condition that ends the wait, in the same forms; if it names several fields, one match is
            enough.
        timeout: Seconds for the whole wait, more than 0; the timeout of a request is in `options`.
        every: Seconds between two polls, more than 0; after each poll without a change the pause is longer by a half.
        max_every: Seconds between two polls at most; None means six times `every`.
        stalled_after: Seconds without a change of the object after which the wait ends, at a poll that does not fail;
            None means never.
        on_change: Called with a `PolledChange` for the first poll and for each change; an awaitable that it returns is
            awaited, even beyond `timeout`. What it raises ends the wait.
        outcome: The class of the outcome.

    Raises:
        NotFoundError: There is no such object at the first poll.
        ClientClosedError: The client was closed.
        InvalidArgumentError: An argument is refused; or the first object that is read, and its model, lack a field that
            `until` or `unexpected` names.
    """

    operation: Operation
    key: str
    read: Callable[[], Awaitable[T]]
    listed: Callable[[str | None], Pager[T]] | None = None
    shared: tuple[object, ...] | None = None
    id: str = ""
    gone: tuple[str, ...] = ()
    until: Until[T] | None
    unexpected: Until[T] | None
    timeout: float
    every: float
    max_every: float | None
    stalled_after: float | None
    on_change: Callable[[PolledChange[T]], object] | None
    outcome: type[OutcomeT]


@attrs.frozen(kw_only=True)
class Follow(Generic[T]):
    """One list to follow.

    The description shows no event for a new item, so the list is polled. Each poll reads the last page again, and drops
    the items that the follower knows. Each item comes at least once, even after a crash, and exactly once within a run.
    One exception: if the server refuses the cursor of the last page, and the latest item is not in the list any more,
    all items come again. Where the form of the list is not shown, its items are the member `items`, or else the only
    member that is an array; items without an id are compared by their content.

    Attributes:
        operation: The operation of the list.
        source: Calls the operation with `options=`; returns a pager.
        id: The member of an item that has its id; empty if no such member is shown.
        start: The `position` of an earlier follower, to continue there. None means the beginning of the list.
        only_new: Without `start`, skip the items that are in the list already.
        every: Seconds between two polls, more than 0; up to six times as long while nothing is new.
        give_up_after: Seconds for which polls may fail, for example while the server cannot be reached; at least 0.
            After that the latest error is raised, when its poll has ended, with all retries. No poll is sooner than the
            server asks (Retry-After). If that is later than these seconds allow, the error is raised at once, and its
            `retry_after` says for how long the server asks to wait.
        options: The settings of each call.
    """

    operation: Operation
    source: Callable[..., ListReader[T]]
    id: str = ""
    start: str | None
    only_new: bool
    every: float
    give_up_after: float
    options: CallOptions | None


class Follower(AsyncIterable[T], Protocol[T]):
    """The items of a list as they come, without an end: each item at least once, and exactly once within a run.

    There is one exception within a run: if the server refuses the cursor of the last page, and the latest item is not
    in the list any more, all items of the list come again. A warning is logged then.

    Save `position` after you have processed an item; a follower that starts there continues after this item. An error
    ends the iteration when the polls have failed for `give_up_after` seconds, when the server asks to wait for longer
    than that (Retry-After), or when another poll would fail as well; the next iteration continues at `position`.

    Example:
        async for message in follower:
            handle(message)
            store.save(follower.position)
    """

    async def poll(self) -> list[T]:
        """Return the items that are new now, without waiting for more. An earlier iteration ends.

        Returns:
            The items, in the order of the list; empty if none is new.

        Raises:
            AgentPlatformError: A page could not be fetched; the next poll also returns the items of the pages before
                that page.
        """
        ...

    @property
    def position(self) -> str:
        """The position after the latest item, to pass as `start`: a text of a few kilobytes."""
        ...


class Client(Protocol):
    """The sender of requests; the facade is a thin layer of typed methods on top of it.

    Attributes:
        base_url: The address of the server, without a slash at its end.
    """

    base_url: str

    async def send(self, request: Request[T]) -> T:
        """Send one request and decode its response."""
        ...

    def download(self, request: Request[Any]) -> Download:
        """Return the download of a file; nothing is sent before it is consumed."""
        ...

    def paginate(self, request: Request[Page[T]]) -> Pager[T]:
        """Return the pager of a list; nothing is sent before it is consumed."""
        ...

    def read_list(self, request: Request[T]) -> OpenList[T]:
        """Return a list whose pages the contract does not show; nothing is sent before it is consumed."""
        ...

    def follow(self, follow: Follow[T]) -> Follower[T]:
        """Return the follower of a list; nothing is sent before it is consumed."""
        ...

    async def wait(self, wait: Wait[T, OutcomeT]) -> OutcomeT:
        """Wait until an object meets a condition, and return how the wait has ended."""
        ...
