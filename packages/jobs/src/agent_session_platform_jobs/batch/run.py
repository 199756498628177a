"""One run of a batch: the rows of the source, and those of the store."""

from __future__ import annotations

import asyncio
import json
import math
import random
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, cast

import attrs
from agent_session_platform import InvalidArgumentError, RateLimitedError, RetryPolicy, to_json
from agent_session_platform.text import format_value, type_name

from .flight import Flight, WithdrawnError, Work, look_at
from .item import OPEN, BatchItem, BatchStoppedError
from .row import PostponedError, RowSteps

if TYPE_CHECKING:
    from .flight import Capacity, ProgressBar

R = TypeVar("R")


async def iterate(rows: AsyncIterable[R] | Iterable[R]) -> AsyncGenerator[R, None]:
    """Iterate over rows of either kind."""
    if isinstance(rows, AsyncIterable):
        async for row in rows:
            yield row
    else:
        for row in rows:
            yield row


def check_key(key: object) -> str:
    """Return the key of a row as text.

    Raises:
        InvalidArgumentError: It is no key.
    """
    if isinstance(key, int) and not isinstance(key, bool):
        return str(key)
    # Half of a surrogate pair is no text that a file or a request can have.
    if not isinstance(key, str) or not key or any("\ud800" <= character <= "\udfff" for character in key):
        raise InvalidArgumentError(f"key must return text that is not empty or a whole number, not {format_value(key)}")
    return key


def digest_of(key: str, arguments: Mapping[str, Any]) -> str:
    """Return the digest of arguments, in any order; of a value that JSON cannot write, only the type counts."""

    def write(value: Any) -> Any:
        if isinstance(value, set | frozenset):
            # Their order is another one in each process.
            return sorted(map(repr, cast("set[Any]", value)))
        try:
            return to_json(value)
        except TypeError:
            return type_name(value)

    sent = {name: value for name, value in arguments.items() if name != "options"}
    try:
        return sha256(json.dumps(sent, sort_keys=True, default=write).encode()).hexdigest()
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(f"the arguments of row {key!r} cannot be written as JSON: {error}") from None


# Seconds before rows are sent again after a 429 that names no time: at most, after one and after many in succession.
BACKOFF: Final = RetryPolicy(backoff_base=1.0, backoff_cap=60.0)
# A wait that the server asks for is made longer by up to this share, so that programs do not come back together.
SPREAD: Final = 0.05

# This many consecutive rows with an unknown outcome end a run.
MAX_UNKNOWN: Final = 10


@attrs.frozen(kw_only=True)
class RunOptions(Generic[R]):
    """The arguments of a run; `Batch.run` describes them."""

    key: Callable[[R], str | int]
    arguments: Callable[[R], Mapping[str, Any]]
    include_earlier: bool
    retry_failed: bool
    allow_changed: bool
    patience: float


class BatchRun(Generic[R]):
    """One run over rows.

    Args:
        rows: The rows, which may be more than memory holds.
        steps: What is done with each.
        options: The arguments of the run.
        capacity: How many may be in flight.
        progress: Where to show how far it is.
    """

    def __init__(
        self,
        rows: AsyncIterable[R] | Iterable[R],
        steps: RowSteps,
        options: RunOptions[R],
        capacity: Capacity,
        progress: ProgressBar,
    ) -> None:
        self._rows = iterate(rows)
        self._steps = steps
        self._options = options
        self._capacity = capacity
        self._progress = progress
        self._loop = asyncio.get_running_loop()
        self._running: dict[asyncio.Task[BatchItem], Flight] = {}
        # How many of them have an object, which holds a place.
        self._held = 0
        # Done when a request was accepted, which may have raised the limit.
        self._news: asyncio.Future[None] = self._loop.create_future()
        # Rows that may be sent as soon as the limit allows; postponed ones go first, before any other is taken.
        self._ready: deque[Work] = deque()
        self._pulling: asyncio.Task[BatchItem | Work | None] | None = None
        self._exhausted = False
        self._failure: Exception | None = None
        # No row is sent before this time of the loop.
        self._closed_until = 0.0
        self._postponements = 0
        self._postponed_since: float | None = None
        self._unknown = 0

    async def items(self) -> AsyncGenerator[BatchItem, None]:
        """Iterate over the rows as they come to their end.

        Raises:
            Exception: Why the run ends early, after the rows in flight have come to their end.
        """
        try:
            while self._fill():
                for item in await self._next():
                    self._progress.count(item.state)
                    self._show()
                    yield item
            if self._failure is not None:
                raise self._failure
        finally:
            await self._stop()

    def _fill(self) -> bool:
        """Begin as many rows as the limit allows; return whether there is anything to wait for."""
        if self._failure is not None:
            return bool(self._running) or self._pulling is not None
        now = self._loop.time()
        if now >= self._closed_until:
            limit = self._capacity.limit(now)
            while self._ready and len(self._running) < limit:
                flight = Flight(self._ready.popleft(), self._capacity.current, self._accepted)
                task = self._loop.create_task(self._steps.advance(flight))
                task.add_done_callback(look_at)
                self._running[task] = flight
            is_free = len(self._running) < limit
            if is_free and self._pulling is None and not self._exhausted:
                self._pulling = self._loop.create_task(self._pull())
                self._pulling.add_done_callback(look_at)
        self._show()
        return bool(self._running or self._pulling or self._ready) or not self._exhausted

    async def _next(self) -> list[BatchItem]:
        """Wait for something to happen, and return the rows that have come to their end."""
        tasks: set[asyncio.Task[Any]] = {*self._running}
        if self._pulling is not None:
            tasks.add(self._pulling)
        now = self._loop.time()
        opens_in = (self._closed_until if now < self._closed_until else self._capacity.grows_at) - now
        if not tasks:
            await asyncio.sleep(max(self._closed_until - now, 0.0))
            return []
        if self._news.done():
            self._news = self._loop.create_future()
        done, _ = await asyncio.wait(
            (*tasks, self._news),
            timeout=opens_in if 0 < opens_in < math.inf else None,
            return_when=asyncio.FIRST_COMPLETED,
        )
        return [item for task in tasks & done if (item := self._collect(task)) is not None]

    def _accepted(self, flight: Flight) -> None:
        """Count the place that the object of a row holds."""
        self._held += 1
        if flight.is_sent:
            self._postponements = 0
        self._capacity.accepted(flight.round, self._loop.time(), self._held)
        if not self._news.done():
            self._news.set_result(None)

    def _collect(self, task: asyncio.Task[Any]) -> BatchItem | None:
        """Take in what a task has done; return its row if that has come to its end."""
        try:
            if task is self._pulling:
                self._pulling = None
                pulled = cast("BatchItem | Work | None", task.result())
                if not isinstance(pulled, Work):
                    return pulled
                self._ready.append(pulled)
                return None
            flight = self._running.pop(task)
            self._held -= flight.is_accepted
            try:
                item = cast("BatchItem", task.result())
            except WithdrawnError:
                self._ready.append(flight.work)
                return None
            except PostponedError as postponed:
                self._postpone(attrs.evolve(flight.work, item=postponed.item), flight.round, postponed.__cause__)
                return None
            # Rows in flight are what the run waits for; its patience begins when the last of them has come to its end.
            self._postponed_since = None
            if flight.is_sent:
                self._postponements = 0
                self._capacity.succeeded(flight.round)
                self._count_unknown(item)
            return item
        except Exception as error:
            self._failure = self._failure or error
            return None

    def _count_unknown(self, item: BatchItem) -> None:
        """End the run when the server seems to fail on every request."""
        self._unknown = self._unknown + 1 if item.state == "unknown" else 0
        if self._unknown >= MAX_UNKNOWN and self._failure is None:
            self._failure = BatchStoppedError(
                f"the outcomes of {MAX_UNKNOWN} consecutive rows are unknown, so nothing more is sent; see "
                f"batch.unknown(). The latest: {item.error}"
            )

    def _postpone(self, work: Work, sent_in: int, error: BaseException | None) -> None:
        """Plan a row again, and lower the concurrency; end the run if every request was postponed for too long."""
        now = self._loop.time()
        is_new = self._capacity.limited(sent_in, now, self._held)
        # The others would be refused as well, and delay the calls that free places.
        for flight in self._running.values():
            flight.withdraw()
        self._postponed_since = now if self._postponed_since is None else self._postponed_since
        if is_new:
            self._postponements += 1
            self._closed_until = max(self._closed_until, now + BACKOFF.backoff(self._postponements))
        if isinstance(error, RateLimitedError) and error.retry_at is not None:
            asked_for = (error.retry_at - datetime.now(UTC)).total_seconds()
            self._closed_until = max(self._closed_until, now + max(asked_for, 0.0) * random.uniform(1.0, 1.0 + SPREAD))
        self._ready.appendleft(work)
        if not self._running and self._closed_until - self._postponed_since > self._options.patience:
            self._failure = self._failure or cast("Exception", error)

    async def _pull(self) -> BatchItem | Work | None:
        """Take the next row: what is to be done, or the row as it is; None if nothing is."""
        options, store = self._options, self._steps.store
        try:
            row = await anext(self._rows)
        except StopAsyncIteration:
            self._exhausted = True
            return None
        key = check_key(options.key(row))
        arguments = self._steps.calls.check(key, options.arguments(row))
        digest = digest_of(key, arguments)
        if not await store.take(key):
            raise InvalidArgumentError(
                f"the rows have the key {key!r} twice: keys must differ, or one row would be lost"
            )
        item = await store.read(key)
        if item is None or item.state in ("planned", "failed"):
            if item is not None and item.state == "failed" and not options.retry_failed:
                return self._earlier(item)
            # Nothing was carried out, so that other arguments are as good.
            item = attrs.evolve(item or BatchItem(key=key), state="planned", digest=digest)
            await store.write(item)
            return Work(item, arguments)
        if item.digest != digest and not options.allow_changed:
            raise InvalidArgumentError(
                f"the arguments of row {key!r} are others than those that were sent for it (it is {item.state}): give "
                "it another key, or pass allow_changed=True to keep what was sent"
            )
        if item.state == "settled" and item.reason is None and self._steps.wait is not None:
            # Settled by a run that waited for nothing.
            item = attrs.evolve(item, state="created")
        if item.state in OPEN or item.state == "unknown":
            return Work(item, arguments)
        return self._earlier(item)

    def _earlier(self, item: BatchItem) -> BatchItem | None:
        """Return a row that came to its end in an earlier run, if it is wanted, or was never delivered."""
        is_known = item.delivered or item.state in ("releasing", "released")
        return item if self._options.include_earlier or not is_known else None

    async def _stop(self) -> None:
        """End what is in flight: a request that was sent is awaited, so that its outcome is kept; a wait is not."""
        tasks: set[asyncio.Task[Any]] = {*self._running}
        if self._pulling is not None:
            tasks.add(self._pulling)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self._rows.aclose()
        self._progress.show(0, self._capacity.places, last=True)

    def _show(self) -> None:
        self._progress.show(len(self._running), self._capacity.places)
