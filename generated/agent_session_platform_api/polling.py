# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""Describe what the facade does by polling as plain values: waiting for an object, and following a list."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

import attrs

if TYPE_CHECKING:
    from .client import Pager
    from .errors import AgentPlatformError
    from .operation import CallOptions, Operation

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Until: TypeAlias = Mapping[str, Any] | Callable[[T], bool]
"""The condition that ends a wait: values by field (one value, or a collection of them; text is one value), or a
function that takes the object and returns whether the wait ends."""

Reason: TypeAlias = Literal["matched", "unexpected", "gone", "stalled", "deadline"]
"""The reason why a wait has ended; `Outcome.reason` describes each."""


@attrs.frozen
class PolledChange(Generic[T_co]):
    """A change of an object that a poll of a wait has found.

    Attributes:
        before: The object as the poll before read it; None at the first poll.
        after: The object as this poll read it.
        first_seen: The fields with a value that this wait sees for the first time, each with that value: of the fields
            that `until` and `unexpected` name; or, if they name none, of all whose value is text, a number or a flag.
    """

    before: T_co | None
    after: T_co
    first_seen: Mapping[str, Any]


@attrs.frozen(kw_only=True)
class Outcome(Generic[T_co]):
    """The end of a wait.

    Attributes:
        reason: `matched`: the object is as `until` says. `unexpected`: it is as `unexpected` says. `gone`: it is
            archived or deleted. `stalled`: nothing of it changed for `stalled_after` seconds. `deadline`: `timeout`
            seconds have passed.
        last: The object as it was read last; None if it was never read, because every poll failed.
        elapsed: The seconds that the wait took.
        polls: How often the object was read, alone or in a list; polls that failed do not count.
        error: Why the latest poll failed; None if it did not. With `gone`, the NotFoundError if there was one; with
            `deadline`, a DeadlineExceededError if the first poll was still under way.
    """

    reason: Reason
    last: T_co | None
    elapsed: float
    polls: int
    error: AgentPlatformError | None = None


OutcomeT = TypeVar("OutcomeT", bound=Outcome[Any])


@attrs.frozen(kw_only=True)
class Wait(Generic[T, OutcomeT]):
    """One wait for an object: how to read it, and when the wait ends.

    The description shows no event, so the object is polled, through the client's rate limiter. A poll that fails for a
    time, as when the server cannot be reached, does not end the wait; closing the client does.

    Where there is a list of such objects, many waits share one poll of it. Its items may lack fields: values by field
    and `changed` take from it what it shows, and read the object alone for any other field. A function may read any
    field, so the object is read alone at every poll. For many waits, prefer values by field.

    Attributes:
        operation: The operation that reads the object.
        key: The id of the object.
        read: Reads it.
        listed: Lists all objects of its kind after a cursor, or all, in pages as large as they may be; None where there
            is no such list.
        shared: The name of the list: waits of one client with the same name may share their polls. None: this wait
            reads for itself.
        id: The member of a listed object that has its id.
        gone: The flags of the object that say that it is gone.
        until: Values by field, `{"title": {"done", "failed"}}`: each field must have its value or one of its values. Or
            a function that takes the object and returns whether the wait has ended, such as
            `agent_session_platform.changed("updated_at")`. No value is known to be final: name those that are for you.
        unexpected: Another condition that ends the wait, in the same forms; of several fields one is enough.
        timeout: Seconds for the whole wait, more than 0; `options` has that of a request.
        every: Seconds between two polls, more than 0; longer by a half after each poll without a change.
        max_every: Seconds between two polls at most, at least `every`; None: six times `every`.
        stalled_after: Seconds without any change of the object that end the wait, at a poll that does not fail; None:
            never.
        on_change: Called with a `PolledChange` for the first poll and for each change; an awaitable that it returns is
            awaited, also beyond `timeout`. What it raises ends the wait.
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
    until: Until[T]
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
    the items that it knows. Each item comes at least once, also after a crash, and within a run exactly once. One
    exception: if the server refuses the cursor of the last page, and the latest item is not in the list any more, all
    items come again. Where the form of the list is not shown, its items are the member `items`, or else the only member
    that is an array; items without an id are compared by their content.

    Attributes:
        operation: The operation of the list.
        source: Calls it, with `options=`, for a pager; or for the response, where its form is not shown.
        id: The member of an item that has its id; empty where none is shown.
        start: The `position` of an earlier follower, to continue there. None: the beginning of the list.
        only_new: Without `start`, pass over what is in the list already.
        every: Seconds between two polls, more than 0; after polls without anything new up to six times as long.
        give_up_after: Seconds of failing polls, as when the server cannot be reached, after which the latest error is
            raised, at the end of a poll with its retries; at least 0.
        options: The settings of each call.
    """

    operation: Operation
    source: Callable[..., AsyncIterable[T] | Awaitable[Any]]
    id: str = ""
    start: str | None
    only_new: bool
    every: float
    give_up_after: float
    options: CallOptions | None


@runtime_checkable
class Follower(Protocol[T]):
    """The items of a list as they come, without an end: each one at least once, and within a run exactly once.

    There is one exception within a run: if the server refuses the cursor of the last page, and the latest item is not
    in the list any more, all items of the list come again. A warning is logged then.

    Save `position` after you have processed an item; a follower that starts there continues after it. An error ends the
    iteration, and the next iteration continues where it was.

    Example:
        async for message in follower:
            handle(message)
            store.save(follower.position)
    """

    __slots__ = ()

    def __aiter__(self) -> AsyncIterator[T]:
        """Iterate over the items; wait for more at the end of the list.

        Yields:
            The items, in the order of the list.

        Raises:
            AgentPlatformError: The polls have failed for `give_up_after` seconds, or another poll would fail as well.
        """
        ...

    async def poll(self) -> list[T]:
        """Return the items that are new now, without waiting for any. It ends an iteration that began before.

        Returns:
            The items, in the order of the list; empty if none is new.

        Raises:
            AgentPlatformError: A page could not be fetched; the next poll returns the items before it as well.
        """
        ...

    @property
    def position(self) -> str:
        """The position after the latest item, for `start`: text of a few kilobytes."""
        ...
