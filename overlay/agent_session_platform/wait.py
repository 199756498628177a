"""Wait for an object: it is polled, because the API's description shows no event.

A `WaitLoop` polls one object, and `SharedPolls` read many objects from one list. `poll_schedule.py` decides when a poll
is due, and `conditions.py` whether the object ends the wait.
"""

from __future__ import annotations

import asyncio
import copy
import logging
import math
import random
from collections.abc import Awaitable, Callable, MutableMapping
from inspect import isawaitable
from typing import Any, Final, Generic, TypeVar, cast

import attrs

from ._api import Model, OutcomeT, Page, Pager, Parameter, PolledChange, Reason, ReceivedResponse, Until, Wait
from .catalogue import bare_id, path_parameters
from .conditions import Conditions, States
from .errors import (
    AgentPlatformError,
    AuthenticationError,
    ClientClosedError,
    CredentialUnavailableError,
    DeadlineExceededError,
    DecodeError,
    InvalidArgumentError,
    NotFoundError,
    PagingError,
)
from .poll_schedule import FOREIGN_SECONDS, PollSchedule, check_seconds, may_recover, will_pass
from .response.exchange import collect_responses, collected_responses
from .retry import RetryPolicy
from .runtime import Runtime, TimeUpError

T = TypeVar("T")

logger = logging.getLogger("agent_session_platform")

# The last poll of a wait begins so many seconds before its deadline; or this share of the timeout, if that is less.
LAST_POLL_SECONDS: Final = 1.0
LAST_POLL_SHARE: Final = 0.05

# How many requests a list is expected to need before it was read once.
UNKNOWN_COST: Final = 4

# These errors say nothing about the list: to read each object alone would fail as well.
NOT_OF_THE_LIST: Final = (AuthenticationError, ClientClosedError, CredentialUnavailableError)


class WaitLoop(Generic[T, OutcomeT]):
    """One wait for an object: what it has seen so far, and when it polls next.

    Args:
        wait: How to read the object, and when the wait ends.
        runtime: The parts that the calls of the client share.
        polls: The shared polls of the client, by list.

    Raises:
        InvalidArgumentError: A setting is refused.
    """

    def __init__(self, wait: Wait[T, OutcomeT], runtime: Runtime, polls: MutableMapping[Any, SharedPolls[Any]]) -> None:
        check_seconds(wait)
        self._wait = wait
        self._runtime = runtime
        self._now = runtime.loop.time
        self._began = self._changed_at = self._now()
        self._conditions = Conditions(until_of(wait), wait.unexpected, wait.gone)
        parameter = path_parameters(wait.operation)[-1]
        self._object_id = bare_id(parameter, wait.key)
        self._polls = SharedPolls[T](wait.listed, wait.id, parameter, runtime.configuration.retry)
        # A function may read any field, also a field that the items of the list lack.
        if wait.shared is not None and not self._conditions.has_function:
            self._polls = polls.setdefault(wait.shared, self._polls)
        self._deadline = self._began + wait.timeout
        margin = min(LAST_POLL_SECONDS, LAST_POLL_SHARE * wait.timeout)
        # Waits that begin together share their last round.
        last = margin * (self._deadline // margin - 1.0)
        self._schedule = PollSchedule(wait.every, wait.max_every, self._polls.phase, last)
        self._last: T | None = None
        self._count = 0
        # Why the latest poll has failed. Until a poll has ended, this is the reason.
        no_poll = f"no poll has ended within the {wait.timeout:g} s of the wait"
        self._error: AgentPlatformError | None = DeadlineExceededError(no_poll, operation=wait.operation)

    async def run(self) -> OutcomeT:
        """Poll until the wait ends.

        Returns:
            How the wait has ended.

        Raises:
            InvalidArgumentError: A condition names a field that the object does not have.
            NotFoundError: There is no such object at the first poll.
            AgentPlatformError: A poll failed, and another poll would fail as well; or the client was closed.
        """
        # Waits that begin together share their first round, which is due at once.
        due: float | None = 0.0
        while due is not None:
            is_changed = False
            try:
                reading = self._polls.read(due, self._object_id, self._conditions.needed, self._wait.read)
                item = await self._runtime.while_open(reading, at_most=self._deadline - self._now())
            except TimeUpError:
                break
            except AgentPlatformError as error:
                is_gone = self._last is not None and isinstance(error, NotFoundError)
                if not is_gone and not may_recover(error, self._runtime, self._began):
                    # Raised here, where the frame loses the error: otherwise both would stay in memory.
                    raise
                # The traceback would keep the frames of this wait, which has the error.
                self._error = error.with_traceback(None)
                if is_gone:
                    return self._end("gone")
                # A failed poll of the list concerns all its waits, but is logged only once.
                if not self._polls.failing:
                    logger.warning("%s: a poll has failed, and the wait goes on: %s", self._wait.operation, error)
                self._polls.failing = True
            else:
                is_changed = await self._record(item)
                reason = self._reason(item)
                if reason is not None:
                    return self._end(reason)
            due = self._schedule.next(self._now(), changed=is_changed, error=self._error)
        return self._end("deadline")

    async def _record(self, item: T) -> bool:
        """Record the object that was read, and report a change of it; return whether it has changed."""
        before, self._last = self._last, item
        self._count += 1
        self._error = None
        self._polls.failing = False
        if before is None:
            self._conditions.check_names(cast("Model", item))
        elif item == before:
            return False
        self._changed_at = self._now()
        if self._wait.on_change is not None:
            result = self._wait.on_change(PolledChange(before, item))
            if isawaitable(result):
                await result
        return True

    def _reason(self, item: T) -> Reason | None:
        """Return why the wait ends with this object; None if the wait goes on. An error of a condition is raised."""
        reason = self._conditions.reason(item)
        stalled_after = self._wait.stalled_after
        if reason is None and stalled_after is not None and self._now() >= self._changed_at + stalled_after:
            return "stalled"
        return reason

    def _end(self, reason: Reason) -> OutcomeT:
        state = None
        if reason == "matched":
            state = self._conditions.state(self._last)
        return self._wait.outcome(
            reason=reason,
            state=state,
            last=self._last,
            elapsed=self._now() - self._began,
            polls=self._count,
            error=self._error,
        )


def until_of(wait: Wait[T, Any]) -> Until[T]:
    """Return the condition of a wait; without `until`, the states that the contract names.

    Raises:
        InvalidArgumentError: There is no condition, and the contract names no states.
    """
    if wait.until is not None:
        return wait.until
    states = wait.operation.states
    if not states:
        raise InvalidArgumentError("until must be values by field, such as {'title': 'done'}, or a plain function")
    return States(**states)


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
    _listed: Callable[[str | None], Pager[T]] | None
    # The member of a listed object that has its id, and the path parameter that takes the id.
    _id: str
    _parameter: Parameter
    _policy: RetryPolicy
    phase: float = attrs.field(factory=random.random)
    failing: bool = False
    # How many requests the latest poll needed, including the requests for objects that were not on the pages.
    _cost: int = UNKNOWN_COST
    # Since when each reading of the list has met a bad page; infinite if the latest reading has met none.
    _bad_since: float = math.inf
    # The fields that were seen in objects of the list.
    _shown: set[str] = attrs.field(factory=set[str])
    _rounds: dict[float, PollRound[T]] = attrs.field(factory=lambda: dict[float, PollRound[T]]())

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
        this_round = self._rounds.get(due)
        if this_round is None:
            this_round = self._rounds[due] = PollRound()
            this_round.task = asyncio.create_task(self._poll(due, this_round))
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
                self._end_joining(due, this_round)
                this_round.task.cancel()
            collect_responses(this_round.responses)
        item = items.get(object_id)
        # A field that other items have is null here. For any other field that is absent the model has a value only if
        # the contract states a default.
        if item is None or any(getattr(item, name, None) is None for name in needed - self._shown):
            return await read_alone()
        return item

    async def _poll(self, due: float, this_round: PollRound[T]) -> dict[str, T]:
        """Sleep until a round, and read the list if that costs less; return the objects that were read, by id."""
        # The task has the context of the wait that has begun it, but the responses are those of all waits.
        collected_responses.set(this_round.responses)
        try:
            await asyncio.sleep(due - asyncio.get_running_loop().time())
        finally:
            self._end_joining(due, this_round)
        if len(this_round.ids) <= self._cost:
            return {}
        return await self._read_pages(set(this_round.ids))

    def _end_joining(self, due: float, this_round: PollRound[T]) -> None:
        """Let no other wait join a round."""
        if self._rounds.get(due) is this_round:
            del self._rounds[due]

    async def _read_pages(self, wanted: set[str]) -> dict[str, T]:
        """Read pages of the list, at most as many as objects are missing; return the objects on them by id."""
        items: dict[str, T] = {}
        cursor: str | None = None
        pages = 0
        try:
            while self._listed is not None and len(wanted - items.keys()) > pages:
                pager = self._listed(cursor)
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
        except AgentPlatformError as error:
            if isinstance(error, NOT_OF_THE_LIST) or will_pass(error, self._policy):
                raise
            if self._may_be_an_outage(error):
                # The waits of this round read the other objects alone, and the next round reads the list again.
                return items
            # The error may concern only the list: read each object alone from now on.
            self._listed = None
            logger.warning("a list is not read any more, and waits read each object alone: %s", error)
        else:
            self._bad_since = math.inf
        self._cost = pages + len(wanted - items.keys())
        return items

    def _may_be_an_outage(self, error: AgentPlatformError) -> bool:
        """Return whether the list may be read again after a response that is no page of it."""
        if not isinstance(error, DecodeError | PagingError):
            return False
        now = asyncio.get_running_loop().time()
        self._bad_since = min(self._bad_since, now)
        return now < self._bad_since + FOREIGN_SECONDS
