"""Follow a list: poll its last page, and deliver new items; a `Position` records what was delivered."""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from hashlib import blake2b
from typing import Any, Final, Generic, Self, TypeVar, cast

import attrs
from attrs.validators import instance_of, optional

from .._api import Follow, Follower, ListReader, Page, to_json
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
        # The number of the latest poll or iteration. Only it moves the position; an earlier iteration ends.
        self._latest_reader = 0

    @property
    def position(self) -> str:
        """The position after the latest item; pass it as `start` to continue there."""
        return json.dumps(attrs.asdict(self._position))

    async def poll(self) -> list[T]:
        """Return the items that are new now; see `Follower.poll`."""
        async with self._polling:
            reader = self._begin_reading()
            position = self._position
            items: list[T] = []
            async with aclosing(self._read(position)) as steps:
                async for step in steps:
                    items += step.items
                    position = step.position
            self._move(reader, position)
            return items

    async def __aiter__(self) -> AsyncIterator[T]:
        """Iterate over the items; wait for more at the end of the list. An earlier iteration ends.

        Yields:
            The items, in the order of the list.

        Raises:
            AgentPlatformError: The polls have failed for `give_up_after` seconds, or the server asks to wait
                for longer, or another poll would fail as well.
        """
        reader = self._begin_reading()
        clock = asyncio.get_running_loop().time
        # Programs that began together must not poll together.
        phase = random.random()
        schedule = PollSchedule(self._follow.every, None, phase, give_up_after=self._follow.give_up_after)
        began = clock()
        round_at: float | None = began
        while round_at is not None:
            runtime = self._open_runtime()
            await runtime.while_open(asyncio.sleep(round_at - clock()))
            if reader != self._latest_reader:
                return
            has_new = False
            try:
                async with aclosing(self._read(self._position)) as steps:
                    async for step in steps:
                        if not self._move(reader, step.position):
                            return
                        for item in step.items:
                            has_new = True
                            yield item
            except AgentPlatformError as error:
                if not refuses_cursor(error) and not may_recover(error, runtime, began):
                    raise
                now = clock()
                round_at = schedule.after_failure(now, error, changed=has_new)
                if round_at is None:
                    raise
                if schedule.failing_since == now:
                    self._warn(f"a poll has failed, and the list is polled again: {error}")
            else:
                round_at = schedule.after_success(clock(), changed=has_new)

    def _begin_reading(self) -> int:
        """Return the number of a new poll or iteration, which alone moves the position from now on."""
        self._latest_reader += 1
        return self._latest_reader

    def _move(self, reader: int, position: Position) -> bool:
        """Set the position, unless another poll or iteration has begun; return whether it was set."""
        if reader != self._latest_reader:
            return False
        self._position = position
        return True

    async def _read(self, position: Position) -> AsyncGenerator[Step[T]]:
        """Read from the last page to the end of the list; from the latest item if the cursor of the page is refused.

        Yields:
            A step for each new item, for the end of each page, and for the end of the list.
        """
        is_refused = False
        while True:
            try:
                pager = self._list.resume(position.cursor)
                cursor = position.cursor
                async with closing_pages(pager) as pages:
                    async for page in pages:
                        for step in steps_over(page.items, self._digests(page), cursor, position):
                            yield step
                            position = step.position
                        cursor = pager.cursor
            except ProblemError as error:
                if is_refused or not refuses_cursor(error):
                    raise
                message = f"the server refuses the cursor of the last page ({error.status}); some items may come again"
                self._warn(message)
                is_refused = True
                position = await self._find_latest(position)
            else:
                yield Step([], attrs.evolve(position, skipping=False))
                return

    async def _find_latest(self, position: Position) -> Position:
        """Return the position after the latest item, wherever that is now; the beginning if the item is gone."""
        cursor = None
        pager = self._list.resume(cursor)
        async with closing_pages(pager) as pages:
            async for page in pages:
                digests = self._digests(page)
                # Items without an id may be equal. Continuing after the first match may repeat some, but loses none.
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


@attrs.frozen(eq=False)
class Step(Generic[T]):
    """A step of reading a list.

    Attributes:
        items: The new item, or none.
        position: The position after the step.
    """

    items: list[T]
    position: Position


def closing_pages(pager: ListReader[T]) -> aclosing[AsyncGenerator[Page[T]]]:
    """Return a context with the pages, which closes them: the next page is fetched meanwhile."""
    return aclosing(cast("AsyncGenerator[Page[T]]", pager.pages()))


def steps_over(items: Sequence[T], digests: list[str], cursor: str | None, position: Position) -> list[Step[T]]:
    """Return the steps over a page: one for each new item, and one to the end of the page.

    Args:
        items: The items of the page.
        digests: Their digests.
        cursor: The cursor of the page.
        position: The position before the page.
    """
    steps: list[Step[T]] = []
    if not digests:
        return steps
    delivered: list[str] = []
    if cursor == position.cursor:
        delivered = position.delivered
    known = Counter(delivered)
    for item, digest in zip(items, digests, strict=True):
        if known[digest]:
            # Only one counts, because items without an id may be equal.
            known[digest] -= 1
        elif not position.skipping:
            delivered = [*delivered, digest]
            steps.append(Step([item], attrs.evolve(position, cursor=cursor, delivered=delivered)))
    # The end of a list has no cursor, so each poll reads the last page again. Forget the items that are no longer on
    # it.
    steps.append(Step([], attrs.evolve(position, cursor=cursor, delivered=digests)))
    return steps


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
