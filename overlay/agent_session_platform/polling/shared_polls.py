"""The polls that waits share: one poll of a list reads the objects of many waits."""

from __future__ import annotations

import asyncio
import copy
import logging
import random
from collections.abc import Awaitable, Callable
from typing import Any, Final, Generic, TypeVar

import attrs

from .._api import Page, Pager, Parameter, ReceivedResponse
from ..errors import (
    AgentPlatformError,
    AuthenticationError,
    ClientClosedError,
    CredentialUnavailableError,
    DecodeError,
    PagingError,
)
from ..paths import comparable_id
from ..response.exchange import collect_responses, collected_responses
from ..retry import RetryPolicy
from .poll_schedule import will_pass

T = TypeVar("T")

logger = logging.getLogger("agent_session_platform")

# How many requests a list is expected to need before it was read once.
UNKNOWN_COST: Final = 4

# These errors say nothing about the list: to read each object alone would fail as well.
NOT_OF_THE_LIST: Final = (AuthenticationError, ClientClosedError, CredentialUnavailableError)


@attrs.define(eq=False)
class PollRound(Generic[T]):
    """The polls that are due at one time.

    Attributes:
        ids: The ids of the objects; an id for each wait.
        task: Returns the objects that were read from the list, by id.
        responses: The responses of the list.
    """

    ids: list[str] = attrs.field(factory=list[str])
    task: asyncio.Task[dict[str, T]] = attrs.field(init=False)
    responses: list[ReceivedResponse] = attrs.field(factory=list[ReceivedResponse])


@attrs.define(eq=False)
class SharedPolls(Generic[T]):
    """The polls of one list, for the waits of one client: a thousand waits read a few pages.

    Attributes:
        phase: Where the rounds of these polls lie; see `PollSchedule`.
        failing: Whether the latest poll has failed, and this was logged.
    """

    # Lists the objects after a cursor; None if there is no list, or it must not be read.
    _list_after: Callable[[str | None], Pager[T]] | None
    # The member of a listed object that has its id, and the path parameter that takes the id.
    _id: str
    _parameter: Parameter
    _policy: RetryPolicy
    phase: float = attrs.field(factory=random.random)
    failing: bool = False
    # How many requests the latest poll needed, including the requests for objects that were not on the pages.
    _cost: int = UNKNOWN_COST
    # Whether the latest reading of the list has met a bad page, and this was logged.
    _has_bad_page: bool = False
    # The fields that were seen in objects of the list.
    _seen_fields: set[str] = attrs.field(factory=set[str])
    # The polls that are due, by their time. Waits meet at equal times: their schedules have the same phase, so equal
    # intervals give the same rounds, computed in the same way, and the floats are equal.
    _rounds: dict[float, PollRound[T]] = attrs.field(factory=lambda: dict[float, PollRound[T]]())

    async def read(
        self, round_at: float, object_id: str, needed: set[str], read_alone: Callable[[], Awaitable[T]]
    ) -> tuple[T, bool]:
        """Sleep until a round, and read an object: from the list if that costs less than to read each object alone.

        Args:
            round_at: The time of the round.
            object_id: The id of the object, as `comparable_id` gives it.
            needed: The fields that the wait needs; the items of the list may lack some.
            read_alone: Reads the object itself.

        Returns:
            The object, and whether it is an item of the list, which may lack fields.

        Raises:
            AgentPlatformError: The object could not be read; or the list, and reading its objects alone would fail as
                well.
        """
        this_round = self._rounds.get(round_at)
        if this_round is None:
            this_round = self._rounds[round_at] = PollRound()
            this_round.task = asyncio.create_task(self._poll(round_at, this_round))
        this_round.ids.append(object_id)
        try:
            # If this wait is cancelled, the other waits still need the poll.
            items = await asyncio.shield(this_round.task)
        except AgentPlatformError as error:
            # Each wait raises its own copy. The traceback would keep the frames of the waits, which have the poll.
            raise copy.copy(error.with_traceback(None)) from error.__cause__
        finally:
            this_round.ids.remove(object_id)
            if not this_round.ids:
                # A task that is cancelled before it has begun ends without a step.
                self._end_joining(round_at, this_round)
                this_round.task.cancel()
            collect_responses(this_round.responses)
        item = items.get(object_id)
        # A field that the list has shown for another item is null in this one. A field that it has never shown must be
        # read from the object itself, unless the contract states a default.
        if item is None or any(getattr(item, name, None) is None for name in needed - self._seen_fields):
            return await read_alone(), False
        return item, True

    async def _poll(self, round_at: float, this_round: PollRound[T]) -> dict[str, T]:
        """Sleep until a round, and read the list if that costs less; return the objects that were read, by id."""
        # The task has the context of the wait that has begun it, but the responses are those of all waits.
        collected_responses.set(this_round.responses)
        try:
            await asyncio.sleep(round_at - asyncio.get_running_loop().time())
        finally:
            self._end_joining(round_at, this_round)
        if len(this_round.ids) <= self._cost:
            return {}
        return await self._read_pages(set(this_round.ids))

    def _end_joining(self, round_at: float, this_round: PollRound[T]) -> None:
        """Let no other wait join a round."""
        if self._rounds.get(round_at) is this_round:
            del self._rounds[round_at]

    async def _read_pages(self, wanted: set[str]) -> dict[str, T]:
        """Read pages of the list, at most as many as objects are missing; return the objects on them by id."""
        items: dict[str, T] = {}
        cursor: str | None = None
        pages = 0
        try:
            while self._list_after is not None and len(wanted - items.keys()) > pages:
                pager = self._list_after(cursor)
                page: Page[Any] = await pager.first_page()
                pages += 1
                for item in page.items:
                    members = item.to_dict()
                    self._seen_fields.update(members)
                    object_id = comparable_id(self._parameter, members.get(self._id))
                    if object_id:
                        items[object_id] = item
                if pager.exhausted:
                    break
                cursor = pager.cursor
        except AgentPlatformError as error:
            if isinstance(error, NOT_OF_THE_LIST) or will_pass(error, self._policy):
                raise
            if not isinstance(error, DecodeError | PagingError):
                # The list is refused, but its objects may not be: read each alone from now on.
                self._list_after = None
            if not self._has_bad_page:
                logger.warning("a list cannot be read, and waits read each object alone: %s", error)
            # The next round reads the list again: a bad page may come from a proxy, during an outage.
            self._has_bad_page = True
            return items
        self._has_bad_page = False
        self._cost = pages + len(wanted - items.keys())
        return items
