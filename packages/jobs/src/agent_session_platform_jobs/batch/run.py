"""One run of a batch over the rows of its source, with the states of these rows in the store."""

from __future__ import annotations

import asyncio
import json
import math
import random
import reprlib
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Coroutine, Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, Generic, TypeVar

import attrs
from agent_session_platform import InvalidArgumentError, RateLimitedError, RetryPolicy, to_json

from .item import OPEN, BatchItem, BatchStoppedError
from .row import Flight, PostponedError, RowSteps, plain_text

R = TypeVar("R")


async def iterate(rows: AsyncIterable[R] | Iterable[R]) -> AsyncGenerator[R, None]:
    """Iterate over the rows of an iterable or of an async iterable."""
    if isinstance(rows, AsyncIterable):
        async for row in rows:
            yield row
    else:
        for row in rows:
            yield row


def check_key(key: object) -> str:
    """Return the key of a row as text.

    Raises:
        InvalidArgumentError: The value cannot be a key.
    """
    if isinstance(key, int) and not isinstance(key, bool):
        return str(int(key))
    text = plain_text(key)
    if text is None:
        raise InvalidArgumentError(f"key must return a whole number or text that is not empty, not {reprlib.repr(key)}")
    return text


def digest_of(key: str, arguments: Mapping[str, Any]) -> str:
    """Return the digest of arguments, whatever their order. If JSON cannot represent a value, only its type counts."""

    def write(value: Any) -> Any:
        try:
            return to_json(value)
        except TypeError:
            return f"{type(value).__module__}.{type(value).__qualname__}"

    sent = {name: value for name, value in arguments.items() if name != "options"}
    try:
        return sha256(json.dumps(sent, sort_keys=True, default=write).encode()).hexdigest()
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(f"the arguments of row {key!r} cannot be written as JSON: {error}") from None


# How many seconds rows wait after a 429 that names no time: at most 1 after the first 429, and at most 60 after many.
BACKOFF: Final = RetryPolicy(backoff_base=1.0, backoff_cap=60.0)
# A wait that the server asks for is made longer by up to this share, so that programs do not all return at the same
# time.
SPREAD: Final = 0.05

# This many consecutive rows with an unknown outcome end a run.
MAX_UNKNOWN: Final = 10


# Seconds from a 429 to the trial of one more row. Each trial that gets a 429 doubles this time.
FIRST_PAUSE: Final = 2.0
LONGEST_PAUSE: Final = 60.0


class Capacity:
    """The limit of the rows in flight.

    The platform runs a limited number of objects at once: each object holds a place. A 429 shows that all places are
    taken. The limit falls to the number of rows in flight that hold a place, and one more row is tried now and then.
    When such a trial is accepted, the next one follows at once. If no row holds a place, the number of places is not
    known: a 429 then halves the limit, and it rises by one after as many successes as it allows (AIMD, as in TCP).

    Many requests may get a 429 at once. A request that was sent before the limit fell says nothing about the new limit.
    So each request belongs to a round, and a 429 begins the next round.

    Args:
        maximum: The greatest limit, which is also the first one.

    Attributes:
        maximum: The greatest limit.
        places: How many rows may be in flight, as far as is known; from 1 to `maximum`.
        current: Number of the current round.
    """

    def __init__(self, maximum: int) -> None:
        self.maximum: Final = maximum
        self.places: int = maximum
        self.current: int = 0
        self._successes = 0
        self._pause = 0.0
        # Whether `places` is the number of rows that hold a place.
        self._counts_held = False
        self._trial_at = math.inf

    @property
    def grows_at(self) -> float:
        """The time at which one more row is tried; infinite if no further row is tried."""
        return self._trial_at if self._counts_held and self.places < self.maximum else math.inf

    def limit(self, now: float) -> int:
        """Return how many rows may be in flight now, from 1 to `maximum`."""
        return self.places + (now >= self.grows_at)

    def limited(self, round: int, now: float, held: int) -> bool:
        """Lower the limit after a 429.

        Args:
            round: The round in which the request was sent.
            now: The current time in seconds.
            held: The number of rows in flight that hold a place.

        Returns:
            Whether the request was sent in the current round. For an earlier round, the limit is not lowered.
        """
        if round != self.current:
            return False
        self.current += 1
        self._successes = 0
        self._counts_held = held > 0
        self.places = min(held, self.maximum) or max(1, self.places // 2)
        self._pause = min(max(FIRST_PAUSE, 2 * self._pause), LONGEST_PAUSE)
        self._trial_at = now + self._pause
        return True

    def accepted(self, round: int, now: float, held: int) -> None:
        """Raise the limit if more rows hold a place than the limit allows. The arguments are those of `limited`."""
        self._counts_held = True
        if held <= self.places:
            return
        self.places = min(held, self.maximum)
        if round == self.current:
            self._pause, self._trial_at = 0.0, now

    def succeeded(self, round: int) -> None:
        """Count a row that has ended. A row of an earlier round says nothing about the limit now, and is skipped."""
        if round != self.current or self._counts_held or self.places >= self.maximum:
            return
        self._successes += 1
        if self._successes >= self.places:
            self.places += 1
            self._successes = 0


Tasks = dict[asyncio.Task[None], Flight | None]


@attrs.define(eq=False)
class BatchRun(Generic[R]):
    """One run over rows: one task takes rows as places become free, and each row has a task of its own.

    A row has its place until the caller's loop requests the next row.

    Attributes:
        rows: The rows, which may be more than memory holds.
        steps: The steps of each row.
        capacity: The limit of the rows in flight.

    The other attributes are arguments of `Batch.run`, which describes them.
    """

    steps: RowSteps
    rows: AsyncGenerator[R, None]
    capacity: Capacity
    key: Callable[[R], str | int]
    arguments: Callable[[R], Mapping[str, Any]]
    include_earlier: bool
    retry_failed: bool
    allow_changed: bool
    patience: float
    # The tasks of this run, with their rows. The task that takes rows from the source has no row.
    _tasks: Tasks = attrs.field(init=False, factory=Tasks)
    # The rows that have ended. None follows the last row.
    _ended: asyncio.Queue[BatchItem | None] = attrs.field(init=False, factory=asyncio.Queue[BatchItem | None])
    _failure: BaseException | None = attrs.field(init=False, default=None)
    _in_flight: int = attrs.field(init=False, default=0)
    # How many rows in flight have an object. Each object holds a place on the platform.
    _held: int = attrs.field(init=False, default=0)
    # The waiters for a place. The result is True for a place, and False when the run ends.
    _waiters: deque[asyncio.Future[bool]] = attrs.field(init=False, factory=deque[asyncio.Future[bool]])
    _timer: asyncio.TimerHandle | None = attrs.field(init=False, default=None)
    # No row is sent before this time, by the clock of the event loop.
    _closed_until: float = attrs.field(init=False, default=0.0)
    _postponements: int = attrs.field(init=False, default=0)
    _postponed_since: float | None = attrs.field(init=False, default=None)
    _unknown: int = attrs.field(init=False, default=0)

    async def items(self) -> AsyncGenerator[BatchItem, None]:
        """Iterate over the rows as they end.

        Raises:
            Exception: The error that ends the run early; it is raised after the rows in flight have ended.
        """
        self._begin(self._feed(), None)
        try:
            while (item := await self._ended.get()) is not None:
                yield item
                self._leave()
            if self._failure is not None:
                raise self._failure
        finally:
            # The traceback of the failure has frames with this run: kept here, both would stay in memory.
            self._failure = None
            # Rows that are postponed from now on are not sent again.
            self._fail(asyncio.CancelledError())
            # Requests that were sent are awaited, so that their outcomes are kept; waits are cancelled.
            for task, flight in self._tasks.items():
                if flight is None or not flight.is_sending:
                    task.cancel()
                else:
                    flight.is_ended = True
            if self._tasks:
                await asyncio.wait(set(self._tasks))
            if self._timer is not None:
                self._timer.cancel()
            await self.rows.aclose()

    def _begin(self, step: Coroutine[Any, Any, None], flight: Flight | None) -> None:
        task = asyncio.get_running_loop().create_task(step)
        self._tasks[task] = flight
        task.add_done_callback(self._collect)

    def _collect(self, task: asyncio.Task[None]) -> None:
        del self._tasks[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            self._fail(error)
        if not self._tasks:
            self._ended.put_nowait(None)

    def _fail(self, error: BaseException) -> None:
        """End the run: no further row is sent, and the rows in flight end."""
        self._failure = self._failure or error
        self._wake()

    async def _enter(self, *, first: bool = False) -> bool:
        """Wait for a place, with *first* before all other waiters. Return True for a place, False if the run ends."""
        waiter: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        if first:
            self._waiters.appendleft(waiter)
        else:
            self._waiters.append(waiter)
        self._wake()
        return await waiter

    def _leave(self) -> None:
        self._in_flight -= 1
        self._wake()

    def _wake(self) -> None:
        """Give places to waiters, as far as the limit and the time allow."""
        if self._timer is not None:
            self._timer.cancel()
        now = asyncio.get_running_loop().time()
        is_open = now >= self._closed_until
        is_ended = self._failure is not None
        while self._waiters and (is_ended or (is_open and self._in_flight < self.capacity.limit(now))):
            waiter = self._waiters.popleft()
            if not waiter.done():
                self._in_flight += not is_ended
                waiter.set_result(not is_ended)
        opens_at = self.capacity.grows_at if is_open else self._closed_until
        if self._waiters and now < opens_at < math.inf:
            self._timer = asyncio.get_running_loop().call_at(opens_at, self._wake)

    async def _feed(self) -> None:
        """Take and begin a row for each free place."""
        while await self._enter():
            # Give the place back while the source is read, which may be slow. A postponed row may need the place.
            self._leave()
            try:
                row = await anext(self.rows)
            except StopAsyncIteration:
                return
            found = await self._look_up(row)
            if found is None:
                continue
            if not await self._enter(first=True):
                return
            if isinstance(found, BatchItem):
                self._ended.put_nowait(found)
            else:
                self._begin(self._advance(found), found)

    async def _look_up(self, row: R) -> BatchItem | Flight | None:
        """Return what to do with a row: a flight if it has steps left, its item to yield it, or None to skip it."""
        store = self.steps.store
        key = check_key(self.key(row))
        arguments = self.steps.calls.check(key, self.arguments(row))
        digest = digest_of(key, arguments)
        is_new, item = await asyncio.gather(store.take(key), store.read(key))
        if not is_new:
            raise InvalidArgumentError(f"two rows have the key {key!r}, so one would be lost; give each its own key")
        if item is None or item.state == "planned" or (item.state == "failed" and self.retry_failed):
            # Nothing was carried out, so the arguments may have changed.
            item = attrs.evolve(item or BatchItem(key=key), state="planned", digest=digest)
        elif item.state != "failed" and item.digest != digest and not self.allow_changed:
            text = f"the arguments of row {key!r} differ from those that were sent for it (it is {item.state})"
            raise InvalidArgumentError(f"{text}: give it another key, or pass allow_changed=True to keep what was sent")
        if item.state == "settled" and item.reason is None and self.steps.wait is not None:
            # An earlier run without a wait has settled this row. This run waits for its object.
            item = attrs.evolve(item, state="created")
        if item.state in (*OPEN, "unknown"):
            return Flight(item, arguments, self._may_send, self._accepted)
        # The row ended in an earlier run, which may not have delivered it.
        is_known = item.delivered or item.state in ("releasing", "released")
        return item if self.include_earlier or not is_known else None

    async def _advance(self, flight: Flight) -> None:
        """Carry out the steps of a row. Whenever the row is postponed, wait for a place again."""
        while True:
            flight.round, flight.is_sent, flight.is_accepted = self.capacity.current, False, False
            try:
                item = await self.steps.advance(flight)
                break
            except PostponedError as postponed:
                flight.item = postponed.item
                self._in_flight -= 1
                if postponed.cause is not None:
                    self._postpone(flight, postponed.cause)
            finally:
                self._held -= flight.is_accepted
            if not await self._enter(first=True):
                return
        # The time of `patience` counts from the end of the last row in flight.
        self._postponed_since = None
        if flight.is_sent:
            self._postponements = 0
            self.capacity.succeeded(flight.round)
            self._count_unknown(item)
        self._ended.put_nowait(item)

    def _may_send(self, flight: Flight) -> bool:
        """Return whether a row may still be sent: the run may have ended since, or the limit may have fallen."""
        return self._failure is None and flight.round == self.capacity.current

    def _accepted(self, flight: Flight) -> None:
        """Count the place that the object of a row holds."""
        self._held += 1
        if flight.is_sent:
            self._postponements = 0
        self.capacity.accepted(flight.round, asyncio.get_running_loop().time(), self._held)
        self._wake()

    def _count_unknown(self, item: BatchItem) -> None:
        """End the run when the server seems to fail on every request."""
        self._unknown = self._unknown + 1 if item.state == "unknown" else 0
        if self._unknown >= MAX_UNKNOWN:
            text = f"the outcomes of {MAX_UNKNOWN} consecutive rows are unknown, so nothing more is sent"
            self._fail(BatchStoppedError(f"{text}; see batch.unknown(). The latest error: {item.error}"))

    def _postpone(self, flight: Flight, error: Exception) -> None:
        """Lower the limit because a request was postponed. End the run if every request was postponed for too long."""
        now = asyncio.get_running_loop().time()
        self._postponed_since = now if self._postponed_since is None else self._postponed_since
        if self.capacity.limited(flight.round, now, self._held):
            self._postponements += 1
            self._closed_until = max(self._closed_until, now + BACKOFF.backoff(self._postponements))
        if isinstance(error, RateLimitedError) and error.retry_at is not None:
            asked_for = (error.retry_at - datetime.now(UTC)).total_seconds()
            self._closed_until = max(self._closed_until, now + max(asked_for, 0.0) * random.uniform(1.0, 1.0 + SPREAD))
        if not self._in_flight and self._closed_until - self._postponed_since > self.patience:
            raise error
