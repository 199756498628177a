"""Follow a list that grows at its end: poll its last page, and deliver what is new."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from functools import partial
from typing import Generic, TypeVar, cast

from ...catalogue import Catalogue
from ...errors import AgentPlatformError, ProblemError
from ..interface import Follow, Follower
from ..interval import FollowTimes, jittered
from ..items import item_of
from ..pages import CURSOR_REFUSALS, ListPage, ListSource, list_pages
from ..transient import may_pass
from .position import DIGEST_BYTES, MAX_TAIL, Position, place_after

T = TypeVar("T")

logger = logging.getLogger("agent_session_platform")


class ListFollower(Follower[T], Generic[T]):
    """The follower of one list.

    Args:
        follow: The list, and where to begin.

    Raises:
        InvalidArgumentError: `start` is no position, or `every` is out of range.
    """

    def __init__(self, follow: Follow[T]) -> None:
        self._follow = follow
        self._times = FollowTimes(every=follow.every, give_up_after=follow.give_up_after)
        self._list = Catalogue().source_of(follow.source)
        begins = Position(self._list, passing=follow.only_new)
        self._position = begins if follow.start is None else Position.parse(follow.start, self._list)
        source = follow.source if follow.options is None else partial(follow.source, options=follow.options)
        self._source = cast("ListSource", source)
        self._has_polled = False
        self._polling = asyncio.Lock()
        # The latest iteration or poll; an earlier one ends when it notices that it is not.
        self._current = object()

    def __repr__(self) -> str:
        return f"<Follower of {self._follow.operation}>"

    @property
    def position(self) -> str:
        """The position after the latest item, for `start`."""
        return str(self._position)

    async def poll(self) -> list[T]:
        """Return the items that are new now, without waiting for any. It ends an iteration that began before.

        Returns:
            The items, in the order of the list; empty if none is new.

        Raises:
            AgentPlatformError: A page could not be fetched; the next poll returns the items before it as well.
        """
        async with self._polling:
            before = self.position
            try:
                self._current = current = object()
                async with aclosing(self._new(current)) as new:
                    return [item async for item in new]
            except BaseException:
                self._position = Position.parse(before, self._list)
                raise

    async def __aiter__(self) -> AsyncIterator[T]:
        """Iterate over the items; wait for more at the end of the list. It ends an iteration that began before.

        Yields:
            The items, in the order of the list.

        Raises:
            AgentPlatformError: The polls have failed for `give_up_after` seconds, or another poll would fail as well.
        """
        self._current = current = object()
        clock = asyncio.get_running_loop().time
        interval = self._times.every
        failing_since: float | None = None
        while current is self._current:
            found = False
            try:
                async with aclosing(self._new(current)) as new:
                    async for item in new:
                        found, failing_since = True, None
                        yield item
                failing_since = None
            except AgentPlatformError as error:
                if not may_pass(error, again=self._has_polled):
                    raise
                if failing_since is None:
                    failing_since = clock()
                    logger.warning(
                        "%s: a poll has failed, and the list is polled again: %s", self._follow.operation, error
                    )
                if clock() - failing_since >= self._times.give_up_after:
                    raise
            interval = self._times.every if found else self._times.longer(interval)
            await asyncio.sleep(jittered(interval))

    async def _new(self, current: object) -> AsyncGenerator[T, None]:
        """Yield what is new, from the last page on; end when *current* is not the latest iteration."""
        try:
            async with aclosing(self._from_position(current)) as new:
                async for item in new:
                    yield item
        except ProblemError as error:
            if error.status not in CURSOR_REFUSALS or self._position.cursor is None:
                raise
            logger.warning(
                "%s: the server refuses the cursor of the last page (%s); the list is read from its beginning",
                self._follow.operation,
                error.status,
            )
        else:
            return
        await self._find_latest()
        async with aclosing(self._from_position(current)) as new:
            async for item in new:
                yield item

    async def _from_position(self, current: object) -> AsyncGenerator[T, None]:
        position = self._position
        async with aclosing(list_pages(self._source, position.cursor)) as pages:
            async for page in pages:
                if current is not self._current:
                    return
                position.at_page(page.cursor)
                digests, have_ids = self._read(page)
                for index in position.new(digests, have_ids=have_ids):
                    if current is not self._current:
                        return
                    position.deliver(digests[index])
                    if not position.passing:
                        yield page.received[index]
                position.complete(digests)
                if page.following is not None:
                    position.at_page(page.following)
        position.passing, self._has_polled = False, True

    async def _find_latest(self) -> None:
        """Move behind the latest item, which stands on another page than before; else to the beginning."""
        latest, passing = [*self._position.latest], self._position.passing
        found = None
        before: list[bytes] = []
        async with aclosing(list_pages(self._source, None)) as pages:
            async for page in pages:
                digests, have_ids = self._read(page)
                # Without ids, only several items in their order show the place; they may be on two pages now.
                wanted = latest[-1:] if have_ids else latest
                place = place_after(wanted, before + digests) - len(before)
                if found is None and place > 0:
                    found = Position(self._list, page.cursor, digests[:place], latest=latest)
                before = [*before, *digests][1 - MAX_TAIL :]
        if found is None and latest:
            logger.warning(
                "%s: the latest item is not in the list any more, so all of its items come again",
                self._follow.operation,
            )
        self._position = found or Position(self._list, passing=passing)

    def _read(self, page: ListPage) -> tuple[list[bytes], bool]:
        """Return the digests of the items of a page, and whether all of them have ids."""
        items = [item_of(each, self._follow.id or page.key) for each in page.items]
        return [each.key[:DIGEST_BYTES] for each in items], all(each.id is not None for each in items)
