"""Create an object for each of many rows, with bounded concurrency. A crash loses no row, and no row is sent twice."""

from __future__ import annotations

import asyncio
import os
import reprlib
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Iterable, Mapping
from contextlib import aclosing, asynccontextmanager
from functools import partial
from typing import Any, TypeVar

import attrs
from agent_session_platform import ConfigurationError, InvalidArgumentError

from .item import WITHOUT_OBJECT, BatchItem, BatchStore, IdTakenError, State
from .row import (
    Calls,
    Create,
    Finder,
    NamedStates,
    ResourceId,
    RowSteps,
    Until,
    Waiter,
    as_mapping,
    check_id,
    method_beside,
    target_of,
    wait_arguments,
)
from .run import BatchRun, Capacity, check_key, iterate
from .store import SQLiteStore

R = TypeVar("R")


class Batch:
    """Many objects, such as one session for each row of a table: created, waited for and released.

    The state of each row is in a store, and on the disk before its request is sent. Kill the program at any moment and
    run it again: settled rows come from the store, created ones are waited for, and no request is sent twice unless
    you pass `retry_failed=True`. If a request was cut off, `find` looks for its object; without `find`, or if it finds
    nothing, the row stays `unknown` and is not sent again.

    The store contains the keys and ids of the rows, their objects as the server sent them, and the texts of errors. It
    contains digests of the arguments, not the arguments. But if the server repeats an argument, such as a prompt in an
    error, that text is in the store.

    A store belongs to the server, the organization and the method of its first run; a batch that differs in one of them
    is refused. Only a method of the SDK shows them: with a function of your own, nothing is compared.

    Example:
        async def find(key: str) -> Session | None:
            # This reads the list once for each unknown row; unknown rows are few.
            async for session in org.sessions.list(first=200):
                if session.title == f"my-run/{key}":
                    return session
            return None

        batch = Batch(org.sessions.create, store="run.sqlite", concurrency=20, find=find)
        async for item in batch.run(
            rows,
            key=lambda row: row.id,
            arguments=lambda row: {"prompt": row.prompt, "title": f"my-run/{row.id}"},
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
        release: Finder | None = None,
    ) -> None:
        """Make a batch; nothing is opened or sent.

        Args:
            create: The method that creates an object, such as `org.sessions.create`, or an async function that returns
                one. It must send one request, and raise the errors of the SDK.
            store: The path of a SQLite file, or another store. Only the owner may read the file, and only one batch at
                a time may use it.
            concurrency: The greatest number of rows in flight, at least 1. A row is in flight from its request until
                its wait has ended. If you know how many objects the platform runs at once, pass at most that number. A
                429 lowers the number to the rows that have an object, and one more is tried after some seconds. Without
                a wait, a 429 halves the number, and successes raise it by one. Each request has one attempt, whatever
                its `options` say: the batch decides when it is sent again.
            id: The field with the id of an object, or a function that returns it. None: the field that the contract
                declares, as for sessions.
            wait: A function that waits for an object. It is called as `await wait(id, until=, unexpected=, timeout=,
                every=)`, and returns an `Outcome`. None: `wait` of the resource that *create* is a method of.
            find: An async function that looks for the object of an unknown row: it takes the key, and returns the
                object or None. It may scan the list for a marker that you gave the object, such as a title with the
                key. After None the row is not sent again, because a list may lag behind. After `NOT_SENT` it is sent
                again: return `NOT_SENT` only if you know that the request was not carried out and never will be.
            release: The method that `batch.release` calls with an id, such as `org.sessions.archive`.

        Raises:
            InvalidArgumentError: `concurrency` is below 1, or `store` is empty.
        """
        if concurrency < 1:
            raise InvalidArgumentError(f"concurrency must be at least 1, not {concurrency}")
        self._calls = Calls(create, id, method_beside(create, "wait") if wait is None else wait, find, release)
        self._store: BatchStore = store if isinstance(store, BatchStore) else SQLiteStore(store)
        # The place where the objects are created. With None, the place is not known, and the store is not checked.
        self._target = target_of(create)
        self._users = 0
        self._is_open = False
        self._lock = asyncio.Lock()
        self._concurrency = concurrency
        self._is_running = False

    def run(
        self,
        rows: AsyncIterable[R] | Iterable[R],
        *,
        key: Callable[[R], str | int],
        arguments: Callable[[R], Mapping[str, Any]],
        until: Until | NamedStates | None = None,
        unexpected: Until | None = None,
        wait_timeout: float = 3600.0,
        every: float = 10.0,
        include_earlier: bool = True,
        retry_failed: bool = False,
        allow_changed: bool = False,
        patience: float = 3600.0,
    ) -> AsyncGenerator[BatchItem, None]:
        """Create an object for each row, wait for it, and yield each row when it has ended.

        Rows are taken when they can be sent, so they may be an endless generator. If you leave the loop early, no
        further request is sent, waits end, and requests that were sent are awaited; with `contextlib.aclosing` this
        happens at once. A row counts as in flight until your loop requests the next one, so do long work in a task.

        A row that the server refuses for good (such as with 422) is yielded as `failed`, and the run goes on. An error
        that other rows would meet as well (a bad credential, a missing permission, a server that cannot be reached)
        ends the run: no further row is sent, the rows in flight end and are yielded, then the error is raised.

        Args:
            rows: The rows: an iterable, or an async iterable. A plain generator that reads a file or a database blocks
                the event loop while it makes a row: use an async generator instead.
            key: Returns the key of a row: text, or a whole number, which becomes text. The next run finds the row by
                its key, so do not use a line number that may change.
            arguments: Returns the keyword arguments of *create* for a row.
            until: What to wait for, as in `organization.sessions.wait`: also `any_of` and `States`; `"states"` for the
                states that the contract of a private build names. With None, a row is settled as soon as its object is
                created. A later run with `until` still waits for that object.
            unexpected: Values that end a wait, too, in the same form as `until`.
            wait_timeout: Seconds of each wait, more than 0. A row that is not settled by then is yielded as `created`
                with the reason `deadline`; the next run waits for it again.
            every: Seconds between two polls of a wait, more than 0.
            include_earlier: Whether to yield rows that ended in an earlier run; they come from the store, without a
                request. With False, such a row is yielded only if it was never delivered. A row is delivered when your
                loop requests the next row. So the last row before a `break` comes again, and so do the last few rows
                before a crash.
            retry_failed: Whether rows that failed in an earlier run are sent again.
            allow_changed: Whether to accept a row whose arguments differ from those that an earlier run sent; the row
                is not sent again. Arguments that JSON cannot represent, such as a file, are compared by their type
                only; `options` are not compared.
            patience: Seconds, more than 0, for which the run goes on while no row is in flight and every request gets a
                429 or is not sent in time. The run ends earlier if the server asks for a longer wait.

        Yields:
            The rows that have ended, as the store has them.

        Raises:
            InvalidArgumentError: An argument is wrong, a key comes twice, the arguments of a row have changed, or the
                store belongs to another server, organization or method.
            ConfigurationError: A run of this batch is under way.
            BatchStoreError: The store cannot be used; nothing more is sent.
            BatchStoppedError: The outcomes of ten consecutive rows are unknown.
            AgentPlatformError: An error that concerns all rows.
        """
        for name, value in (("wait_timeout", wait_timeout), ("every", every), ("patience", patience)):
            if not value > 0:
                raise InvalidArgumentError(f"{name} must be a positive number of seconds, not {reprlib.repr(value)}")
        wait = wait_arguments(self._calls.wait, until, unexpected, wait_timeout, every)
        make = partial(
            BatchRun[R],
            rows=iterate(rows),
            capacity=Capacity(self._concurrency),
            key=key,
            arguments=arguments,
            include_earlier=include_earlier,
            retry_failed=retry_failed,
            allow_changed=allow_changed,
            patience=patience,
        )
        return self._run(make, wait)

    async def _run(
        self, make: Callable[[RowSteps], BatchRun[Any]], wait: Mapping[str, Any] | None
    ) -> AsyncGenerator[BatchItem, None]:
        if self._is_running:
            text = "end it first, with contextlib.aclosing if you leave its loop early"
            raise ConfigurationError(f"a run of this batch is under way: {text}")
        self._is_running = True
        try:
            async with self._opened() as store, aclosing(make(RowSteps(store, self._calls, wait)).items()) as items:
                async for item in items:
                    yield item
                    if not item.delivered:
                        await store.deliver(item.key)
        finally:
            self._is_running = False

    async def release(self, item: BatchItem | str) -> BatchItem:
        """Release the object of a row with the `release` of this batch.

        Only this method releases anything, and only objects that this batch has created. If the outcome of a release is
        unknown, the row stays `releasing`: release it again, which does no harm, and a 404 then counts as released.
        Nothing is sent for a row that is released already.

        Args:
            item: The row, or its key.

        Returns:
            The row, `released`.

        Raises:
            InvalidArgumentError: There is no such row, it has no object, or this batch has no `release`.
            BatchStoreError: The store cannot be used; nothing was sent.
            AgentPlatformError: The release failed.
        """
        async with self._opened() as store:
            found = await _row_of(store, item.key if isinstance(item, BatchItem) else item)
            if found.state == "released":
                return found
            if self._calls.release is None:
                raise InvalidArgumentError("this batch has no release: pass release=, such as org.sessions.archive")
            if found.id is None or found.state in WITHOUT_OBJECT:
                raise InvalidArgumentError(f"row {found.key!r} is {found.state}, so it has no object to release")
            return await RowSteps(store, self._calls).release(found)

    async def unknown(self) -> list[BatchItem]:
        """Return the rows whose requests may or may not have been carried out. These rows are not sent again.

        Look for the object of each row. If there is an object, call `assign`. If there is none, call `forget`.

        Returns:
            The rows, in the order of their keys.

        Raises:
            BatchStoreError: The store cannot be used.
        """
        states: tuple[State, ...] = ("unknown",) if self._is_running else ("sending", "unknown")
        return [item async for item in self.items(*states)]

    async def items(self, *states: State) -> AsyncIterator[BatchItem]:
        """Iterate over the rows of the store, in the order of their keys. Nothing is sent.

        Args:
            states: The states of the rows to yield, such as `"failed"`; without any, all rows.

        Yields:
            The rows.

        Raises:
            BatchStoreError: The store cannot be used.
        """
        async with self._opened() as store:
            async for item in store.items(*states):
                yield item

    async def target(self) -> str | None:
        """Return where the rows of the store were created: the operation, its path arguments and the server.

        Returns:
            Text such as `organization.sessions.create(org_id='org-acme') at https://api.example.com`; None if the store
            has no rows yet, or if they were created with a function of your own.

        Raises:
            BatchStoreError: The store cannot be used.
        """
        async with self._opened() as store:
            return await store.bind(None)

    async def assign(self, key: str | int, *, id: str, check: bool = True) -> BatchItem:
        """Assign an object that you have found to an unknown row; the next run waits for it.

        `unassign` takes it back.

        Args:
            key: The key of the row.
            id: The id of the object.
            check: Whether to read the object first, with `get` of the resource that *create* is a method of. Without
                such a `get`, or with False, any text that is not empty is accepted.

        Returns:
            The row, `created`.

        Raises:
            InvalidArgumentError: There is no such row, it is not unknown, there is no such object, or the object
                belongs to another row.
            BatchStoreError: The store cannot be used.
            AgentPlatformError: The object could not be read.
        """
        checked = check_id(id)
        async with self._opened() as store:
            item = await _row_of(store, key)
            self._check_state(item, ("unknown", "sending"), "assigned an object")
            found = await self._calls.read(checked) if check else None
            result = item.result if found is None else as_mapping(found)
            item = attrs.evolve(item, state="created", id=checked, result=result, error=None, assigned=True)
            try:
                await store.write(item)
            except IdTakenError as error:
                raise InvalidArgumentError(f"id {id!r} is the object of row {error.owner!r}") from None
            return item

    async def unassign(self, key: str | int) -> BatchItem:
        """Take back an object that was assigned to a row by mistake; the row is unknown again. Nothing is sent.

        Args:
            key: The key of the row.

        Returns:
            The row, `unknown`.

        Raises:
            InvalidArgumentError: There is no such row, no object was assigned to it, or the object was released.
            ConfigurationError: A run of this batch is under way.
            BatchStoreError: The store cannot be used.
        """
        if self._is_running:
            raise ConfigurationError("a run of this batch is under way, and may use the object: wait until it ends")
        async with self._opened() as store:
            item = await _row_of(store, key)
            if not item.assigned:
                raise InvalidArgumentError(f"row {item.key!r} is {item.state}, and no object was assigned to it")
            self._check_state(item, ("created", "settled"), "taken back")
            text = f"the object {item.id} was assigned to it, and taken back"
            item = attrs.evolve(item, state="unknown", id=None, result=None, reason=None, error=text, assigned=False)
            await store.write(item)
            return item

    async def forget(self, key: str | int) -> None:
        """Remove a row that has no object, so that the next run sends it.

        Args:
            key: The key of the row.

        Raises:
            InvalidArgumentError: There is no such row, it has an object, or it is being sent.
            BatchStoreError: The store cannot be used.
        """
        async with self._opened() as store:
            item = await _row_of(store, key)
            self._check_state(item, WITHOUT_OBJECT, "forgotten")
            if item.result is not None:
                # The object of this row exists, but its id cannot be used.
                text = "has an object, and would get a second one: assign its object to it instead"
                raise InvalidArgumentError(f"row {item.key!r} {text}")
            await store.remove(item.key)

    def _check_state(self, item: BatchItem, states: tuple[State, ...], what: str) -> None:
        """Raise InvalidArgumentError if a row is in another state, or if a run may be sending it."""
        if item.state not in states or (self._is_running and item.state in ("planned", "sending")):
            is_assigned = item.assigned and item.state in ("created", "settled")
            hint = "; first take its object back (`unassign`, `asp batch assign --undo`)" if is_assigned else ""
            text = f"row {item.key!r} is {item.state}; only {' or '.join(states)} can be {what}"
            raise InvalidArgumentError(f"{text}{hint}")

    @asynccontextmanager
    async def _opened(self) -> AsyncGenerator[BatchStore, None]:
        """Open the store for the first user, and close it after the last user."""
        async with self._lock:
            if not self._is_open:
                await self._store.open()
                self._is_open = True
            self._users += 1
        try:
            bound = self._target if self._target is None else await self._store.bind(self._target)
            if bound != self._target:
                text = f"the store belongs to {bound}, and this batch creates with {self._target}"
                raise InvalidArgumentError(f"{text}: use another store, or pass the same method as in the earlier runs")
            yield self._store
        finally:
            # Count this user before the await. If the await is cancelled, the task with the lock closes the store.
            self._users -= 1
            async with self._lock:
                if not self._users and self._is_open:
                    self._is_open = False
                    await self._store.close()


async def _row_of(store: BatchStore, key: str | int) -> BatchItem:
    """Return a row.

    Raises:
        InvalidArgumentError: No row has this key.
    """
    found = await store.read(check_key(key))
    if found is None:
        text = "`unknown` lists the rows to decide about"
        raise InvalidArgumentError(f"the store has no row with the key {key!r}; {text}")
    return found
