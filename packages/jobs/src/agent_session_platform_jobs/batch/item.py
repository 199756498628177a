"""The rows of a batch: their states, and what a store of them must be able to do."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import attrs
from agent_session_platform import AgentPlatformError

State: TypeAlias = Literal["planned", "sending", "created", "settled", "releasing", "released", "failed", "unknown"]
"""The state of a row; `BatchItem.state` describes each."""

OPEN: tuple[State, ...] = ("planned", "sending", "created")
"""The states in which a row waits for nothing but its next step."""

WITHOUT_OBJECT: tuple[State, ...] = ("planned", "sending", "failed", "unknown")
"""The states in which a row has no object, or none that is known."""


@attrs.frozen(kw_only=True)
class BatchItem:
    """One row of a batch, as its store has it.

    Attributes:
        key: The key of the row.
        state: `planned`: nothing was sent. `sending`: the request is on its way, or a crash cut it off. `created`: the
            object exists. `settled`: the object is as `until` says, or its wait has ended for another reason than
            the deadline (`reason`). `releasing`: its release is on its way, or the outcome is not known. `released`: it
            is released. `failed`: the server refused the request for good, so there is no object. `unknown`: the
            request may or may not have been carried out, and is not sent again.
        id: The id of the object; None before it is known.
        result: The object as it was read last, as the JSON object that the server sent; also after a restart. None
            before one was read. `Session.from_dict(item.result)` makes a model of it.
        reason: Why its wait ended, as in `Outcome.reason`; None if there was none.
        error: The latest error of the row as text, without a credential; None if there was none.
        attempts: The number of times that its request was begun.
        digest: The SHA-256 of its arguments; the store does not have the arguments.
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
    # Not compared: a row that is yielded again is the same row.
    delivered: bool = attrs.field(default=False, converter=bool, repr=False, eq=False)


class BatchStoreError(AgentPlatformError):
    """The store of a batch cannot be used: it is in use, full, read-only, or not a store.

    Correct what the message names, and run the batch again. A request is sent only after the store has kept the state
    of its row, so nothing is sent that is not kept.
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
    """The outcomes of ten consecutive rows are unknown; nothing more is sent.

    Look for the objects of those rows (`Batch.unknown()`), and run the batch again when the server works. A server that
    fails on every request would otherwise leave every row for a person to check.
    """


@runtime_checkable
class BatchStore(Protocol):
    """A place for the rows of a batch. When `write` returns, no crash may undo it.

    `store="run.sqlite"` is one in a file. Write a class with these methods for another one, such as for several
    machines; each method raises BatchStoreError where it fails.
    """

    async def open(self) -> None:
        """Open the store for this process alone, and forget which rows were taken.

        Raises:
            BatchStoreError: It is in use, or cannot be opened.
        """

    async def close(self) -> None:
        """Close the store, so that others can open it."""

    async def bind(self, target: str) -> str:
        """Keep what the store belongs to, if nothing is kept yet.

        Args:
            target: What this batch creates with: the operation, its path arguments and the server.

        Returns:
            What is kept; the batch is refused if that is something else than *target*.

        Raises:
            BatchStoreError: It cannot be kept.
        """
        ...

    async def take(self, key: str) -> bool:
        """Note that a run has come to a row.

        Args:
            key: The key of the row, which the store may not have yet.

        Returns:
            Whether this is the first time since the store was opened.

        Raises:
            BatchStoreError: It cannot be noted.
        """
        ...

    async def read(self, key: str) -> BatchItem | None:
        """Return a row.

        Args:
            key: The key of the row.

        Returns:
            The row; None if the store has none with this key.

        Raises:
            BatchStoreError: It cannot be read.
        """

    async def write(self, item: BatchItem) -> None:
        """Keep a row, in place of the one that has its key.

        Args:
            item: The row.

        Raises:
            IdTakenError: Another row has its id; it is compared and written in one step.
            BatchStoreError: It cannot be written; the store is as before.
        """

    async def deliver(self, key: str) -> None:
        """Set `delivered` of a row, and change nothing else of it.

        Args:
            key: The key of the row.

        Raises:
            BatchStoreError: It cannot be written.
        """

    async def remove(self, key: str) -> None:
        """Remove a row; do nothing if there is none.

        Args:
            key: The key of the row.

        Raises:
            BatchStoreError: It cannot be written.
        """

    def items(self, *states: State) -> AsyncIterator[BatchItem]:
        """Iterate over the rows, in the order of their keys.

        Args:
            states: The states of the rows to yield; without any, all rows.

        Yields:
            The rows.

        Raises:
            BatchStoreError: They cannot be read.
        """
        ...
