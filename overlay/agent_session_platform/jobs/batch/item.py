"""The rows of a batch: their states, and what a store of them must be able to do."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import attrs

from ...errors import AgentPlatformError

State: TypeAlias = Literal["planned", "sending", "created", "settled", "releasing", "released", "failed", "unknown"]
"""The steps of a row."""

OPEN: tuple[State, ...] = ("planned", "sending", "created")
"""The states in which a row waits for nothing but its next step."""


@attrs.frozen(kw_only=True)
class BatchItem:
    """One row of a batch, as its store has it.

    Attributes:
        key: The key of the row.
        state: `planned`: nothing was sent. `sending`: the request is on its way, or a crash cut it off. `created`: the
            object is there. `settled`: it is as `until` says, or the wait ended otherwise for good (`reason`).
            `releasing`: its release is on its way, or its outcome is not known. `released`: it is released. `failed`:
            the server refused the request, so there is no object. `unknown`: the request may or may not have been
            carried out, and is not sent again.
        id: The id of the object; None before it is known.
        result: The object as it was read last, as the JSON object that the server sent; also after a restart. None
            before one was read. `Session.from_dict(item.result)` makes a model of it.
        reason: Why its wait ended, as in `Outcome.reason`; None if there was none.
        error: The latest error of the row as text, without a credential; None if there was none.
        attempts: How often its request was begun.
        digest: The SHA-256 of its arguments, which the store does not have.
        delivered: Whether a run has yielded it as it is, and its loop has come back for the next one.
    """

    key: str
    state: State = "planned"
    id: str | None = None
    result: Mapping[str, Any] | None = attrs.field(default=None, repr=False)
    reason: str | None = None
    error: str | None = None
    attempts: int = 0
    digest: str = attrs.field(default="", repr=False)
    # Not compared: a row that is yielded again is the same row.
    delivered: bool = attrs.field(default=False, repr=False, eq=False)


class BatchStoreError(AgentPlatformError):
    """The store of a batch cannot be used: it is in use, full, read-only or no such store.

    Correct what the message names, and run the batch again: the request of a row is sent only after the store has kept
    its state, so that what is not kept is not sent.
    """


class IdTakenError(BatchStoreError):
    """Another row has this id: an object belongs to one row.

    Look at the row `owner`: it is settled with this object.

    Attributes:
        owner: The key of that row.
    """

    def __init__(self, id: str, owner: str) -> None:
        super().__init__(f"{id} is the object of row {owner!r}")
        self.owner = owner


class BatchStoppedError(AgentPlatformError):
    """Too many rows in a row have an unknown outcome; nothing more is sent.

    Settle those rows, and run the batch again when the server works: one that fails on every request would otherwise
    leave every row to be settled by hand.
    """


@runtime_checkable
class BatchStore(Protocol):
    """A place for the rows of a batch. `write` must not return before a crash could no longer undo it.

    `store="run.sqlite"` is one in a file. Another one, such as for several machines, has these methods; each raises
    BatchStoreError where it fails.
    """

    async def open(self) -> None:
        """Open it for this process alone, and forget which rows were taken."""
        ...

    async def close(self) -> None:
        """Let others open it."""
        ...

    async def take(self, key: str) -> bool:
        """Note that a run has come to a row; False if it did so before, since the store was opened."""
        ...

    async def read(self, key: str) -> BatchItem | None:
        """Return a row; None if there is none."""
        ...

    async def write(self, item: BatchItem) -> None:
        """Keep a row, in place of the one that has its key.

        Raises:
            IdTakenError: Another row has its id; it is compared and written in one step.
        """
        ...

    async def deliver(self, key: str) -> None:
        """Note that a row was delivered, and change nothing else of it."""
        ...

    async def remove(self, key: str) -> None:
        """Forget a row."""
        ...

    def items(self, *states: State) -> AsyncIterator[BatchItem]:
        """Iterate over the rows in any of these states, in the order of their keys; without states over all."""
        ...
