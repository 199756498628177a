"""Wait for an object: it is polled, because the API's description shows no event.

A `Waiting` polls one object until a `Condition` holds. Many waits read one list through `SharedPolls`. A follower uses
`PollInterval` and `may_pass`, too.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import random
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import Any, Final, Generic, TypeVar, cast

import attrs
from attrs.validators import optional

from ._api import UNSET, OutcomeT, Pager, PolledChange, Reason, Until, Wait, to_json
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
from .text import format_value
from .validators import seconds

T = TypeVar("T")

logger = logging.getLogger("agent_session_platform")

# Each poll without a change makes the interval longer, up to this multiple of `every` unless `max_every` is given.
GROWTH: Final = 1.5
SLOWEST: Final = 6.0
# Polls that began together must not stay together: an interval is shorter or longer by up to this share.
JITTER: Final = 0.1

# The last poll of a wait begins this long before the deadline, but at most this share of the wait.
LAST_POLL_SECONDS: Final = 1.0
LAST_POLL_SHARE: Final = 0.1

# A poll of the list serves the waits that are due within this share of their interval.
SHARED_SHARE: Final = 0.25
# How many requests a list is expected to need before it was read once. Until more waits than this are due, each wait
# reads its own object.
UNKNOWN_COST: Final = 4

EXAMPLE: Final = '{"title": {"done", "failed"}}'

POSITIVE: Final = seconds(positive=True, finite=True)


@attrs.frozen(kw_only=True)
class PollInterval:
    """The interval between two polls, which grows while nothing changes.

    Attributes:
        every: Seconds between two polls in the beginning, and after a change.
        max_every: Seconds between two polls at most, at least `every`; None means six times `every`.

    Raises:
        InvalidArgumentError: A value is not a positive and finite number, or `max_every` is less than `every`.
    """

    every: float = attrs.field(validator=POSITIVE)
    max_every: float | None = attrs.field(default=None, validator=optional(POSITIVE))

    def __attrs_post_init__(self) -> None:
        if self.max_every is not None and self.max_every < self.every:
            raise InvalidArgumentError(f"max_every must be at least every={self.every:g}, not {self.max_every:g}")

    def longer(self, interval: float) -> float:
        """Return the interval after a poll without a change."""
        return min(GROWTH * interval, self.max_every or SLOWEST * self.every)


@attrs.frozen(kw_only=True)
class WaitTimes(PollInterval):
    """The time limits of a wait, and the intervals of its polls.

    Attributes:
        timeout: Seconds for the whole wait.
        stalled_after: Seconds without any change that end the wait; None means never.
    """

    timeout: float = attrs.field(validator=POSITIVE)
    stalled_after: float | None = attrs.field(default=None, validator=optional(POSITIVE))


def jittered(interval: float) -> float:
    """Return an interval, a little shorter or longer at random."""
    return interval * random.uniform(1.0 - JITTER, 1.0 + JITTER)


def may_pass(error: AgentPlatformError, policy: RetryPolicy, *, has_succeeded: bool) -> bool:
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


class Waiting(Generic[T, OutcomeT]):
    """One wait for an object: what it has seen so far, and when it polls next.

    Args:
        wait: How to read the object, and when the wait ends.
        shared: The shared polls of the client, by list.
        policy: The client's retry policy.

    Raises:
        InvalidArgumentError: A setting is refused.
    """

    def __init__(
        self, wait: Wait[T, OutcomeT], shared: MutableMapping[tuple[object, ...], SharedPolls[Any]], policy: RetryPolicy
    ) -> None:
        self._wait = wait
        self._policy = policy
        self._times = WaitTimes(
            timeout=wait.timeout, every=wait.every, max_every=wait.max_every, stalled_after=wait.stalled_after
        )
        self._conditions = [make_condition("until", wait.until, match_all=True)]
        if wait.unexpected is not None:
            self._conditions.append(make_condition("unexpected", wait.unexpected, match_all=False))
        self._fields = tuple(dict.fromkeys(name for condition in self._conditions for name in condition.fields))
        # These flags mean that the object is gone. If a condition names a flag, only the condition decides.
        self._gone = [flag for flag in wait.gone if flag not in self._fields]
        # A function may read any field, also a field that the items of the list lack.
        list_key = wait.shared if all(condition.fields for condition in self._conditions) else None
        own = SharedPolls[T](None if list_key is None else wait.listed, wait.id, policy)
        self._polls = own if list_key is None else shared.setdefault(list_key, own)
        # The items of the list have ids with a prefix, which a caller may leave out.
        path = [parameter for parameter in wait.operation.parameters if parameter.location == "path"]
        self._object_id = with_prefix(path[-1], wait.key)
        self._loop = asyncio.get_running_loop()
        self._began = self._polled_at = self._changed_at = self._loop.time()
        self._last: T | None = None
        self._count = 0
        self._seen: set[tuple[str, str]] = set()
        self._error: AgentPlatformError | None = None

    async def run(self) -> OutcomeT:
        """Poll until the wait ends.

        Returns:
            How the wait has ended.

        Raises:
            InvalidArgumentError: A condition names a field that the object does not have.
            NotFoundError: There is no such object at the first poll.
            AgentPlatformError: A poll failed, and another poll would fail as well.
        """
        due: float | None = self._began
        interval = self._times.every
        deadline = self._began + self._times.timeout
        while due is not None:
            change = None
            limit = asyncio.timeout_at(deadline)
            try:
                async with limit:
                    item = await self._read_when_due(due)
            except TimeoutError:
                if not limit.expired():
                    raise
                return self._end("deadline")
            except AgentPlatformError as error:
                self._polled_at = self._loop.time()
                is_outage, self._error = self._error is not None, error
                if isinstance(error, NotFoundError) and self._last is not None:
                    return self._end("gone")
                if not may_pass(error, self._policy, has_succeeded=self._last is not None):
                    raise
                # A failed poll of the list concerns all its waits, but is logged only once.
                if not is_outage and error is not self._polls.reported:
                    logger.warning("%s: a poll has failed, and the wait goes on: %s", self._wait.operation, error)
                self._polls.reported = error
            else:
                self._error = None
                change = self._note(item)
                if change is not None and self._wait.on_change is not None:
                    result = self._wait.on_change(change)
                    if isinstance(result, Awaitable):
                        await cast("Awaitable[object]", result)
                if reason := self._reason(item):
                    return self._end(reason)
            interval = self._times.every if change else self._times.longer(interval)
            due = self._next_due(interval, deadline)
        # There is no time for another poll, but the caller has asked for a wait of `timeout` seconds.
        await asyncio.sleep(deadline - self._loop.time())
        return self._end("deadline")

    async def _read_when_due(self, due: float) -> T:
        """Sleep until the poll is due, and read the object: from the list if its items have the fields, or alone."""
        # At the first poll `_polled_at` is when the wait began: a list that was read before may be outdated.
        earliest = due - SHARED_SHARE * (due - self._polled_at)
        listed = await self._polls.sleep_then_find(self._object_id, earliest, due)
        if listed is not None and self._polls.shown.issuperset((*self._fields, *self._gone)):
            item, self._polled_at = listed
        else:
            item = await self._wait.read()
            self._polled_at = self._loop.time()
        return item

    def _note(self, item: T) -> PolledChange[T] | None:
        """Record the object that was read; return the change, or None if nothing has changed."""
        before, self._last = self._last, item
        self._count += 1
        if before is None:
            for condition in self._conditions:
                check_names(item, condition)
        elif item == before:
            return None
        self._changed_at = self._loop.time()
        return PolledChange(before, item, self._first_seen(item))

    def _first_seen(self, item: T) -> dict[str, Any]:
        """Return each field whose value is seen for the first time, with this value."""
        plain = (name for name, value in members(item).items() if isinstance(value, str | int | float))
        new: dict[str, Any] = {}
        for name in self._fields or plain:
            value = values_of(item, name)[0]
            # The values are compared as text, because a value may not be hashable, and True is equal to 1.
            mark = (name, repr(value))
            if value is not None and mark not in self._seen:
                self._seen.add(mark)
                new[name] = value
        return new

    def _reason(self, item: T) -> Reason | None:
        """Return why the wait ends with this object; None if the wait goes on. An error of a condition is raised."""
        for condition in self._conditions:
            if condition.holds(item):
                return "matched" if condition is self._conditions[0] else "unexpected"
        if any(values_of(item, flag)[0] is True for flag in self._gone):
            return "gone"
        patience = self._times.stalled_after
        return "stalled" if patience is not None and self._loop.time() >= self._changed_at + patience else None

    def _next_due(self, interval: float, deadline: float) -> float | None:
        """Return when to poll next; None if there is no time for another poll."""
        last = deadline - min(LAST_POLL_SECONDS, LAST_POLL_SHARE * self._times.timeout)
        due = min(self._polled_at + jittered(interval), last)
        if isinstance(self._error, ProblemError) and self._error.retry_after is not None:
            due = max(due, self._polled_at + self._error.retry_after)
        return due if self._polled_at < due <= last else None

    def _end(self, reason: Reason) -> OutcomeT:
        elapsed = self._loop.time() - self._began
        if self._last is None and self._error is None:
            text = f"no poll has ended within the {self._times.timeout:g} s of the wait"
            self._error = DeadlineExceededError(text, operation=self._wait.operation)
        return self._wait.outcome(reason=reason, last=self._last, elapsed=elapsed, polls=self._count, error=self._error)


class SharedPolls(Generic[T]):
    """The polls of one list, for the waits of one client: a thousand waits read a few pages.

    Args:
        listed: Lists the objects after a cursor; None means that each wait reads its own object.
        id: The member of an object that has its id.
        policy: The client's retry policy.

    Attributes:
        shown: The fields that were seen in objects of the list.
        reported: The latest error that a wait has reported.
    """

    def __init__(self, listed: Callable[[str | None], Pager[T]] | None, id: str, policy: RetryPolicy) -> None:
        self.shown: set[str] = set()
        self.reported: AgentPlatformError | None = None
        self._listed = listed
        self._id = id
        self._policy = policy
        # How many requests the latest poll needed, including the requests for objects that were read alone.
        self._cost = UNKNOWN_COST
        # For each sleeping wait, the id of its object, and the earliest start of a poll of the list that serves the
        # wait.
        self._sleeping: dict[object, tuple[str, float]] = {}
        self._poll: asyncio.Task[tuple[dict[str, T], float]] | None = None
        self._poll_began = 0.0

    async def sleep_then_find(self, object_id: str, earliest: float, due: float) -> tuple[T, float] | None:
        """Sleep until a wait is due, and look for its object in the list if that costs less than reading it alone.

        Args:
            object_id: The id of the object.
            earliest: Earliest start of a poll of the list that serves the wait, by the clock of the event loop.
            due: When the wait is due, by the same clock.

        Returns:
            The object, and when the list was read; None if the wait must read the object alone.

        Raises:
            AgentPlatformError: The list could not be read, and reading its objects alone would fail as well.
        """
        loop, sleeper = asyncio.get_running_loop(), object()
        self._sleeping[sleeper] = (object_id, earliest)
        try:
            await asyncio.sleep(due - loop.time())
            if self._poll is None or self._poll_began < earliest:
                now = loop.time()
                wanted = [wanted_id for wanted_id, served_from in self._sleeping.values() if served_from <= now]
                if self._listed is None or len(wanted) <= self._cost:
                    return None
                self._poll_began = now
                self._poll = loop.create_task(self._read_pages(self._listed, set(wanted)))
        finally:
            del self._sleeping[sleeper]
        # If this wait is cancelled, the other waits still need the poll.
        items, read_at = await asyncio.shield(self._poll)
        return (items[object_id], read_at) if object_id in items else None

    async def _read_pages(self, listed: Callable[..., Pager[T]], missing: set[str]) -> tuple[dict[str, T], float]:
        """Read pages as long as the missing objects outnumber the pages read; the waits read these objects alone."""
        items: dict[str, T] = {}
        cursor: str | None = None
        pages = 0
        try:
            while len(missing) > pages:
                pager = listed(cursor)
                page = await pager.first_page()
                pages += 1
                for item in page.items:
                    object_id = getattr(item, self._id, None)
                    if isinstance(object_id, str) and object_id in missing:
                        missing.remove(object_id)
                        items[object_id] = item
                        self.shown.update(members(item))
                if pager.exhausted:
                    break
                cursor = pager.cursor
            self._cost = pages + len(missing)
        except AgentPlatformError as error:
            if isinstance(error, AuthenticationError) or may_pass(error, self._policy, has_succeeded=False):
                raise
            # The error may concern only the list: read each object alone from now on.
            self._listed = None
        return items, asyncio.get_running_loop().time()


@attrs.frozen
class Condition(Generic[T]):
    """A checked `until` or `unexpected`.

    Attributes:
        argument: The name of the argument, for messages.
        fields: The fields that the condition names; empty if the condition is a function.
        holds: Returns whether an object meets the condition.
    """

    argument: str
    fields: tuple[str, ...]
    holds: Callable[[T], bool]


def make_condition(argument: str, passed: Until[T], *, match_all: bool) -> Condition[T]:
    """Check what was passed as a condition.

    Args:
        argument: The name of the argument.
        passed: What was passed.
        match_all: Whether all fields must match; else one is enough.

    Raises:
        InvalidArgumentError: The condition is neither values by field nor a plain function, or it can never hold.
    """
    if isinstance(passed, Mapping):
        accepted = {name: accepted_values(value) for name, value in cast("Mapping[Any, Any]", passed).items()}
        if not accepted or not all(accepted.values()):
            raise InvalidArgumentError(f"{argument} must name fields, each with a value, such as {EXAMPLE}")
        combine = all if match_all else any

        def values_match(item: T) -> bool:
            return combine(any(value in values for value in values_of(item, name)) for name, values in accepted.items())

        return Condition(argument, tuple(accepted), values_match)
    if isinstance(passed, Changed):
        return Condition(argument, passed.fields, Changed(passed.fields, passed.since))
    if not callable(passed) or inspect.iscoroutinefunction(passed):
        raise InvalidArgumentError(f"{argument} must be values by field, such as {EXAMPLE}, or a plain function")
    return Condition(argument, (), passed)


def accepted_values(passed: Any) -> list[Any]:
    """Return the values that a field may have: in a list, because they may not be hashable.

    A text or a mapping is one value. A list may be several values, or be the value itself, such as a list of tags.
    """
    if isinstance(passed, str | Mapping) or not isinstance(passed, Iterable):
        return [passed]
    values: list[Any] = list(passed)  # pyright: ignore[reportUnknownArgumentType]  # any values
    return [*values, passed] if values and isinstance(passed, list) else values


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
        now = {name: values_of(item, name) for name in self.fields}
        if not self._first:
            self._first = now if self.since is UNSET else {name: [self.since] for name in self.fields}
        return any(not any(value in self._first[name] for value in values) for name, values in now.items())


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


def members(item: object) -> dict[str, Any]:
    """Return the members of an object as they came; empty if it is not a JSON object."""
    payload = to_json(item)
    return cast("dict[str, Any]", payload) if isinstance(payload, dict) else {}


def values_of(item: object, name: str) -> list[Any]:
    """Return the values of a field: as the model gives it, and as it came. A time, for example, is also a text.

    A field that is absent is None, also if the model calls it required.
    """
    came = members(item)
    in_model = [getattr(item, name, None)] if isinstance(vars(type(item)).get(name), property) else []
    as_it_came = [came[name]] if name in came else []
    return [*in_model, *as_it_came] or [None]


def check_names(item: object, condition: Condition[Any]) -> None:
    """Refuse the name of a field that neither an object nor its model has: the wait would be in vain.

    Raises:
        InvalidArgumentError: There is no such field.
    """
    in_model = [name for name, member in vars(type(item)).items() if isinstance(member, property)]
    known = list(dict.fromkeys([*in_model, *members(item)]))
    for name in condition.fields:
        if name not in known:
            what = f"{condition.argument} names {format_value(name)}, which no {type(item).__name__} has"
            raise InvalidArgumentError(f"{what}: it has {', '.join(known)}")
