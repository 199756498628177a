"""One run of a batch: rows are taken as places become free, and come out as they settle."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, cast

import attrs

from ... import to_json
from ...errors import InvalidArgumentError, RateLimitedError
from ...jitter import backoff, lengthen
from ...text import format_value, type_name
from .item import OPEN, BatchItem
from .row import RefusedError, RowSteps

if TYPE_CHECKING:
    from .capacity import Capacity
    from .progress import ProgressBar

R = TypeVar("R")

# Seconds before rows are sent again after a 429 that names no time: at most, and at most after many in a row.
BACKOFF_BASE: Final = 1.0
BACKOFF_CAP: Final = 60.0


@attrs.frozen(kw_only=True)
class RunOptions(Generic[R]):
    """The arguments of a run; `Batch.run` describes them."""

    key: Callable[[R], str | int]
    arguments: Callable[[R], Mapping[str, Any]]
    include_earlier: bool
    retry_failed: bool
    allow_changed: bool
    patience: float


@attrs.frozen
class Work:
    """A row in flight: what the store has of it, and the arguments of its request."""

    item: BatchItem
    arguments: Mapping[str, Any]


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
        self._rows = _iterate(rows)
        self._steps = steps
        self._options = options
        self._capacity = capacity
        self._progress = progress
        self._loop = asyncio.get_running_loop()
        self._running: dict[asyncio.Task[BatchItem], tuple[Work, int]] = {}
        # Rows that may be sent as soon as there is room; refused ones go first, and none is taken while there are any.
        self._ready: deque[Work] = deque()
        self._pulling: asyncio.Task[BatchItem | Work | None] | None = None
        self._exhausted = False
        self._failure: Exception | None = None
        # No row is sent before this time of the loop.
        self._closed_until = 0.0
        self._refusals = 0
        self._refused_since: float | None = None

    async def items(self) -> AsyncGenerator[BatchItem, None]:
        """Iterate over the rows as they settle.

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
        """Begin what there is room for; return whether there is anything to wait for."""
        if self._failure is not None:
            return bool(self._running) or self._pulling is not None
        if self._loop.time() >= self._closed_until:
            while self._ready and len(self._running) < self._capacity.limit:
                work = self._ready.popleft()
                task = self._loop.create_task(self._steps.advance(work.item, work.arguments))
                self._running[task] = work, self._capacity.current
            is_free = len(self._running) < self._capacity.limit
            if is_free and self._pulling is None and not self._exhausted:
                self._pulling = self._loop.create_task(self._pull())
        self._show()
        return bool(self._running or self._pulling or self._ready) or not self._exhausted

    async def _next(self) -> list[BatchItem]:
        """Wait for something to happen, and return the rows that have come to their end."""
        tasks: set[asyncio.Task[Any]] = {*self._running}
        if self._pulling is not None:
            tasks.add(self._pulling)
        opens_in = self._closed_until - self._loop.time()
        if not tasks:
            await asyncio.sleep(max(opens_in, 0.0))
            return []
        done, _ = await asyncio.wait(
            tasks, timeout=opens_in if opens_in > 0 else None, return_when=asyncio.FIRST_COMPLETED
        )
        return [item for task in done if (item := self._collect(task)) is not None]

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
            work, sent_in = self._running.pop(task)
            try:
                item = cast("BatchItem", task.result())
            except RefusedError as refused:
                self._refuse(attrs.evolve(work, item=refused.item), sent_in, refused.__cause__)
                return None
            if item.attempts > work.item.attempts:
                self._refusals, self._refused_since = 0, None
                self._capacity.succeeded(sent_in)
            return item
        except Exception as error:
            self._failure = self._failure or error
            return None

    def _refuse(self, work: Work, sent_in: int, error: BaseException | None) -> None:
        """Plan a row again, and lower the concurrency; give up if nothing else was heard for too long."""
        now = self._loop.time()
        is_new = self._capacity.refused(sent_in)
        self._refused_since = now if self._refused_since is None else self._refused_since
        if is_new:
            self._refusals += 1
            self._closed_until = max(self._closed_until, now + backoff(self._refusals, BACKOFF_BASE, BACKOFF_CAP))
        if isinstance(error, RateLimitedError) and error.retry_at is not None:
            asked_for = (error.retry_at - datetime.now(UTC)).total_seconds()
            self._closed_until = max(self._closed_until, now + lengthen(max(asked_for, 0.0)))
        self._ready.appendleft(work)
        if not self._running and self._closed_until - self._refused_since > self._options.patience:
            self._failure = self._failure or cast("Exception", error)

    async def _pull(self) -> BatchItem | Work | None:
        """Take the next row: what is to be done, or the row as it is; None if nothing is."""
        options, store = self._options, self._steps.store
        try:
            row = await anext(self._rows)
        except StopAsyncIteration:
            self._exhausted = True
            return None
        key = _check_key(options.key(row))
        arguments = self._steps.calls.check(key, options.arguments(row))
        digest = _digest(arguments)
        if not await store.take(key):
            raise InvalidArgumentError(
                f"the rows have the key {key!r} twice: keys must differ, or one row would be lost"
            )
        item = await store.read(key)
        if item is None or item.state in ("planned", "failed"):
            if item is not None and item.state == "failed" and not options.retry_failed:
                return item if options.include_earlier else None
            # Nothing was carried out, so that other arguments are as good.
            item = attrs.evolve(item or BatchItem(key=key), state="planned", digest=digest)
            await store.write(item)
            return Work(item, arguments)
        if item.digest != digest and not options.allow_changed:
            raise InvalidArgumentError(
                f"the arguments of row {key!r} are others than those that were sent for it (it is {item.state}): give "
                "it another key, or pass allow_changed=True to keep what was sent"
            )
        if item.state in OPEN or item.state == "unknown":
            return Work(item, arguments)
        return item if options.include_earlier else None

    async def _stop(self) -> None:
        """End what is in flight: a request that was sent is awaited, so that its outcome is kept; a wait is not."""
        tasks: set[asyncio.Task[Any]] = {*self._running}
        if self._pulling is not None:
            tasks.add(self._pulling)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        for task in tasks:
            # Seen here; asyncio would log an exception that is never retrieved.
            if not task.cancelled():
                task.exception()
        await self._rows.aclose()
        self._progress.show(0, self._capacity.limit, last=True)

    def _show(self) -> None:
        self._progress.show(len(self._running), self._capacity.limit)


async def _iterate(rows: AsyncIterable[R] | Iterable[R]) -> AsyncGenerator[R, None]:
    if isinstance(rows, AsyncIterable):
        async for row in rows:
            yield row
    else:
        for row in rows:
            yield row


def _check_key(key: object) -> str:
    """Return the key of a row as text."""
    if isinstance(key, int) and not isinstance(key, bool):
        return str(key)
    if not isinstance(key, str) or not key:
        raise InvalidArgumentError(f"key must return text that is not empty or a whole number, not {format_value(key)}")
    return key


def _digest(arguments: Mapping[str, Any]) -> str:
    """Return the digest of arguments, whatever their order; of what JSON has no form for only the type counts."""

    def write(value: Any) -> Any:
        if isinstance(value, set | frozenset):
            # Their order is another one in each process.
            return sorted(map(repr, cast("set[Any]", value)))
        try:
            return to_json(value)
        except TypeError:
            return type_name(value)

    sent = {name: value for name, value in arguments.items() if name != "options"}
    return sha256(json.dumps(sent, sort_keys=True, default=write).encode()).hexdigest()
