"""Read the object of one wait: from the list of the shared polls, or alone."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from ...errors import AgentPlatformError
from ..interface import Wait
from .fields import payload
from .progress import Progress
from .shared_poll import SharedPolls

T = TypeVar("T")


class Reader(Generic[T]):
    """Reads the object of one wait, from the list of the shared polls or alone."""

    def __init__(self, wait: Wait[T, Any], progress: Progress[T], polls: SharedPolls[T]) -> None:
        self._wait = wait
        self._progress = progress
        self._polls = polls
        self._key = whole_key(wait)
        # The object as the list had it, to notice a change where the wait reads alone.
        self._listed: T | None = None

    async def read(self, due: float) -> T:
        """Sleep until the poll is due, and read the object."""
        alone = not self._polls.hidden.isdisjoint(self._progress.fields)
        found = await self._polls.turn(None if alone else self._key, due)
        if found is None:
            return await self._wait.read()
        return await self._with_all_fields(found)

    def is_new(self, error: AgentPlatformError) -> bool:
        """Return whether no other wait has reported this error."""
        return self._polls.is_new(error)

    async def _with_all_fields(self, found: T) -> T:
        """Return an object of the list, or what it is alone if the list may lack a field that a condition names."""
        polls, fields = self._polls, self._progress.fields
        if unseen := {*fields} - polls.shown:
            came = payload(found)
            polls.shown |= unseen & came.keys()
            unseen -= polls.shown
        if not unseen:
            return found
        if self._listed == found and self._progress.last is not None:
            return self._progress.last
        alone = await self._wait.read()
        self._listed = found
        polls.hidden |= unseen & payload(alone).keys()
        return alone


def whole_key(wait: Wait[Any, Any]) -> str | None:
    """Return the id as the objects of the list have it, with its prefix; None if it is no text."""
    key = wait.key
    if not isinstance(key, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
        return None
    parameter = next(each for each in reversed(wait.operation.parameters) if each.location == "path")
    return f"{parameter.prefix}{key}" if parameter.adds_prefix and not key.startswith(parameter.prefix) else key
