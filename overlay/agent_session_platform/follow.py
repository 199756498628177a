"""Follow a list: poll its last page, and deliver new items; a `Position` records what was delivered."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from copy import deepcopy
from hashlib import blake2b
from typing import Any, Final, Generic, Self, TypeVar, cast

import attrs
from attrs.validators import deep_iterable, instance_of, optional

from ._api import Follow, Follower, Page, Pager, to_json
from .catalogue import operations
from .configuration import Configuration
from .errors import AgentPlatformError, InvalidArgumentError, ProblemError
from .lists import open_pager
from .options import NO_OPTIONS, parse_options
from .poll_schedule import PollSchedule, check_seconds, may_recover
from .runtime import Runtime
from .text import format_value, truncate

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
        # Each iteration and each poll has its own position. An iteration ends when the follower has another position.
        list_name = f"{operations.source_of(follow.source)} at {configuration.base_url}"
        self._position = Position(list_name, skipping=follow.only_new)
        if follow.start is not None:
            self._position = Position.parse(follow.start, list_name)
        source: Any = follow.source
        self._list: Pager[T]
        if follow.operation.paginated:
            self._list = source(options=follow.options)
        else:
            options = parse_options(follow.options or NO_OPTIONS)
            self._list = open_pager(follow.operation, source, options, configuration)
        self._polling = asyncio.Lock()

    @property
    def position(self) -> str:
        """The position after the latest item; pass it as `start` to continue there."""
        return json.dumps(attrs.asdict(self._position))

    async def poll(self) -> list[T]:
        """Return the items that are new now; see `Follower.poll`."""
        async with self._polling:
            before = self._position
            position = self._position = deepcopy(before)
            try:
                return [item async for item in self._poll_once(position)]
            except BaseException:
                self._position = before
                raise

    async def __aiter__(self) -> AsyncIterator[T]:
        """Iterate over the items; wait for more at the end of the list. An earlier iteration ends.

        Yields:
            The items, in the order of the list.

        Raises:
            AgentPlatformError: The polls have failed for `give_up_after` seconds, or the server asks to wait
                for longer, or another poll would fail as well.
        """
        position = self._position = deepcopy(self._position)
        clock = asyncio.get_running_loop().time
        # Programs that began together must not poll together.
        schedule = PollSchedule(self._follow.every, None, phase=random.random())
        began = clock()
        due: float | None = began
        while due is not None:
            runtime = self._open_runtime()
            await runtime.while_open(asyncio.sleep(due - clock()))
            if position is not self._position:
                return
            is_new = False
            try:
                async for item in self._poll_once(position):
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
                due = schedule.next(clock(), changed=is_new, error=error)
                if due is None:
                    raise
                if is_first:
                    self._warn(f"a poll has failed, and the list is polled again: {error}")
            else:
                schedule.last = math.inf
                due = schedule.next(clock(), changed=is_new)

    async def _poll_once(self, position: Position) -> AsyncIterator[T]:
        """Yield the new items, from the last page to the end of the list, and advance the position."""
        try:
            async for item in self._items_after(position):
                yield item
        except ProblemError as error:
            if not refuses_cursor(error):
                raise
            self._warn(f"the server refuses the cursor of the last page ({error.status}); some items may come again")
            await self._find_latest(position)
            async for item in self._items_after(position):
                yield item

    async def _items_after(self, position: Position) -> AsyncIterator[T]:
        """Yield the items after a position, and advance it."""
        cursor = position.cursor
        pager = self._list.resume(cursor)
        async for page in pager.pages():
            digests = self._digests(page)
            if digests and cursor != position.cursor:
                position.cursor = cursor
                position.delivered = []
            known = Counter(position.delivered)
            for item, digest in zip(page.items, digests, strict=True):
                if position is not self._position:
                    return
                if known[digest]:
                    # Only one counts, because items without an id may be equal.
                    known[digest] -= 1
                    continue
                position.delivered.append(digest)
                if not position.skipping:
                    yield item
            # The end of a list has no cursor, so each poll reads the last page again. Forget the items that are no
            # longer on it.
            position.delivered = digests or position.delivered
            cursor = pager.cursor
        position.skipping = False

    async def _find_latest(self, position: Position) -> None:
        """Move the position after the latest item, wherever that is now. If the item is gone, move to the beginning."""
        cursor = None
        pager = self._list.resume(cursor)
        async for page in pager.pages():
            digests = self._digests(page)
            # Items without an id may be equal. Continuing after the first match may repeat some items, but loses none.
            for number, digest in enumerate(digests, 1):
                if digest in position.delivered[-1:]:
                    position.cursor = cursor
                    position.delivered = digests[:number]
                    return
            cursor = pager.cursor
        self._warn("the latest item is not in the list any more, so all of its items come again")
        position.cursor = None
        position.delivered = []

    def _digests(self, page: Page[T]) -> list[str]:
        """Return the digests of the items of a page."""
        return [digest_of(to_json(item), self._follow.id) for item in page.items]

    def _warn(self, message: str) -> None:
        logger.warning("%s: %s", self._follow.operation, message)


@attrs.define(eq=False)
class Position:
    """The place after the latest item: the cursor of its page, and the items of that page that were delivered.

    Attributes:
        source: The list and its server.
        cursor: The cursor that the page was fetched with; None is the beginning of the list.
        delivered: The digests of the delivered items of the page, in their order.
        skipping: Whether all items are skipped until the list has been read once.
    """

    source: str = attrs.field(validator=instance_of(str))
    cursor: str | None = attrs.field(default=None, validator=optional(instance_of(str)))
    delivered: list[str] = attrs.field(factory=list[str], validator=deep_iterable(instance_of(str), instance_of(list)))
    skipping: bool = attrs.field(default=False, validator=instance_of(bool))

    @classmethod
    def parse(cls, text: str, source: str) -> Self:
        """Parse the text of an earlier position in a list.

        Raises:
            InvalidArgumentError: The text is not a position, or it is a position in another list.
        """
        try:
            position = cls(**json.loads(text))
        except (TypeError, ValueError):
            raise InvalidArgumentError(
                f"start must be the `position` of a follower, not {format_value(text)}"
            ) from None
        if position.source != source:
            raise InvalidArgumentError(f"start is a position in {truncate(position.source, 500)}, and not in {source}")
        return position


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
