"""Share the polls of one list among the waits of one client: a thousand waits read a few pages."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary, ref

import attrs

from ..._api import Pager
from ...errors import (
    AgentPlatformError,
    AuthenticationError,
    DecodeError,
    PagingError,
    ProblemError,
    RateLimitedError,
    ServerError,
)
from ..interface import Wait

T = TypeVar("T")

# A wait joins the poll of others before its time, by this share of its interval at most.
JOINING_SHARE = 0.25
# The pages that a list is expected to have before it was read: up to this number, waits read for themselves.
UNKNOWN_PAGES = 4


@attrs.define(eq=False)
class Turn(Generic[T]):
    """The next poll of one wait.

    Attributes:
        key: The id of its object; None if it is not to be looked for in the list.
        due: When it is to be polled.
        earliest: From when on it may join a poll of others.
        result: The object, why the list could not be read, or None if the wait is to read for itself.
        walk: The task that looks for it in the list.
    """

    key: str | None
    due: float
    earliest: float
    result: asyncio.Future[T | AgentPlatformError | None]
    walk: asyncio.Task[None] | None = None


class SharedPolls(Generic[T]):
    """The waits of one client for objects of one list.

    Args:
        listed: Lists the objects after a cursor; None: each wait reads for itself.
        id: The member of an object that has its id.

    Attributes:
        waits: How many there are.
        shown: The fields that an object of the list has shown.
        hidden: The fields that no object of the list has shown, although one that was read alone had them.
    """

    def __init__(self, listed: Callable[[str | None], Pager[T]] | None, id: str) -> None:
        self.waits = 0
        self.shown: set[str] = set()
        self.hidden: set[str] = set()
        self._listed = listed
        self._id = id
        self._pages = UNKNOWN_PAGES
        self._turns: set[Turn[T]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._armed_for = math.inf
        self._reported: ref[AgentPlatformError] | None = None
        self._walks: dict[asyncio.Task[None], list[Turn[T]]] = {}

    async def turn(self, key: str | None, due: float) -> T | None:
        """Sleep until a wait is due, or a little less if others are.

        Args:
            key: The id of the object; None if it is not to be looked for in the list.
            due: The time of the event loop.

        Returns:
            The object, if it was found in the list; None if the wait is to read it.

        Raises:
            AgentPlatformError: The list could not be read, and what is in it could not be read alone, either.
        """
        loop = asyncio.get_running_loop()
        earliest = due - JOINING_SHARE * max(0.0, due - loop.time())
        turn = Turn(key, due, earliest, loop.create_future())
        self._turns.add(turn)
        if due < self._armed_for:
            self._arm(due)
        try:
            found = await turn.result
        except asyncio.CancelledError:
            self._leave(turn)
            raise
        if isinstance(found, AgentPlatformError):
            raise found
        return found

    def is_new(self, error: AgentPlatformError) -> bool:
        """Return whether no wait has reported this error yet: a poll of the list fails for all of them."""
        known = self._reported is not None and self._reported() is error
        self._reported = ref(error)
        return not known

    def _leave(self, turn: Turn[T]) -> None:
        """Forget a turn whose wait is cancelled; what nobody waits for any more is cancelled as well."""
        self._turns.discard(turn)
        if not self._turns:
            self._disarm()
        if turn.walk is not None and all(each.result.done() for each in self._walks.get(turn.walk, ())):
            turn.walk.cancel()

    def _arm(self, due: float) -> None:
        """Set the timer."""
        self._disarm()
        self._armed_for = due
        self._timer = asyncio.get_running_loop().call_at(due, self._go, due)

    def _disarm(self) -> None:
        """Take the timer back."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._armed_for = None, math.inf

    def _go(self, due: float) -> None:
        """Begin the polls that are due."""
        now = max(due, asyncio.get_running_loop().time())
        joining = [turn for turn in self._turns if turn.key is not None and turn.earliest <= now]
        listed = self._listed
        together = listed is not None and len(joining) > self._pages
        alone = [turn for turn in self._turns if turn.due <= now and not (together and turn.key is not None)]
        self._turns.difference_update(alone)
        for turn in alone:
            set_result(turn, None)
        if listed is not None and together:
            self._turns.difference_update(joining)
            walk = asyncio.get_running_loop().create_task(self._walk(listed, joining))
            for turn in joining:
                turn.walk = walk
            self._walks[walk] = joining
            walk.add_done_callback(self._walked)
        self._disarm()
        if self._turns:
            self._arm(min(turn.due for turn in self._turns))

    def _walked(self, walk: asyncio.Task[None]) -> None:
        """Let the waits whose objects were not found read for themselves."""
        for turn in self._walks.pop(walk):
            set_result(turn, None)
        if not walk.cancelled():
            walk.result()

    async def _walk(self, listed: Callable[[str | None], Pager[T]], turns: list[Turn[T]]) -> None:
        """Look for objects in the list, for as long as a page costs less than to read those that are left."""
        try:
            await self._read_pages(listed, turns)
        except AgentPlatformError as error:
            if can_read_alone(error):
                self._listed = None
                return
            for turn in turns:
                set_result(turn, error)

    async def _read_pages(self, listed: Callable[[str | None], Pager[T]], turns: list[Turn[T]]) -> None:
        wanted: dict[str | None, list[Turn[T]]] = {}
        for turn in turns:
            wanted.setdefault(turn.key, []).append(turn)
        cursor: str | None = None
        read, to_come = 0, 0
        while len(wanted) > to_come:
            pager = listed(cursor)
            page = await pager.first_page()
            read += 1
            items = page.items
            for item in items:
                key = getattr(item, self._id, None)
                for turn in wanted.pop(key, ()) if isinstance(key, str) else ():
                    set_result(turn, item)
            if pager.exhausted or pager.cursor is None:
                self._pages = read
                return
            cursor = pager.cursor
            if read == 1:
                # Of a list without a total, as many pages are expected as were read.
                self._pages = math.ceil(pager.total / len(items)) if pager.total and items else 0
            to_come = self._pages - read if self._pages > read else read
        self._pages = max(self._pages, read + to_come)


def set_result(turn: Turn[T], result: T | AgentPlatformError | None) -> None:
    """Give a turn its result, unless it has one or its wait is gone."""
    if not turn.result.done():
        turn.result.set_result(result)


def can_read_alone(error: AgentPlatformError) -> bool:
    """Return whether the objects may be readable although their list is not."""
    if isinstance(error, ProblemError):
        return not isinstance(error, AuthenticationError | RateLimitedError | ServerError)
    return isinstance(error, DecodeError | PagingError)


_polls: WeakKeyDictionary[object, dict[tuple[object, ...], SharedPolls[Any]]] = WeakKeyDictionary()


@contextmanager
def shared_polls(wait: Wait[T, Any], owner: object) -> Generator[SharedPolls[T]]:
    """Join the waits of the same client for objects of the same list; a wait that shares nothing is alone."""
    if wait.shared is None or wait.listed is None:
        yield SharedPolls(None, wait.id)
        return
    groups = _polls.setdefault(owner, {})
    polls = groups.setdefault(wait.shared, SharedPolls(wait.listed, wait.id))
    polls.waits += 1
    try:
        yield polls
    finally:
        polls.waits -= 1
        if not polls.waits:
            del groups[wait.shared]
