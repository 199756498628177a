"""Follow a list: poll its last page, and deliver new items; a `Position` records what was delivered."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from hashlib import blake2b
from typing import Any, Final, Generic, Self, TypeVar, cast

import attrs
from attrs.validators import instance_of, optional

from .._api import Follow, Follower, Page, to_json
from ..catalogue import operations
from ..configuration import Configuration
from ..errors import AgentPlatformError, InvalidArgumentError, ProblemError
from ..runtime import Runtime
from ..text import format_value, truncate
from .poll_schedule import PollSchedule, check_seconds, may_recover

T = TypeVar("T")

logger = logging.getLogger("agent_session_platform")

# The statuses with which a server may refuse a cursor that it no longer knows; a 404 may also mean that there is no
# list.
CURSOR_REFUSALS: Final = (400, 404, 410, 422)
# A saved position keeps a digest of each item; this is its length in bytes.
DIGEST_BYTES: Final = 5


class ListFollower(Follower[T], Generic[T]):
    """The follower of one list that grows at its end.

    Args:
        follow: The list, and where to begin.
        configuration: The settings of the client.
        open_runtime: Opens the client, and returns its `Runtime`, which its calls share.

    Raises:
        InvalidArgumentError: `start` is not a position, or another argument is out of range.
    """

    def __init__(self, follow: Follow[T], configuration: Configuration, open_runtime: Callable[[], Runtime]) -> None:
        check_seconds(follow)
        self._follow = follow
        self._open_runtime = open_runtime
        list_name = f"{operations.source_of(follow.source)} at {configuration.base_url}"
        self._position = Position(list_name, skipping=follow.only_new)
        if follow.start is not None:
            self._position = Position.parse(follow.start, list_name)
        self._list = follow.source(options=follow.options)
        self._polling = asyncio.Lock()
        # The poll or the iteration that moves the position; a new one ends an earlier iteration.
        self._mover = object()

    @property
    def position(self) -> str:
        """The position after the latest item; pass it as `start` to continue there."""
        return json.dumps(attrs.asdict(self._position))

    async def poll(self) -> list[T]:
        """Return the items that are new now; see `Follower.poll`."""
        async with self._polling:
            mover = self._mover = object()
            position = self._position
            found: list[T] = []
            async for items, after in self._read(position):
                found += items
                position = after
            if mover is self._mover:
                self._position = position
            return found

    async def __aiter__(self) -> AsyncIterator[T]:
        """Iterate over the items; wait for more at the end of the list. An earlier iteration ends.

        Yields:
            The items, in the order of the list.

        Raises:
            AgentPlatformError: The polls have failed for `give_up_after` seconds, or the server asks to wait
                for longer, or another poll would fail as well.
        """
        mover = self._mover = object()
        clock = asyncio.get_running_loop().time
        # Programs that began together must not poll together.
        schedule = PollSchedule(self._follow.every, None, phase=random.random())
        began = clock()
        round_at: float | None = began
        while round_at is not None:
            runtime = self._open_runtime()
            await runtime.while_open(asyncio.sleep(round_at - clock()))
            if mover is not self._mover:
                return
            is_new = False
            try:
                async for items, position in self._read(self._position):
                    if mover is not self._mover:
                        return
                    self._position = position
                    for item in items:
                        is_new = True
                        schedule.last = math.inf
                        yield item
            except AgentPlatformError as error:
                if not refuses_cursor(error) and not may_recover(error, runtime, began):
                    raise
                # The schedule has an end while the polls fail.
                is_first = schedule.last == math.inf
                if is_first:
                    schedule.last = clock() + self._follow.give_up_after
                round_at = schedule.next_round(clock(), changed=is_new, error=error)
                if round_at is None:
                    raise
                if is_first:
                    self._warn(f"a poll has failed, and the list is polled again: {error}")
            else:
                schedule.last = math.inf
                round_at = schedule.next_round(clock(), changed=is_new)

    async def _read(self, position: Position) -> AsyncIterator[tuple[list[T], Position]]:
        """Read from the last page to the end of the list.

        Yields:
            A new item, or none, and the position from then on.
        """
        try:
            async for items, after in self._read_pages(position):
                position = after
                yield items, position
        except ProblemError as error:
            if not refuses_cursor(error):
                raise
            self._warn(f"the server refuses the cursor of the last page ({error.status}); some items may come again")
            position = await self._find_latest(position)
            async for items, after in self._read_pages(position):
                yield items, after

    async def _read_pages(self, position: Position) -> AsyncIterator[tuple[list[T], Position]]:
        """Read the pages from a position on; yield as `_read` does."""
        cursor = position.cursor
        pager = self._list.resume(cursor)
        async for page in pager.pages():
            after, end = advance(position, cursor, self._digests(page))
            if not position.skipping:
                for index, after_item in after.items():
                    yield [page.items[index]], after_item
            position = end
            yield [], position
            cursor = pager.cursor
        yield [], attrs.evolve(position, skipping=False)

    async def _find_latest(self, position: Position) -> Position:
        """Return the position after the latest item, wherever that is now; the beginning if the item is gone."""
        cursor = None
        pager = self._list.resume(cursor)
        async for page in pager.pages():
            digests = self._digests(page)
            # Items without an id may be equal. Continuing after the first match may repeat some items, but loses none.
            for number, digest in enumerate(digests, 1):
                if digest in position.delivered[-1:]:
                    return attrs.evolve(position, cursor=cursor, delivered=digests[:number])
            cursor = pager.cursor
        self._warn("the latest item is not in the list any more, so all of its items come again")
        return attrs.evolve(position, cursor=None, delivered=[])

    def _digests(self, page: Page[T]) -> list[str]:
        """Return the digests of the items of a page."""
        return [digest_of(to_json(item), self._follow.id) for item in page.items]

    def _warn(self, message: str) -> None:
        logger.warning("%s: %s", self._follow.operation, message)


@attrs.frozen(eq=False)
class Position:
    """What was read of a list: the cursor of its page, and the items of that page that were delivered.

    Attributes:
        source: The list and its server.
        cursor: The cursor that the page was fetched with; None is the beginning of the list.
        delivered: The digests of the delivered items of the page, in their order.
        skipping: Whether all items are skipped until the list has been read once.
    """

    source: str = attrs.field(validator=instance_of(str))
    cursor: str | None = attrs.field(default=None, validator=optional(instance_of(str)))
    delivered: list[str] = attrs.field(factory=list[str], validator=instance_of(list))
    skipping: bool = attrs.field(default=False, validator=instance_of(bool))

    @classmethod
    def parse(cls, text: str, source: str) -> Self:
        """Parse the text of an earlier position in a list.

        Raises:
            InvalidArgumentError: The text is not a position, or it is a position in another list.
        """
        try:
            position = cls(**json.loads(text))
            if not all(isinstance(digest, str) for digest in position.delivered):  # pyright: ignore[reportUnnecessaryIsInstance]  # as it was saved
                raise TypeError("a digest is text")
        except (TypeError, ValueError):
            raise InvalidArgumentError(
                f"start must be the `position` of a follower, not {format_value(text)}"
            ) from None
        if position.source != source:
            raise InvalidArgumentError(f"start is a position in {truncate(position.source, 500)}, and not in {source}")
        return position


def advance(position: Position, cursor: str | None, digests: list[str]) -> tuple[dict[int, Position], Position]:
    """Find what is new on a page.

    Args:
        position: The position before the page.
        cursor: The cursor of the page.
        digests: The digests of its items.

    Returns:
        The position after each new item, by the index of the item, and the position after the page.
    """
    if not digests:
        return {}, position
    delivered: list[str] = []
    if cursor == position.cursor:
        delivered = position.delivered
    known = Counter(delivered)
    after: dict[int, Position] = {}
    for index, digest in enumerate(digests):
        if known[digest]:
            # Only one counts, because items without an id may be equal.
            known[digest] -= 1
            continue
        delivered = [*delivered, digest]
        after[index] = attrs.evolve(position, cursor=cursor, delivered=delivered)
    # The end of a list has no cursor, so each poll reads the last page again. Forget the items that are no longer on
    # it.
    return after, attrs.evolve(position, cursor=cursor, delivered=digests)


def refuses_cursor(error: AgentPlatformError) -> bool:
    """Return whether the server has refused the cursor of a page, which it may no longer know."""
    return isinstance(error, ProblemError) and error.cursor is not None and error.status in CURSOR_REFUSALS


def digest_of(item: Any, id: str) -> str:
    """Return a digest of the id of an item, or of its content if it has no id."""
    content: Any = item
    if isinstance(item, dict):
        content = cast("dict[str, Any]", item).get(id) or content
    text = json.dumps(content, sort_keys=True)
    return blake2b(text.encode(), digest_size=DIGEST_BYTES).hexdigest()
