"""Wait for an object, and follow a list: both are polled, because the API's description shows no event.

`wait` polls one object until it is as it should be, which its `Condition` decides; many waits read one list through
`SharedPolls`. `ListFollower` polls the last page of a list and delivers what is new; its `Position` says how far it has
come.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from types import SimpleNamespace
from typing import Any, Final, Generic, TypeVar, cast
from weakref import WeakValueDictionary

import attrs
from attrs.validators import optional

from ._api import UNSET, Follow, Follower, OutcomeT, Page, Pager, PolledChange, Reason, Until, Wait, open_value, to_json
from .catalogue import Catalogue, whole_id
from .errors import (
    AgentPlatformError,
    AuthenticationError,
    CertificateError,
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
from .lists import CursorPager
from .options import DEFAULTS, RequestOptions
from .text import format_value, truncate
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
# The requests that reading a list is expected to need before it was read. Up to this number, waits read for themselves.
UNKNOWN_COST: Final = 4

EXAMPLE: Final = '{"title": {"done", "failed"}}'

# The statuses with which a server may refuse a cursor that it does not know any more; a 404 may also mean the list.
CURSOR_REFUSALS: Final = (400, 404, 410, 422)
# Bytes of the digest that stands for an item in a position.
DIGEST_BYTES: Final = 6

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
    if isinstance(error, CertificateError) or (isinstance(error, ConnectionFailedError) and error.final):
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


class ListFollower(Follower[T], Generic[T]):
    """The follower of one list that grows at its end.

    Args:
        follow: The list, and where to begin.

    Raises:
        InvalidArgumentError: `start` is not a position, or `every` is out of range.
    """

    def __init__(self, follow: Follow[T]) -> None:
        self._follow = follow
        self._times = Times(every=follow.every, give_up_after=follow.give_up_after)
        source = Catalogue().source_of(follow.source)
        # Each iteration and each poll has a position of its own. It ends when the follower's is another one.
        start = Position(source, passing=follow.only_new)
        self._position = start if follow.start is None else Position.parse(follow.start, source)
        self._has_polled = False
        self._polling = asyncio.Lock()

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
            before = self._position
            position = self._position = before.copy()
            try:
                return [item async for item in self._new(position)]
            except BaseException:
                self._position = before
                raise

    async def __aiter__(self) -> AsyncIterator[T]:
        """Iterate over the items; wait for more at the end of the list. It ends an iteration that began before.

        Yields:
            The items, in the order of the list.

        Raises:
            AgentPlatformError: The polls have failed for `give_up_after` seconds, or another poll would fail as well.
        """
        position = self._position = self._position.copy()
        clock = asyncio.get_running_loop().time
        interval = self._times.every
        failing_since: float | None = None
        while position is self._position:
            found = False
            try:
                async for item in self._new(position):
                    found, failing_since = True, None
                    yield item
                failing_since = None
            except AgentPlatformError as error:
                if not may_pass(error, again=self._has_polled):
                    raise
                if failing_since is None:
                    failing_since = clock()
                    self._warn(f"a poll has failed, and the list is polled again: {error}")
                if clock() - failing_since >= self._times.give_up_after:
                    raise
            interval = self._times.every if found else self._times.longer(interval)
            await asyncio.sleep(jittered(interval))

    async def _new(self, position: Position) -> AsyncIterator[T]:
        """Yield what is new, from the last page on to the end of the list, and move the position along."""
        try:
            async for item in self._after(position):
                yield item
        except ProblemError as error:
            if position.cursor is None or error.status not in CURSOR_REFUSALS:
                raise
            reason = f"the server refuses the cursor of the last page ({error.status})"
            self._warn(f"{reason}; the list is read from its beginning, and items without an id may come again")
            await self._find(position)
            async for item in self._after(position):
                yield item

    async def _after(self, position: Position) -> AsyncIterator[T]:
        """Yield the items after a position, and move it along."""
        async for cursor, items, digests in self._pages(position.cursor):
            if items and cursor != position.cursor:
                position.cursor, position.delivered = cursor, []
            # Counted, because items without an id may be equal.
            known = Counter(position.delivered)
            for item, digest in zip(items, digests, strict=True):
                if position is not self._position:
                    return
                if known[digest] > 0:
                    known[digest] -= 1
                    continue
                position.delivered.append(digest)
                if not position.passing:
                    yield item
            # The end of a list has no cursor, so the last page is read again. What it has lost is forgotten.
            position.delivered = digests or position.delivered
        position.passing, self._has_polled = False, True

    async def _find(self, position: Position) -> None:
        """Move behind the latest item, which stands on another page than before; else to the beginning."""
        latest = position.delivered[-1] if position.delivered else None
        async for cursor, _, digests in self._pages(None):
            if latest in digests:
                # Items without an id may be equal: the first place repeats some rather than to lose one.
                position.cursor, position.delivered = cursor, digests[: digests.index(latest) + 1]
                return
        self._warn("the latest item is not in the list any more, so all of its items come again")
        position.cursor, position.delivered = None, []

    async def _pages(self, cursor: str | None) -> AsyncIterator[tuple[str | None, Sequence[T], list[str]]]:
        """Yield of each page the cursor that leads to it, its items, and their digests.

        Args:
            cursor: The cursor of the first of them; None is the beginning of the list.

        Raises:
            PagingError: The list cannot be followed any further.
            AgentPlatformError: A page could not be fetched.
        """
        pager = self._pager().resume(cursor)
        async for page in pager.pages():
            items = page.items
            yield cursor, items, [digest_of(to_json(item), self._follow.id) for item in items]
            cursor = pager.cursor

    def _pager(self) -> Pager[T]:
        """Return the pager of the list, also where the contract does not show that it has pages."""
        if self._follow.operation.paginated:
            return cast("Pager[T]", self._follow.source(options=self._follow.options))
        # What knows the credential is not at hand: so no message has a cursor, which may repeat it.
        return CursorPager(self._follow.operation, self._fetch, None, redact=lambda _: "...")

    async def _fetch(self, cursor: str | None) -> Page[T]:
        """Fetch a page of a list whose form is not shown."""
        options = cast("RequestOptions", self._follow.options or DEFAULTS)
        if cursor is not None:
            options = attrs.evolve(options, extra_query={**(options.extra_query or {}), "after": cursor})
        payload = to_json(await cast("Awaitable[Any]", self._follow.source(options=options)))
        envelope = cast("dict[str, Any]", payload) if isinstance(payload, dict) else {"items": payload}
        more, end_cursor = envelope.get("has_next_page") is True, envelope.get("end_cursor")
        items = open_value(items_of(envelope))
        page = SimpleNamespace(items=items, has_next_page=more, end_cursor=end_cursor, total=None)
        return cast("Page[T]", page)

    def _warn(self, message: str) -> None:
        logger.warning("%s: %s", self._follow.operation, message)


@attrs.define(eq=False)
class Position:
    """The place after the latest item: the cursor of its page, and the items of that page that were delivered.

    Attributes:
        source: The list; see `Pager.source`.
        cursor: The cursor that the page was fetched with; None is the beginning of the list.
        delivered: The digests of the delivered items of the page, in their order.
        passing: Whether the items of the list are passed over until it was read once.
    """

    source: str
    cursor: str | None = None
    delivered: list[str] = attrs.field(factory=lambda: list[str]())
    passing: bool = False

    @classmethod
    def parse(cls, text: str, source: str) -> Position:
        """Parse the text of an earlier position.

        Args:
            text: The text.
            source: The list of the follower.

        Raises:
            InvalidArgumentError: It is not a position, or it is one of another list.
        """
        try:
            kept: Any = json.loads(text)
            position = cls(**(kept | {"delivered": kept["delivered"].split()}))
        except (AttributeError, KeyError, TypeError, ValueError):
            raise InvalidArgumentError(
                f"start must be the `position` of a follower, not {truncate(repr(text))}; neither a cursor of a "
                "list nor the id of an item is one"
            ) from None
        if position.source != source:
            raise InvalidArgumentError(f"start is a position in {truncate(position.source, 500)}, and not in {source}")
        return position

    def __str__(self) -> str:
        return json.dumps({**attrs.asdict(self, recurse=False), "delivered": " ".join(self.delivered)})

    def copy(self) -> Position:
        """Return a position at the same place, which moves for itself."""
        return attrs.evolve(self, delivered=self.delivered.copy())


def items_of(envelope: Mapping[str, Any]) -> list[Any]:
    """Return the items of a payload whose form is not shown: its `items`, or its only member that is an array."""
    arrays = [envelope["items"]] if isinstance(envelope.get("items"), list) else []
    arrays = arrays or [value for value in envelope.values() if isinstance(value, list)]
    return arrays[0] if len(arrays) == 1 else []


def digest_of(item: Any, id: str) -> str:
    """Return the text that stands for an item: of its id, or of its content where it has none."""
    value: Any = cast("dict[str, Any]", item).get(id) if isinstance(item, dict) else None
    text = json.dumps([value] if isinstance(value, str | int) else item, sort_keys=True)
    return blake2b(text.encode(), digest_size=DIGEST_BYTES).hexdigest()
