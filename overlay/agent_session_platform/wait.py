"""Wait for an object: it is polled, because the API's description shows no event.

`PollInterval` has the time between two polls, which a follower uses, too. A `WaitLoop` polls one object. Many waits
read one list through `SharedPolls`. A `Condition` decides whether an object ends a wait.
"""

from __future__ import annotations

import asyncio
import copy
import logging
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from inspect import isawaitable
from typing import Any, Final, Generic, TypeVar, cast

import attrs
from attrs.validators import optional

from ._api import UNSET, Model, OutcomeT, Page, Pager, PolledChange, Reason, Until, Wait
from .catalogue import with_prefix
from .errors import (
    AgentPlatformError,
    AuthenticationError,
    DeadlineExceededError,
    DecodeError,
    InvalidArgumentError,
    NotFoundError,
    PagingError,
    PoolTimeoutError,
    ProblemError,
)
from .retry import RetryPolicy
from .runtime import Runtime, TimeUpError
from .text import format_value
from .validators import is_async_function, valid_seconds

T = TypeVar("T")

logger = logging.getLogger("agent_session_platform")

# Each poll without a change makes the interval longer, up to this multiple of `every` unless `max_every` is given.
GROWTH: Final = 1.5
SLOWEST: Final = 6.0

# The last poll of a wait begins at least this many seconds before its deadline. In a short wait this share is enough.
LAST_POLL_SECONDS: Final = 1.0
LAST_POLL_SHARE: Final = 0.05

# Waits with equal intervals poll in rounds: this share of the interval is the time between two rounds.
ROUND_SHARE: Final = 0.2
# How many requests a list is expected to need before it was read once.
UNKNOWN_COST: Final = 4

POSITIVE: Final = valid_seconds(positive=True, finite=True)


@attrs.frozen
class PollInterval:
    """The interval between two polls, which grows while nothing changes.

    Attributes:
        every: Seconds between two polls in the beginning, and after a change.
        max_every: Seconds between two polls at most, at least `every`; None means six times `every`.

    Raises:
        InvalidArgumentError: A value is not a positive and finite number, or `max_every` is less than `every`.
    """

    every: float = attrs.field(validator=POSITIVE)
    max_every: float | None = attrs.field(validator=optional(POSITIVE))

    def __attrs_post_init__(self) -> None:
        if self.max_every is not None and self.max_every < self.every:
            raise InvalidArgumentError(f"max_every must be at least every={self.every:g}, not {self.max_every:g}")

    def longer(self, interval: float) -> float:
        """Return the interval after a poll without a change."""
        return min(GROWTH * interval, self.max_every or SLOWEST * self.every)


@attrs.frozen
class WaitTimes(PollInterval):
    """The time limits of a wait, and the intervals of its polls.

    Attributes:
        timeout: Seconds for the whole wait.
        stalled_after: Seconds without any change that end the wait; None means never.
    """

    timeout: float = attrs.field(validator=POSITIVE)
    stalled_after: float | None = attrs.field(validator=optional(POSITIVE))


def may_recover(error: AgentPlatformError, policy: RetryPolicy, *, has_succeeded: bool) -> bool:
    """Return whether another poll may succeed after an error.

    Args:
        error: Why a poll has failed. Its call was retried before, as the policy says.
        policy: The client's retry policy, which knows the errors that are retried.
        has_succeeded: Whether an earlier poll has succeeded. If so, a response that is not from the API means an
            outage, and not a wrong base URL.
    """
    if isinstance(error, DecodeError | PagingError):
        return has_succeeded
    return isinstance(error, DeadlineExceededError | PoolTimeoutError) or policy.is_retryable("GET", error)


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
        self._wait = wait
        self._runtime = runtime
        self._policy = runtime.configuration.retry
        self._times = WaitTimes(wait.every, wait.max_every, wait.timeout, wait.stalled_after)
        self._conditions = {"until": make_condition("until", wait.until, all)}
        if wait.unexpected is not None:
            self._conditions["unexpected"] = make_condition("unexpected", wait.unexpected, any)
        self._fields = [name for condition in self._conditions.values() for name in condition.fields]
        # These flags mean that the object is gone. If a condition names a flag, only the condition decides.
        self._gone = [flag for flag in wait.gone if flag not in self._fields]
        self._needed = {*self._fields, *self._gone}
        # A function may read any field, also a field that the items of the list lack.
        list_key = wait.shared if all(condition.fields for condition in self._conditions.values()) else None
        own = SharedPolls[T](wait.listed, wait.id, self._policy)
        self._polls = own if list_key is None else polls.setdefault(list_key, own)
        # The items of the list have ids with a prefix, which a caller may leave out.
        path = [parameter for parameter in wait.operation.parameters if parameter.location == "path"]
        self._object_id = with_prefix(path[-1], wait.key)
        self._now = runtime.loop.time
        self._began = self._changed_at = self._now()
        self._last: T | None = None
        self._count = 0
        # The values that each field has had; None is never new.
        self._seen: dict[str, list[Any]] = defaultdict(lambda: [None])
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
        interval = self._times.every
        deadline = self._began + self._times.timeout
        margin = min(LAST_POLL_SECONDS, LAST_POLL_SHARE * self._times.timeout)
        # Waits that begin together share their first round, which is due at once, and their last round.
        due, last_due = 0.0, margin * (deadline // margin - 1.0)
        while due <= deadline:
            change = None
            try:
                reading = self._polls.read_when_due(self._object_id, self._needed, due, self._wait.read)
                item = await self._runtime.while_open(reading, at_most=deadline - self._now())
            except TimeUpError:
                break
            except AgentPlatformError as error:
                self._error = error
                if isinstance(error, NotFoundError) and self._last is not None:
                    return self._end("gone")
                if not may_recover(error, self._policy, has_succeeded=self._last is not None):
                    raise
                # A failed poll of the list concerns all its waits, but is logged only once.
                if not self._polls.failing:
                    logger.warning("%s: a poll has failed, and the wait goes on: %s", self._wait.operation, error)
                self._polls.failing = True
            else:
                self._polls.failing, self._error = False, None
                change = self._record(item)
                if change is not None and self._wait.on_change is not None:
                    result = self._wait.on_change(change)
                    if isawaitable(result):
                        await result
                if reason := self._reason(item):
                    return self._end(reason)
            if self._now() >= last_due:
                break
            interval = self._times.every if change else self._times.longer(interval)
            due = min(self._polls.next_round(interval), last_due)
            if isinstance(self._error, ProblemError) and self._error.retry_after:
                # A round may begin early by half a step, but not before the time that the server asks for.
                due = max(due, self._polls.next_round((1.0 + ROUND_SHARE) * self._error.retry_after))
        return self._end("deadline")

    def _record(self, item: T) -> PolledChange[T] | None:
        """Record the object that was read; return the change, or None if nothing has changed."""
        before, self._last = self._last, item
        self._count += 1
        if before is None:
            for argument, condition in self._conditions.items():
                check_names(cast("Model", item), argument, condition.fields)
        elif item == before:
            return None
        self._changed_at = self._now()
        return PolledChange(before, item, self._first_seen(item))

    def _first_seen(self, item: Any) -> dict[str, Any]:
        """Return each field whose value is seen for the first time, with this value."""
        plain = (name for name, value in item.to_dict().items() if isinstance(value, str | int | float))
        values = {name: values_of(item, name)[0] for name in self._fields or plain}
        new = {name: value for name, value in values.items() if value not in self._seen[name]}
        for name, value in new.items():
            self._seen[name].append(value)
        return new

    def _reason(self, item: T) -> Reason | None:
        """Return why the wait ends with this object; None if the wait goes on. An error of a condition is raised."""
        for argument, condition in self._conditions.items():
            if condition.holds(item):
                return "matched" if argument == "until" else "unexpected"
        if any(has_value(item, flag, [True]) for flag in self._gone):
            return "gone"
        patience = self._times.stalled_after
        return "stalled" if patience is not None and self._now() >= self._changed_at + patience else None

    def _end(self, reason: Reason) -> OutcomeT:
        elapsed = self._now() - self._began
        return self._wait.outcome(reason=reason, last=self._last, elapsed=elapsed, polls=self._count, error=self._error)


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
        id: The member of an object that has its id.
        policy: The client's retry policy.

    Attributes:
        failing: Whether the latest poll has failed, and this was logged.
    """

    def __init__(self, listed: Callable[[str | None], Pager[T]] | None, id: str, policy: RetryPolicy) -> None:
        self.failing = False
        self._listed = listed
        self._id = id
        self._policy = policy
        # How many requests the latest poll needed, including the requests for objects that were not on the pages.
        self._cost = UNKNOWN_COST
        # The fields that were seen in objects of the list.
        self._shown: set[str] = set()
        self._rounds: dict[float, PollRound[T]] = {}
        # Programs that began together must not poll together.
        self._phase = random.random()

    def next_round(self, interval: float) -> float:
        """Return the time of the round that is closest to the end of an interval, by the clock of the event loop."""
        step = ROUND_SHARE * interval
        end = asyncio.get_running_loop().time() + interval
        return step * (round(end / step - self._phase) + self._phase)

    async def read_when_due(self, object_id: str, fields: set[str], due: float, read: Callable[[], Awaitable[T]]) -> T:
        """Sleep until a round, and read an object: from the list if that costs less than to read each object alone.

        Args:
            object_id: The id of the object.
            fields: The fields that the wait needs; the items of the list may lack some.
            due: The time of the round.
            read: Reads the object alone.

        Raises:
            AgentPlatformError: The object could not be read; or the list, and reading its objects alone would fail as
                well.
        """
        loop = asyncio.get_running_loop()
        this_round = self._rounds.setdefault(due, PollRound())
        this_round.ids.append(object_id)
        try:
            await asyncio.sleep(due - loop.time())
        finally:
            self._rounds.pop(due, None)
        if this_round.poll is None and self._listed is not None and len(this_round.ids) > self._cost:
            this_round.poll = loop.create_task(self._read_pages(self._listed, set(this_round.ids)))
        if this_round.poll is not None:
            # If this wait is cancelled, the other waits still need the poll.
            try:
                items = await asyncio.shield(this_round.poll)
            except AgentPlatformError as error:
                # Each wait raises its own copy.
                raise copy.copy(error) from error.__cause__
            if object_id in items and self._shown.issuperset(fields):
                return items[object_id]
        return await read()

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
                    items[str(getattr(item, self._id, None))] = item
                    self._shown.update(item.to_dict())
                if pager.exhausted:
                    break
                cursor = pager.cursor
            self._cost = pages + len(wanted - items.keys())
        except AgentPlatformError as error:
            if isinstance(error, AuthenticationError) or may_recover(error, self._policy, has_succeeded=False):
                raise
            # The error may concern only the list: read each object alone from now on.
            self._listed = None
        return items


@attrs.frozen
class Condition:
    """A checked `until` or `unexpected`.

    Attributes:
        fields: The fields that the condition names; empty if the condition is a function.
        holds: Returns whether an object meets the condition.
    """

    fields: tuple[str, ...]
    holds: Callable[[Any], bool]


@attrs.define(eq=False)
class Changed:
    """A test of whether a field of an object has another value than in the first object that was passed.

    Attributes:
        fields: The names of the fields.
        since: The value to compare with instead; UNSET means the value of the first object.
    """

    fields: tuple[str, ...]
    since: Any = UNSET
    _first: dict[str, list[Any]] = attrs.field(factory=lambda: dict[str, list[Any]](), init=False, repr=False)

    def __call__(self, item: object) -> bool:
        """Return whether one of the fields has changed."""
        for name in self.fields:
            self._first.setdefault(name, values_of(item, name) if self.since is UNSET else [self.since])
        return any(not has_value(item, name, first) for name, first in self._first.items())


def changed(*fields: str, since: Any = UNSET) -> Changed:
    """Make a condition for `until` that holds once a field has another value than at the first poll.

    Args:
        fields: The names of the fields, at least one; if there are several, one change is enough.
        since: The value to compare with, for a single field. With `since`, a change between an earlier read and the
            first poll is not missed. The value may be None.

    Returns:
        A function for `until`, which takes the object. It can be passed to several waits: each of them begins anew.

    Raises:
        InvalidArgumentError: There is no name, a name is not text, or `since` is for several fields.

    Example:
        schedule = await organization.schedules.get(schedule_id)
        next_run = changed("last_executed_at", since=schedule.last_executed_at)
        outcome = await organization.schedules.wait(schedule_id, until=next_run)
    """
    if not fields or not all(isinstance(field, str) for field in fields):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
        raise InvalidArgumentError("changed() takes names of fields, such as 'updated_at'")
    if since is not UNSET and len(fields) > 1:
        raise InvalidArgumentError("since= is the value of one field; changed() was given several")
    return Changed(fields, since)


def make_condition(argument: str, passed: Until[Any], combine: Callable[[Iterable[bool]], bool]) -> Condition:
    """Check what was passed as a condition.

    Args:
        argument: The name of the argument.
        passed: What was passed.
        combine: `all` if all fields must match, `any` if one is enough.

    Raises:
        InvalidArgumentError: The condition is neither values by field nor a plain function.
    """
    if isinstance(passed, Changed):
        return Condition(passed.fields, attrs.evolve(passed))
    if isinstance(passed, Mapping):
        accepted = {name: accepted_values(value) for name, value in cast("Mapping[Any, Any]", passed).items()}

        def values_match(item: object) -> bool:
            return combine(has_value(item, name, values) for name, values in accepted.items())

        if accepted:
            return Condition(tuple(accepted), values_match)
    elif callable(passed) and not is_async_function(passed):
        return Condition((), passed)
    raise InvalidArgumentError(f"{argument} must be values by field, such as {{'title': 'done'}}, or a plain function")


def accepted_values(passed: Any) -> list[Any]:
    """Return the values that a field may have: in a list, because they may not be hashable.

    A text or a mapping is one value. A list may be several values, or be the value itself, such as a list of tags.
    """
    if isinstance(passed, str | Mapping) or not isinstance(passed, Iterable):
        return [passed]
    return [*passed, passed]


def has_value(item: object, name: str, accepted: list[Any]) -> bool:
    """Return whether a field has one of the accepted values."""
    return any(value in accepted for value in values_of(item, name))


def values_of(item: Any, name: str) -> list[Any]:
    """Return a field as the model gives it, and as it came. A time, for example, is also a text.

    A field that is absent is None, also if the model calls it required.
    """
    in_model = getattr(item, name, None)
    return [in_model, item.to_dict().get(name, in_model)]


def check_names(item: Model, argument: str, fields: Iterable[str]) -> None:
    """Refuse the name of a field that neither an object nor its model has: the wait would be in vain.

    Raises:
        InvalidArgumentError: There is no such field.
    """
    in_model = [name for name, member in vars(type(item)).items() if isinstance(member, property)]
    known = list(dict.fromkeys([*in_model, *item.to_dict()]))
    for name in fields:
        if name not in known:
            what = f"{argument} names {format_value(name)}, which no {type(item).__name__} has"
            raise InvalidArgumentError(f"{what}: it has {', '.join(known)}")
