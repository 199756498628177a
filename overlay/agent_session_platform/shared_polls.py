"""Read an object for a wait: alone, or from one poll of a list that many waits share."""

from __future__ import annotations

import asyncio
import copy
import math
import random
from collections.abc import Awaitable, Callable
from typing import Any, Final, Generic, TypeVar

import attrs

from ._api import Page, Pager, Parameter
from .catalogue import bare_id
from .errors import AgentPlatformError, AuthenticationError
from .poll_schedule import may_recover
from .retry import RetryPolicy

T = TypeVar("T")

# How many requests a list is expected to need before it was read once.
UNKNOWN_COST: Final = 4


@attrs.define(eq=False)
class PollRound(Generic[T]):
    """The polls that are due at one time.

    Attributes:
        ids: The ids of the objects.
        poll: The poll of the list; it returns the objects by id. None if the list is not read.
    """

    ids: list[str] = attrs.field(factory=lambda: list[str]())
    poll: asyncio.Task[dict[str, T]] | None = None


class SharedPolls(Generic[T]):
    """The polls of one list, for the waits of one client: a thousand waits read a few pages.

    Args:
        listed: Lists the objects after a cursor; None if there is no list.
        id: The member of a listed object that has its id.
        parameter: The path parameter that takes the id.
        policy: The client's retry policy.

    Attributes:
        phase: Where the rounds of these polls lie; see `PollSchedule`.
        failing: Whether the latest poll has failed, and this was logged.
    """

    def __init__(
        self, listed: Callable[[str | None], Pager[T]] | None, id: str, parameter: Parameter, policy: RetryPolicy
    ) -> None:
        self.phase = random.random()
        self.failing = False
        self._listed = listed
        self._id = id
        self._parameter = parameter
        self._policy = policy
        # How many requests the latest poll needed, including the requests for objects that were not on the pages.
        self._cost = UNKNOWN_COST
        # The fields that were seen in objects of the list.
        self._shown: set[str] = set()
        self._rounds: dict[float, PollRound[T]] = {}

    async def read(self, due: float, object_id: str, needed: set[str], read_alone: Callable[[], Awaitable[T]]) -> T:
        """Sleep until a round, and read an object: from the list if that costs less than to read each object alone.

        Args:
            due: The time of the round.
            object_id: The id of the object, as `bare_id` gives it.
            needed: The fields that the wait needs; the items of the list may lack some.
            read_alone: Reads the object itself.

        Raises:
            AgentPlatformError: The object could not be read; or the list, and reading its objects alone would fail as
                well.
        """
        items = await self._read_round(due, object_id)
        item = items.get(object_id)
        if item is not None and self._shows(item, needed):
            return item
        return await read_alone()

    async def _read_round(self, due: float, object_id: str) -> dict[str, T]:
        """Return the objects that the poll of a round has found in the list; none if the list is not read."""
        loop = asyncio.get_running_loop()
        this_round = self._rounds.setdefault(due, PollRound())
        this_round.ids.append(object_id)
        try:
            await asyncio.sleep(due - loop.time())
        finally:
            self._rounds.pop(due, None)
        if this_round.poll is None:
            if self._listed is None or len(this_round.ids) <= self._cost:
                return {}
            this_round.poll = loop.create_task(self._read_pages(self._listed, set(this_round.ids)))
        try:
            # If this wait is cancelled, the other waits still need the poll.
            return await asyncio.shield(this_round.poll)
        except AgentPlatformError as error:
            # Each wait raises its own copy. The traceback would keep the frames of the waits, which have the poll.
            raise copy.copy(error.with_traceback(None)) from error.__cause__

    def _shows(self, item: T, fields: set[str]) -> bool:
        """Return whether an item of the list has these fields.

        A field that other items have is null here. For any other field that is absent the model has a value only if the
        contract states a default.
        """
        return all(getattr(item, name, None) is not None for name in fields - self._shown)

    async def _read_pages(self, listed: Callable[[str | None], Pager[T]], wanted: set[str]) -> dict[str, T]:
        """Read pages of the list, at most as many as objects are missing; return the objects on them by id."""
        items: dict[str, T] = {}
        cursor: str | None = None
        pages = 0
        try:
            while len(wanted - items.keys()) > pages:
                pager = listed(cursor)
                page: Page[Any] = await pager.first_page()
                pages += 1
                for item in page.items:
                    members = item.to_dict()
                    self._shown.update(members)
                    object_id = bare_id(self._parameter, members.get(self._id))
                    if object_id:
                        items[object_id] = item
                if pager.exhausted:
                    break
                cursor = pager.cursor
            self._cost = pages + len(wanted - items.keys())
        except AgentPlatformError as error:
            if isinstance(error, AuthenticationError) or may_recover(
                error, self._policy, has_succeeded=False, elapsed=math.inf
            ):
                raise
            # The error may concern only the list: read each object alone from now on.
            self._listed = None
        return items
