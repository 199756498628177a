"""The way of one row: each step is kept before it is taken, and again when its outcome is known."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from ...errors import AgentPlatformError, InvalidArgumentError, NotFoundError
from .calls import NOT_SENT, as_mapping
from .verdict import concerns_all, describe, judge

if TYPE_CHECKING:
    from .calls import Calls
    from .item import BatchItem, BatchStore

T = TypeVar("T")

NO_READER = "no reader was given: pass Batch(..., find=), or settle it with batch.settle() or batch.forget()"
NOT_FOUND = "the reader did not find its object, which may still appear; it is looked for again in the next run"


class RefusedError(Exception):
    """The server refused a request for now, and carried out nothing; the cause is its error.

    Attributes:
        item: The row, planned again.
    """

    def __init__(self, item: BatchItem) -> None:
        super().__init__(item.key)
        self.item = item


@attrs.frozen
class RowSteps:
    """The steps of a row.

    Attributes:
        store: Where it is kept.
        calls: The functions of the batch.
        wait: The arguments of the wait; None if nothing is waited for.
    """

    store: BatchStore
    calls: Calls
    wait: Mapping[str, Any] | None = None

    async def advance(self, item: BatchItem, arguments: Mapping[str, Any]) -> BatchItem:
        """Take a row as far as it goes, and return it.

        Raises:
            RefusedError: It is planned again, and may be sent later.
            Exception: No row would fare better; this one goes on from its state in the next run.
        """
        if item.state in ("sending", "unknown"):
            item = await self.recover(item)
        if item.state == "planned":
            item = await finish(self.send(item, arguments))
            if item.state == "unknown":
                item = await self.recover(item)
                if item.state == "planned":
                    item = await finish(self.send(item, arguments))
        return await self.settle(item) if item.state == "created" else item

    async def send(self, item: BatchItem, arguments: Mapping[str, Any]) -> BatchItem:
        """Create the object of a row."""
        item = await self.keep(item, state="sending", attempts=item.attempts + 1, error=None)
        try:
            created = await self.calls.create(**arguments)
        except Exception as error:
            verdict, told = judge(error), describe(error)
            if verdict in ("refused", "stop"):
                item = await self.keep(item, state="planned", error=told)
                if verdict == "refused":
                    raise RefusedError(item) from error
                raise
            item = await self.keep(item, state=verdict, error=told)
            if not isinstance(error, AgentPlatformError):
                # A mistake in the caller's function: others would repeat it.
                raise
            return item
        return await self.keep_created(item, created)

    async def keep_created(self, item: BatchItem, created: Any) -> BatchItem:
        """Keep the object of a row."""
        result = as_mapping(created)
        try:
            name = self.calls.id_of(created)
        except Exception as error:
            # It is there, and cannot be named; nothing is sent again for this row.
            await self.keep(item, state="unknown", result=result, error=f"created, but: {describe(error)}")
            raise
        state = "created" if self.wait is not None else "settled"
        return await self.keep(item, state=state, id=name, result=result, error=None)

    async def recover(self, item: BatchItem) -> BatchItem:
        """Find out what became of a request that may or may not have been carried out; never by guess."""
        if self.calls.find is None:
            return await self.keep(item, state="unknown", error=_join(item.error, NO_READER))
        try:
            found = await self.calls.find(item.key)
        except AgentPlatformError as error:
            item = await self.keep(item, state="unknown", error=describe(error))
            if concerns_all(error) or isinstance(error, InvalidArgumentError):
                raise
            return item
        if found is None:
            return await self.keep(item, state="unknown", error=_join(item.error, NOT_FOUND))
        if found is NOT_SENT:
            return await self.keep(item, state="planned", error=None)
        name = self.calls.id_of(found)
        owner = await self.store.owner(name)
        if owner not in (None, item.key):
            told = f"the reader found {name}, which is the object of row {owner!r}"
            return await self.keep(item, state="unknown", error=told)
        return await self.keep_created(item, found)

    async def settle(self, item: BatchItem) -> BatchItem:
        """Wait for the object of a row, if there is something to wait for."""
        if self.wait is None or self.calls.wait is None or item.id is None:
            return await self.keep(item, state="settled", reason=None)
        try:
            outcome = await self.calls.wait(item.id, **self.wait)
        except AgentPlatformError as error:
            if concerns_all(error) or isinstance(error, InvalidArgumentError):
                raise
            return await self.keep(item, error=describe(error))
        result = item.result if outcome.last is None else as_mapping(outcome.last)
        told = None if outcome.error is None else describe(outcome.error)
        # The deadline of a wait ends the wait, and not the work: the next run waits again.
        state = "created" if outcome.reason == "deadline" else "settled"
        return await self.keep(item, state=state, result=result, reason=outcome.reason, error=told)

    async def release(self, before: BatchItem) -> BatchItem:
        """Release the object of a row; once more where an earlier release has an unknown outcome."""
        assert self.calls.release is not None
        assert before.id is not None
        began_before = before.state == "releasing"
        item = await self.keep(before, state="releasing", error=None)
        try:
            await self.calls.release(before.id)
        except Exception as error:
            if not (began_before and isinstance(error, NotFoundError)):
                # Again does no harm: it names this object, and no other.
                state = "releasing" if began_before or judge(error) == "unknown" else before.state
                await self.keep(item, state=state, error=describe(error))
                raise
        return await self.keep(item, state="released")

    async def keep(self, item: BatchItem, **changes: Any) -> BatchItem:
        """Write a row with some changes, and return it."""
        changed = attrs.evolve(item, **changes)
        await self.store.write(changed)
        return changed


async def finish(step: Coroutine[Any, Any, T]) -> T:
    """Await a step to its end, also where the caller is cancelled: what it did is then known, and kept."""
    task = asyncio.ensure_future(step)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait((task,))
        if not task.cancelled():
            # Seen here; asyncio would log an exception that is never retrieved.
            task.exception()
        raise


def _join(error: str | None, more: str) -> str:
    return more if error is None or more in error else f"{error}; {more}"
