"""Read the object of one wait: from the list of the shared polls, or alone."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from ...errors import AgentPlatformError
from ..interface import Wait
from .fields import payload
from .progress import WaitProgress
from .shared_poll import SharedPolls

T = TypeVar("T")

# The number of polls for which an object that is unchanged in the list is not read alone again. Then it is: a field
# that the list lacks may have changed.
MAX_UNCHANGED = 2


class Reader(Generic[T]):
    """Reads the object of one wait, from the list of the shared polls or alone.

    The list may lack fields that the object has when it is read alone. A condition that names its fields gets the
    object of the list if that has shown them. Any other, and a function, which may read any field, gets the object that
    was read alone; the list only says when that is worth it.
    """

    def __init__(self, wait: Wait[T, Any], progress: WaitProgress[T], polls: SharedPolls[T]) -> None:
        self._wait = wait
        self._progress = progress
        self._polls = polls
        self._key = whole_key(wait)
        # The object as the list had it, to notice a change where the wait reads alone.
        self._listed: T | None = None
        self._unchanged = 0

    async def read(self, due: float) -> T:
        """Sleep until the poll is due, and read the object."""
        hidden, progress = self._polls.hidden, self._progress
        alone = bool(hidden) if progress.whole else not hidden.isdisjoint(progress.reads)
        found = await self._polls.turn(None if alone else self._key, due)
        if found is None:
            return await self._wait.read()
        return await self._with_all_fields(found)

    def is_new(self, error: AgentPlatformError) -> bool:
        """Return whether no other wait has reported this error."""
        return self._polls.is_new(error)

    async def _with_all_fields(self, found: T) -> T:
        """Return an object of the list, or what it is alone if the list may lack a field that a condition reads."""
        polls, progress = self._polls, self._progress
        if progress.whole or not polls.shown.issuperset(progress.reads):
            polls.shown |= payload(found).keys()
        if not progress.whole and polls.shown.issuperset(progress.reads):
            return found
        if self._listed == found and progress.last is not None and self._unchanged < MAX_UNCHANGED:
            self._unchanged += 1
            return progress.last
        alone = await self._wait.read()
        self._listed, self._unchanged = found, 0
        polls.hidden |= payload(alone).keys() - polls.shown
        return alone


def whole_key(wait: Wait[Any, Any]) -> str | None:
    """Return the id as the objects of the list have it, with its prefix; None if it is no text."""
    key = wait.key
    if not isinstance(key, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
        return None
    parameter = next(each for each in reversed(wait.operation.parameters) if each.location == "path")
    return f"{parameter.prefix}{key}" if parameter.adds_prefix and not key.startswith(parameter.prefix) else key
