"""The rows of a batch: their states, and the methods that a store of rows needs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import attrs
from agent_session_platform import AgentPlatformError

State: TypeAlias = Literal["planned", "sending", "created", "settled", "releasing", "released", "failed", "unknown"]
"""The state of a row; `BatchItem.state` describes each."""

OPEN: tuple[State, ...] = ("planned", "sending", "created")
"""The states in which a run goes on with a row."""

WITHOUT_OBJECT: tuple[State, ...] = ("planned", "sending", "failed", "unknown")
"""The states in which a row has no known object."""


@attrs.frozen(kw_only=True)
class BatchItem:
    """One row of a batch, as its store has it.

    Attributes:
        key: The key of the row.
        state: `planned`: nothing was sent. `sending`: the request is on its way, or a crash cut it off. `created`: the
            object exists. `settled`: the object is as `until` says, or its wait has ended for another reason than the
            deadline (`reason`). `releasing`: its release was requested, and the outcome is not known. `released`: the
            object is released. `failed`: the server refused the request for good, so there is no object. `unknown`: the
            request may or may not have been carried out, and is not sent again.
        id: The id of the object; None before it is known.
        result: The object as the server last sent it, as JSON; also after a restart. None before it was read.
            `Session.from_dict(item.result)` makes a model of it.
        reason: Why its wait ended, as in `Outcome.reason`; None if there was no wait.
        error: The latest error of the row as text, without a credential; None if there was none.
        attempts: The number of times that its request was begun.
        digest: The SHA-256 of its arguments; the store does not have the arguments.
        assigned: Whether its object was assigned by hand, with `Batch.assign`.
        delivered: Whether a loop over a run got this row in its current state, and then requested the next one.
    """

    key: str
    state: State = "planned"
    id: str | None = None
    result: Mapping[str, Any] | None = attrs.field(default=None, repr=False)
    reason: str | None = None
    error: str | None = None
    attempts: int = 0
    digest: str = attrs.field(default="", repr=False)
    assigned: bool = attrs.field(default=False, converter=bool, repr=False)
    # Not compared: a row that is yielded again is the same row.
    delivered: bool = attrs.field(default=False, converter=bool, repr=False, eq=False)


class BatchStoreError(AgentPlatformError):
    """The store of a batch cannot be used: it is in use, full, read-only, or not a store.

    Correct what the message names, and run the batch again. A request is sent only after the state of its row is in the
    store, so no request is lost.
    """


class IdTakenError(BatchStoreError):
    """Another row has this id already. An object can belong to only one row.

    Look at the row `owner`, which has this object.

    Attributes:
        owner: The key of that row.
    """

    def __init__(self, id: str, owner: str = "") -> None:
        # A queue of tasks makes the error again from its text alone.
        super().__init__(f"{id} is the object of row {owner!r}" if owner else id)
        self.owner = owner


class BatchStoppedError(AgentPlatformError):
    """The outcomes of ten consecutive rows are unknown; nothing more is sent.

    Look for the objects of those rows (`Batch.unknown()`), and run the batch again when the server works. A server that
    fails on every request would otherwise leave every row for a person to check.
    """


@runtime_checkable
class BatchStore(Protocol):
    """A store for the rows of a batch. When `write` returns, the row must survive a crash.

    `store="run.sqlite"` makes a store in a file. For another store, such as one for several machines, write a class
    with these methods; each method raises BatchStoreError if it fails.
    """

    async def open(self) -> None:
        """Open the store for this process alone, and forget which rows were taken.

        Raises:
            BatchStoreError: The store is in use, or cannot be opened.
        """

    async def close(self) -> None:
        """Close the store, so that others can open it."""

    async def bind(self, target: str | None) -> str | None:
        """Keep the target, unless the store has a target already.

        Args:
            target: Where this batch creates its objects: the operation, its path arguments and the server. With None,
                nothing is kept.

        Returns:
            The target that the store has now; None without any. If it differs from *target*, the batch is refused.

        Raises:
            BatchStoreError: The target cannot be written.
        """
        ...

    async def take(self, key: str) -> bool:
        """Record that a run has come to a row.

        Args:
            key: The key of the row, which the store may not have yet.

        Returns:
            Whether this is the first time since the store was opened.

        Raises:
            BatchStoreError: The store cannot be written.
        """
        ...

    async def read(self, key: str) -> BatchItem | None:
        """Return a row.

        Args:
            key: The key of the row.

        Returns:
            The row; None if the store has no row with this key.

        Raises:
            BatchStoreError: The row cannot be read.
        """

    async def write(self, item: BatchItem) -> None:
        """Keep a row. If the store has a row with the same key, replace it.

        Args:
            item: The row.

        Raises:
            IdTakenError: Another row has the same id. Compare and write in one transaction.
            BatchStoreError: The row cannot be written; the store is as before.
        """

    async def deliver(self, key: str) -> None:
        """Set `delivered` of a row, and nothing else.

        Args:
            key: The key of the row.

        Raises:
            BatchStoreError: The row cannot be written.
        """

    async def remove(self, key: str) -> None:
        """Remove a row. Do nothing if no row has this key.

        Args:
            key: The key of the row.

        Raises:
            BatchStoreError: The row cannot be removed.
        """

    def items(self, *states: State) -> AsyncIterator[BatchItem]:
        """Iterate over the rows, in the order of their keys.

        Args:
            states: The states of the rows to yield; without any, all rows.

        Yields:
            The rows.

        Raises:
            BatchStoreError: The rows cannot be read.
        """
        ...
