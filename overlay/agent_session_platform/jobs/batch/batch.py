"""Fan out over many rows, bounded, and survive a crash: no row is sent twice, and none is lost."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Iterable, Mapping
from contextlib import aclosing
from typing import Any, Final, TypeVar, cast

import attrs

from ...errors import ConfigurationError, InvalidArgumentError
from ...text import format_value, type_name
from ...validators import is_number
from ..interface import Until
from .calls import Calls, Create, Finder, Release, ResourceId, Waiter, wait_arguments, waiter_of
from .capacity import Capacity
from .item import BatchItem, BatchStore, IdTakenError, State
from .progress import ProgressBar
from .row import RowSteps
from .run import BatchRun, RunOptions
from .shared_store import SharedStore, row_of
from .sqlite_store import SQLiteStore

R = TypeVar("R")

# States that say nothing about an object, or that there is none.
WITHOUT_OBJECT: Final[tuple[State, ...]] = ("planned", "sending", "failed", "unknown")


class Batch:
    """Many objects, such as one session for each row of a table: created, waited for and released.

    The state of each row is in a store, and on the disk before its request is sent. Kill the program at any moment and
    run it again: rows that were settled come from the store, rows that were created are waited for, and no request is
    sent twice. What the server did with a request that was cut off is read with `find`; without it, or where that finds
    nothing, the row stays `unknown` and is not sent again.

    The store has the keys and ids of the rows, their objects as the server sent them, the texts of its errors, and
    digests of the arguments in place of the arguments. What the server repeats of an argument, such as a prompt in an
    error, is in the store all the same. Use one store for one kind of object in one organization.

    Example:
        async def find(key: str) -> Session | None:
            # A scan of the list for each unknown row: they are few.
            async for session in org.sessions.list(first=200):
                if session.title == f"my-run/{key}":
                    return session
            return None

        batch = Batch(org.sessions.create, store="run.sqlite", concurrency=20, find=find)
        async for item in batch.run(
            rows,
            key=lambda row: row.id,
            arguments=lambda row: {"extra_body": {"prompt": row.prompt, "title": f"my-run/{row.id}"}},
            until={"status": {"finished", "blocked"}},
        ):
            print(item.key, item.state, item.result)
    """

    def __init__(
        self,
        create: Create,
        *,
        store: str | os.PathLike[str] | BatchStore,
        concurrency: int = 20,
        id: ResourceId | None = None,
        wait: Waiter | None = None,
        find: Finder | None = None,
        release: Release | None = None,
        progress: bool | None = None,
    ) -> None:
        """Make a batch; nothing is opened or sent.

        Args:
            create: The method that creates an object, such as `org.sessions.create`, or an async function that returns
                one. It must send one request, and raise the errors of the SDK.
            store: The path of a SQLite file, which only its owner may read and one batch at a time may use; or another
                store.
            concurrency: The greatest number of rows between their request and their end, at least 1. Their objects
                take places on the platform: where you know how many it has, do not ask for more. After a 429 as many
                rows are in flight as have an object, and one more is tried after some seconds; without a wait it is
                halved, and comes back by one. Requests have one attempt, whatever their `options` say; the batch makes
                the next one.
            id: The field with the id of an object, or a function that returns it. None: the one that the contract
                declares, as for sessions.
            wait: Waits for an object, and is called as `await wait(id, until=, unexpected=, timeout=, every=)`, which
                returns an `Outcome`. None: `wait` of the resource that *create* is a method of.
            find: A reader for rows of unknown outcome: takes the key, and returns the object, or None. It looks for a
                marker in a field that the API shows, such as a title with the key; it is called for each unknown row,
                and may scan the list each time. None does not send the row again, because a list may lag behind.
                `NOT_SENT` does: return it only if you know that the request was not carried out, and no more will be.
            release: What `batch.release` calls with an id, such as `org.sessions.archive`.
            progress: Whether a line on stderr tells how far a run is; None: if that is a terminal.

        Raises:
            InvalidArgumentError: An argument has a wrong type or is out of its bounds.
        """
        if not isinstance(concurrency, int) or isinstance(concurrency, bool) or concurrency < 1:  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(
                f"concurrency must be a whole number of at least 1, not {format_value(concurrency)}"
            )
        for name, function in (("create", create), ("wait", wait), ("find", find), ("release", release)):
            if not (callable(function) or (function is None and name != "create")):
                raise InvalidArgumentError(f"{name} must be an async function, not {format_value(function)}")
        if not isinstance(store, str | os.PathLike | BatchStore):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise InvalidArgumentError(f"store must be the path of a file or a BatchStore, not {type_name(store)}")
        self._store = SharedStore(store if isinstance(store, BatchStore) else SQLiteStore(cast("str", store)))
        self._calls = Calls(create, id, wait or waiter_of(create), find, release)
        self._concurrency = concurrency
        self._progress = progress
        self._is_running = False

    def run(
        self,
        rows: AsyncIterable[R] | Iterable[R],
        *,
        key: Callable[[R], str | int],
        arguments: Callable[[R], Mapping[str, Any]],
        until: Until[Any] | None = None,
        unexpected: Until[Any] | None = None,
        wait_timeout: float = 3600.0,
        every: float = 10.0,
        include_earlier: bool = True,
        retry_failed: bool = False,
        allow_changed: bool = False,
        patience: float = 3600.0,
    ) -> AsyncGenerator[BatchItem, None]:
        """Create an object for each row, wait for it, and yield the rows in the order in which they come to their end.

        Rows are taken as places become free, so they may be an endless generator. If you leave the loop early, requests
        that were sent are awaited, no other one is sent, and waits end; use `contextlib.aclosing` to have that done at
        once. No row is begun while your loop works on another: let work that takes long go on in a task.

        A row that the server refuses (such as with 422) is yielded as `failed`, and the run goes on. An error that
        other rows would meet as well (a bad credential, a missing permission, a server that cannot be reached) ends
        the run: no further row is sent, those in flight come to their end and are yielded, then it is raised.

        Args:
            rows: The rows, also an async iterable. The event loop stands still while a plain iterable makes the next
                row: let one that reads a file or a database be async.
            key: Returns the key of a row: text, or a whole number that becomes text. It finds the row again in the next
                run, so it must not be the number of a line that may move.
            arguments: Returns the keywords of *create* for a row.
            until: What to wait for, as in `organization.sessions.wait`; None: a row is settled when it is created, and
                a later run with `until` waits for it.
            unexpected: What ends a wait as well.
            wait_timeout: Seconds of each wait, more than 0. A row that is not settled by then is yielded as `created`
                with the reason `deadline`; the next run waits for it again.
            every: Seconds between two polls of a wait, more than 0.
            include_earlier: Whether rows that came to their end in an earlier run are yielded as well, from the store
                and without a request, so that each run gives the whole picture. False yields those that were never
                delivered all the same: a row is when the loop comes back for the next one, so the last row of a loop
                that was left comes again.
            retry_failed: Whether rows that failed in an earlier run are sent again.
            allow_changed: Whether a row may have other arguments than those that were sent for it earlier, which stay.
                Arguments that JSON has no form for, such as a file, are compared by their type; `options` are not.
            patience: Seconds for which the run goes on while every request is refused with 429, or not sent in time,
                and no row is in flight. It ends earlier if the server asks for a longer wait.

        Yields:
            The rows.

        Raises:
            InvalidArgumentError: An argument is wrong, a key comes twice, or the arguments of a row have changed.
            BatchStoreError: The store cannot be used; nothing more is sent.
            BatchStoppedError: Ten rows in a row have an unknown outcome.
            AgentPlatformError: An error that concerns all rows.
        """
        for name, value in (("wait_timeout", wait_timeout), ("every", every), ("patience", patience)):
            if not is_number(value) or not value > 0:
                raise InvalidArgumentError(f"{name} must be a positive number of seconds, not {format_value(value)}")
        wait = wait_arguments(self._calls.wait, until, unexpected, wait_timeout, every)
        options = RunOptions(
            key=key,
            arguments=arguments,
            include_earlier=include_earlier,
            retry_failed=retry_failed,
            allow_changed=allow_changed,
            patience=patience,
        )
        return self._run(rows, options, wait)

    async def _run(
        self, rows: AsyncIterable[R] | Iterable[R], options: RunOptions[R], wait: Mapping[str, Any] | None
    ) -> AsyncGenerator[BatchItem, None]:
        if self._is_running:
            raise ConfigurationError(
                "a run of this batch is under way: end it first, with contextlib.aclosing if you leave its loop early"
            )
        self._is_running = True
        try:
            async with self._store as store:
                progress = ProgressBar(enabled=self._progress)
                steps = RowSteps(store, self._calls, wait)
                run = BatchRun(rows, steps, options, Capacity(self._concurrency), progress)
                async with aclosing(run.items()) as items:
                    async for item in items:
                        yield item
                        if not item.delivered:
                            await store.deliver(item.key)
        finally:
            self._is_running = False

    async def release(self, item: BatchItem | str) -> BatchItem:
        """Release the object of a row with the function `release` of this batch, and return the row.

        Nothing else releases anything, and only objects that this batch has created can be released. A release of
        unknown outcome leaves the row `releasing`; release it again, which does no harm: it names the same object. A
        404 then says that it is gone. A row that is released already is returned as it is.

        Args:
            item: The row, or its key.

        Raises:
            InvalidArgumentError: There is no such row, it has no object, or this batch has no `release`.
            BatchStoreError: The store cannot be used; nothing was sent.
            AgentPlatformError: The release failed.
        """
        async with self._store as store:
            found = await row_of(store, item.key if isinstance(item, BatchItem) else item)
            if found.state == "released":
                return found
            if self._calls.release is None:
                raise InvalidArgumentError(
                    "this batch has no release: pass Batch(..., release=), such as org.sessions.archive"
                )
            if found.id is None or found.state in WITHOUT_OBJECT:
                raise InvalidArgumentError(f"row {found.key!r} is {found.state}, so it has no object to release")
            return await RowSteps(store, self._calls).release(found)

    async def unknown(self) -> list[BatchItem]:
        """Return the rows of which nobody knows whether their request was carried out; none of them is sent again.

        Look for the object of each, then call `assign` or `forget`.

        Raises:
            BatchStoreError: The store cannot be used.
        """
        # During a run, those that are being sent are not lost.
        states: tuple[State, ...] = ("unknown",) if self._is_running else ("sending", "unknown")
        return [item async for item in self.items(*states)]

    async def items(self, *states: State) -> AsyncIterator[BatchItem]:
        """Iterate over the rows in any of these states, in the order of their keys; without states over all.

        Raises:
            BatchStoreError: The store cannot be used.
        """
        async with self._store as store:
            async for item in store.items(*states):
                yield item

    async def assign(self, key: str | int, *, id: str) -> BatchItem:
        """Say which object belongs to an unknown row; the next run waits for it.

        Args:
            key: The key of the row.
            id: The id of the object.

        Raises:
            InvalidArgumentError: There is no such row, it is not unknown, or the object belongs to another row.
            BatchStoreError: The store cannot be used.
        """
        async with self._store as store:
            item = await row_of(store, key)
            self._expect(item, ("unknown", "sending"), "settled by hand")
            item = attrs.evolve(item, state="created", id=id, error=None)
            try:
                await store.write(item)
            except IdTakenError as error:
                raise InvalidArgumentError(f"id {format_value(id)} is the object of row {error.owner!r}") from None
            return item

    async def forget(self, key: str | int) -> None:
        """Remove a row that has no object, so that the next run sends it.

        Args:
            key: The key of the row.

        Raises:
            InvalidArgumentError: There is no such row, or it has an object.
            BatchStoreError: The store cannot be used.
        """
        async with self._store as store:
            item = await row_of(store, key)
            self._expect(item, WITHOUT_OBJECT, "forgotten")
            if item.result is not None:
                # It is there, and only its id cannot be used.
                raise InvalidArgumentError(
                    f"row {item.key!r} has an object, and would get a second one: settle it with batch.assign(key, id=)"
                )
            await store.remove(item.key)

    def _expect(self, item: BatchItem, states: tuple[State, ...], what: str) -> None:
        if item.state not in states or (self._is_running and item.state in ("planned", "sending")):
            wanted = " or ".join(states)
            raise InvalidArgumentError(f"row {item.key!r} is {item.state}; only one that is {wanted} can be {what}")
