"""Wait for an object: it is polled, because the API's description shows no event.

A `Waiting` polls one object until it is as it should be, which its `Condition` decides; many waits read one list
through `SharedPolls`. `Times` and `may_pass` are those of a follower, too.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import random
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final, Generic, TypeVar, cast
from weakref import WeakValueDictionary

import attrs
from attrs.validators import optional

from ._api import UNSET, OutcomeT, Pager, PolledChange, Reason, Until, Wait, to_json
from .catalogue import whole_id
from .errors import (
    AgentPlatformError,
    AuthenticationError,
    ConnectionFailedError,
    DeadlineExceededError,
    DecodeError,
    InvalidArgumentError,
    NotFoundError,
    PagingError,
    ProblemError,
    RateLimitedError,
    ServerError,
    TransportError,
)
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
# How many requests a list is expected to take before it was read once. While no more waits than this are due, each
# reads its own object.
UNKNOWN_COST: Final = 4

EXAMPLE: Final = '{"title": {"done", "failed"}}'

POSITIVE: Final = seconds(positive=True, finite=True)


@attrs.frozen(kw_only=True)
class Times:
    """The seconds between two polls, and until polling ends.

    Attributes:
        every: Seconds between two polls in the beginning, and after a change.
        max_every: Seconds between two polls at most, at least `every`; None: six times `every`.
        timeout: Seconds for all of a wait.
        stalled_after: Seconds without any change that end a wait; None: never.
        give_up_after: Seconds of failing polls after which a follower raises the latest error, at least 0.

    Raises:
        InvalidArgumentError: A value is not a positive and finite number, or `max_every` is less than `every`.
    """

    every: float = attrs.field(validator=POSITIVE)
    max_every: float | None = attrs.field(default=None, validator=optional(POSITIVE))
    timeout: float = attrs.field(default=1.0, validator=POSITIVE)
    stalled_after: float | None = attrs.field(default=None, validator=optional(POSITIVE))
    give_up_after: float = attrs.field(default=0.0, validator=seconds(positive=False))

    def __attrs_post_init__(self) -> None:
        if self.max_every is not None and self.max_every < self.every:
            raise InvalidArgumentError(f"max_every must be at least every={self.every:g}, not {self.max_every:g}")

    def longer(self, interval: float) -> float:
        """Return the interval after a poll without a change."""
        return min(GROWTH * interval, self.max_every or SLOWEST * self.every)


def jittered(interval: float) -> float:
    """Return an interval, a little shorter or longer at random."""
    return interval * random.uniform(1.0 - JITTER, 1.0 + JITTER)


def may_pass(error: AgentPlatformError, *, again: bool) -> bool:
    """Return whether another poll may succeed after an error.

    Args:
        error: Why a poll has failed.
        again: Whether an earlier poll has succeeded: then a response that is not of the API comes from an outage, and
            not from a wrong base URL.
    """
    if isinstance(error, DecodeError | PagingError):
        return again
    if isinstance(error, ConnectionFailedError) and error.final:
        return False
    return isinstance(error, TransportError | ServerError | RateLimitedError)


class Waiting(Generic[T, OutcomeT]):
    """One wait for an object: what it has seen so far, and when it polls next.

    Args:
        wait: How to read the object, and when the wait ends.
        owner: The client; its waits share their polls.

    Raises:
        InvalidArgumentError: A setting is refused.
    """

    def __init__(self, wait: Wait[T, OutcomeT], owner: object) -> None:
        self._wait = wait
        self._times = Times(
            timeout=wait.timeout, every=wait.every, max_every=wait.max_every, stalled_after=wait.stalled_after
        )
        self._conditions = [condition("until", wait.until, every=True)]
        if wait.unexpected is not None:
            self._conditions.append(condition("unexpected", wait.unexpected, every=False))
        self._fields = tuple(dict.fromkeys(name for each in self._conditions for name in each.fields))
        # A flag that a condition names does not end the wait by itself.
        self._gone = [flag for flag in wait.gone if flag not in self._fields]
        # A function may read any field, also one that the list lacks.
        shared = wait.shared if all(each.fields for each in self._conditions) else None
        own = SharedPolls[T](None if shared is None else wait.listed, wait.id)
        self._polls = own if shared is None else _shared.setdefault((owner, *shared), own)
        # The list has ids with their prefix.
        parameter = [each for each in wait.operation.parameters if each.location == "path"][-1]
        self._key = whole_id(parameter, wait.key)
        self._loop = asyncio.get_running_loop()
        self._began = self._polled_at = self._changed_at = self._loop.time()
        self._last: T | None = None
        self._count = 0
        self._seen: set[tuple[str, str]] = set()
        self._error: AgentPlatformError | None = None

    async def run(self) -> OutcomeT:
        """Poll until the wait ends.

        Returns:
            How it has ended.

        Raises:
            InvalidArgumentError: A condition names a field that the object does not have.
            NotFoundError: There is no such object at the first poll.
            AgentPlatformError: A poll failed in a way that will not pass.
        """
        due, interval = self._began, self._times.every
        deadline = self._began + self._times.timeout
        while True:
            change = None
            limit = asyncio.timeout_at(deadline)
            try:
                async with limit:
                    item = await self._read(due)
            except TimeoutError:
                if not limit.expired():
                    raise
                return self._end("deadline")
            except AgentPlatformError as error:
                self._polled_at = self._loop.time()
                is_outage, self._error = self._error is not None, error
                if isinstance(error, NotFoundError) and self._last is not None:
                    return self._end("gone")
                if not may_pass(error, again=self._last is not None):
                    raise
                # A poll of the list fails for all its waits, and is logged once.
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

    async def _read(self, due: float) -> T:
        """Sleep until the poll is due, and read the object: from the list if it has shown the fields, or alone."""
        # At the first poll this is when the wait began: what the list had before may be outdated.
        earliest = due - SHARED_SHARE * (due - self._polled_at)
        found = await self._polls.find(self._key, earliest, due)
        if found is not None and self._polls.shown.issuperset((*self._fields, *self._gone)):
            item, self._polled_at = found
        else:
            item = await self._wait.read()
            self._polled_at = self._loop.time()
        return item

    def _note(self, item: T) -> PolledChange[T] | None:
        """Take the object that was read; return the change, or None if there is none."""
        before, self._last = self._last, item
        self._count += 1
        if before is None:
            for each in self._conditions:
                check_names(item, each)
        elif item == before:
            return None
        self._changed_at = self._loop.time()
        return PolledChange(before, item, self._first_seen(item))

    def _first_seen(self, item: T) -> dict[str, Any]:
        """Return the fields with values that are seen for the first time."""
        plain = (name for name, each in members(item).items() if isinstance(each, str | int | float))
        found: dict[str, Any] = {}
        for name in self._fields or plain:
            value = values_of(item, name)[0]
            # As text, because a value may not be hashable, and True is equal to 1.
            mark = (name, repr(value))
            if value is not None and mark not in self._seen:
                self._seen.add(mark)
                found[name] = value
        return found

    def _reason(self, item: T) -> Reason | None:
        """Return why the wait ends with this object; None if it goes on. Whatever the conditions raise passes."""
        for each in self._conditions:
            if each.holds(item):
                return "matched" if each is self._conditions[0] else "unexpected"
        if any(values_of(item, flag)[0] is True for flag in self._gone):
            return "gone"
        patience = self._times.stalled_after
        return "stalled" if patience is not None and self._loop.time() >= self._changed_at + patience else None

    def _next_due(self, interval: float, deadline: float) -> float:
        """Return when to poll next; after the deadline, if no other poll would end before it."""
        last = deadline - min(LAST_POLL_SECONDS, LAST_POLL_SHARE * self._times.timeout)
        due = min(self._polled_at + jittered(interval), last)
        if isinstance(self._error, ProblemError) and self._error.retry_after is not None:
            due = max(due, self._polled_at + self._error.retry_after)
        return due if self._polled_at < due <= last else deadline + 1.0

    def _end(self, reason: Reason) -> OutcomeT:
        elapsed = self._loop.time() - self._began
        if self._last is None and self._error is None:
            text = f"no poll has ended within the {self._times.timeout:g} s of the wait"
            self._error = DeadlineExceededError(text, operation=self._wait.operation)
        return self._wait.outcome(reason=reason, last=self._last, elapsed=elapsed, polls=self._count, error=self._error)


class SharedPolls(Generic[T]):
    """The polls of one list, for the waits of one client: a thousand waits read a few pages.

    Args:
        listed: Lists the objects after a cursor; None: each wait reads for itself.
        id: The member of an object that has its id.

    Attributes:
        shown: The fields that an object of the list has shown.
        reported: The latest error that a wait has reported.
    """

    def __init__(self, listed: Callable[[str | None], Pager[T]] | None, id: str) -> None:
        self.shown: set[str] = set()
        self.reported: AgentPlatformError | None = None
        self._listed = listed
        self._id = id
        # How many requests the latest poll needed, those for what was left to read alone included.
        self._cost = UNKNOWN_COST
        # The waits that sleep: the ids of their objects, and from when on a poll of the list serves them.
        self._sleeping: dict[object, tuple[str, float]] = {}
        self._poll: asyncio.Task[tuple[dict[str, T], float]] | None = None
        self._poll_began = 0.0

    async def find(self, key: str, earliest: float, due: float) -> tuple[T, float] | None:
        """Sleep until a wait is due, and look for its object in the list where that costs less than to read it alone.

        Args:
            key: The id of the object.
            earliest: From when on a poll of the list serves the wait, by the clock of the event loop.
            due: When the wait is due, by the same clock.

        Returns:
            The object, and when the list was read; None if the wait is to read it alone.

        Raises:
            AgentPlatformError: The list could not be read, and what is in it could not be read alone, either.
        """
        loop, sleeper = asyncio.get_running_loop(), object()
        self._sleeping[sleeper] = (key, earliest)
        try:
            await asyncio.sleep(due - loop.time())
            if self._poll is None or self._poll_began < earliest:
                now = loop.time()
                keys = [each for each, at in self._sleeping.values() if at <= now]
                if self._listed is None or len(keys) <= self._cost:
                    return None
                self._poll_began = now
                self._poll = loop.create_task(self._read_pages(self._listed, set(keys)))
        finally:
            del self._sleeping[sleeper]
        # The others still need it if this wait is cancelled.
        found, read_at = await asyncio.shield(self._poll)
        return (found[key], read_at) if key in found else None

    async def _read_pages(self, listed: Callable[..., Pager[T]], wanted: set[str]) -> tuple[dict[str, T], float]:
        """Read pages until no more of them were read than objects are left, which are read alone."""
        found: dict[str, T] = {}
        cursor: str | None = None
        read = 0
        try:
            while len(wanted) > read:
                pager = listed(cursor)
                items = (await pager.first_page()).items
                read += 1
                for item in items:
                    key = getattr(item, self._id, None)
                    if isinstance(key, str) and key in wanted:
                        wanted.remove(key)
                        found[key] = item
                        self.shown.update(members(item))
                if pager.exhausted:
                    break
                cursor = pager.cursor
            self._cost = read + len(wanted)
        except AgentPlatformError as error:
            if isinstance(error, AuthenticationError) or may_pass(error, again=False):
                raise
            # The objects may be readable although their list is not.
            self._listed = None
        return found, asyncio.get_running_loop().time()


# The shared polls by client and list. What no wait uses any more is gone, and the client with it.
_shared: WeakValueDictionary[tuple[object, ...], SharedPolls[Any]] = WeakValueDictionary()


@attrs.frozen
class Condition(Generic[T]):
    """A checked `until` or `unexpected`.

    Attributes:
        argument: The name of the argument, for messages.
        fields: The fields that it names; none if it is a function.
        holds: Returns whether an object is so.
    """

    argument: str
    fields: tuple[str, ...]
    holds: Callable[[T], bool]


def condition(argument: str, wanted: Until[T], *, every: bool) -> Condition[T]:
    """Check a condition.

    Args:
        argument: The name of the argument.
        wanted: What was passed.
        every: Whether each field must match; else one is enough.

    Raises:
        InvalidArgumentError: It is neither values by field nor a plain function, or nothing could match it.
    """
    if isinstance(wanted, Mapping):
        accepted = {name: accepted_values(each) for name, each in cast("Mapping[Any, Any]", wanted).items()}
        if not accepted or not all(accepted.values()):
            raise InvalidArgumentError(f"{argument} must name fields, each with a value, such as {EXAMPLE}")
        enough = all if every else any

        def values_match(item: T) -> bool:
            return enough(any(value in each for value in values_of(item, name)) for name, each in accepted.items())

        return Condition(argument, tuple(accepted), values_match)
    if isinstance(wanted, Changed):
        return Condition(argument, wanted.fields, Changed(wanted.fields, wanted.since))
    if not callable(wanted) or inspect.iscoroutinefunction(wanted):
        raise InvalidArgumentError(f"{argument} must be values by field, such as {EXAMPLE}, or a plain function")
    return Condition(argument, (), wanted)


def accepted_values(wanted: Any) -> list[Any]:
    """Return the values that a field may have: in a list, because they may not be hashable.

    Text and mappings are one value each. A list may be several values, or itself the value, such as tags.
    """
    if isinstance(wanted, str | Mapping) or not isinstance(wanted, Iterable):
        return [wanted]
    found: list[Any] = list(wanted)  # pyright: ignore[reportUnknownArgumentType]  # any values
    return [*found, wanted] if found and isinstance(wanted, list) else found


@attrs.define(eq=False)
class Changed:
    """A test of whether a field of an object has another value than in the first object that was passed.

    Attributes:
        fields: The names of the fields.
        since: The value to compare with instead; UNSET: that of the first object.
    """

    fields: tuple[str, ...]
    since: Any = UNSET
    _first: dict[str, list[Any]] = attrs.field(factory=lambda: dict[str, list[Any]](), init=False, repr=False)

    def __call__(self, item: object) -> bool:
        """Return whether one of the fields has changed."""
        now = {name: values_of(item, name) for name in self.fields}
        if not self._first:
            self._first = now if self.since is UNSET else {name: [self.since] for name in self.fields}
        return any(not any(each in self._first[name] for each in found) for name, found in now.items())


def changed(*fields: str, since: Any = UNSET) -> Changed:
    """Make the predicate of a wait that is true once a field has another value than at the first poll.

    Args:
        fields: The names of the fields, at least one; of several one is enough.
        since: The value to compare with, of a single field: a change between an earlier look and the first poll is not
            missed. May be None.

    Returns:
        A function of an object, for `until`; each wait that it is passed to begins anew.

    Raises:
        InvalidArgumentError: There is no name, one is not text, or `since` is for several fields.

    Example:
        schedule = await organization.schedules.get(schedule_id)
        next_run = changed("last_executed_at", since=schedule.last_executed_at)
        outcome = await organization.schedules.wait(schedule_id, until=next_run)
    """
    if not fields or not all(isinstance(each, str) for each in fields):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
        raise InvalidArgumentError("changed() takes names of fields, such as 'updated_at'")
    if since is not UNSET and len(fields) > 1:
        raise InvalidArgumentError("since= is the value of one field; changed() was given several")
    return Changed(fields, since)


def members(item: object) -> dict[str, Any]:
    """Return the members of an object as they came; none if it is not a JSON object."""
    found = to_json(item)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def values_of(item: object, name: str) -> list[Any]:
    """Return the value of a field as the model gives it, and as it came: a time is also its text.

    A field that is absent is None, also if the model calls it required.
    """
    came = members(item)
    in_model = [getattr(item, name, None)] if isinstance(vars(type(item)).get(name), property) else []
    as_it_came = [came[name]] if name in came else []
    return [*in_model, *as_it_came] or [None]


def check_names(item: object, wanted: Condition[Any]) -> None:
    """Refuse a name that neither the model of an object nor the object itself has: it would be waited for in vain.

    Raises:
        InvalidArgumentError: There is no such field.
    """
    in_model = [name for name, each in vars(type(item)).items() if isinstance(each, property)]
    known = list(dict.fromkeys([*in_model, *members(item)]))
    for name in wanted.fields:
        if name not in known:
            what = f"{wanted.argument} names {format_value(name)}, which no {type(item).__name__} has"
            raise InvalidArgumentError(f"{what}: it has {', '.join(known)}")
