"""A row in flight: what others must know of its request, which can be withdrawn until it is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

import attrs

if TYPE_CHECKING:
    from .item import BatchItem

T = TypeVar("T")


class WithdrawnError(Exception):
    """A request was withdrawn before it was sent; its row is as it was."""


@attrs.frozen
class Work:
    """A row that is to be advanced: what the store has of it, and the arguments of its request."""

    item: BatchItem
    arguments: Mapping[str, Any]


class Flight:
    """A row in flight.

    Args:
        work: The row.
        round: The round of the concurrency in which it began.
        on_accepted: Called when the server has accepted its request.

    Attributes:
        is_sent: Whether its request may have left; it has not left before.
        is_accepted: Whether its object is there.
    """

    def __init__(self, work: Work, round: int, on_accepted: Callable[[Flight], None]) -> None:
        self.work: Final = work
        self.round: Final = round
        self.is_sent = False
        self.is_accepted = False
        self._on_accepted = on_accepted
        self._sending: asyncio.Task[Any] | None = None

    def accept(self) -> None:
        """Note that its object is there."""
        if not self.is_accepted:
            self.is_accepted = True
            self._on_accepted(self)

    def withdraw(self) -> None:
        """Give its request up, if it was not sent."""
        if self._sending is not None and not self.is_sent:
            self._sending.cancel()

    async def carry(self, step: Coroutine[Any, Any, T]) -> T:
        """Await the step that sends the request; once it is sent to its end, also where the caller is cancelled.

        What the request did is then known, and kept.

        Raises:
            WithdrawnError: It was withdrawn.
        """
        self.is_sent = False
        self._sending = task = asyncio.get_running_loop().create_task(step)
        task.add_done_callback(look_at)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise WithdrawnError from None
            self.withdraw()
            await asyncio.wait((task,))
            raise
        finally:
            self._sending = None


def look_at(task: asyncio.Task[Any]) -> None:
    """See the exception of a task; asyncio would log one that is never retrieved."""
    if not task.cancelled():
        task.exception()
