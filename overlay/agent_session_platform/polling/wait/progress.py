"""Keep what one wait has seen, and decide whether it ends with that."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from ..interface import PolledChange, Reason
from .condition import Condition
from .fields import is_member, payload, value

T = TypeVar("T")


class WaitProgress(Generic[T]):
    """The objects that one wait has read; it reads no clock.

    Args:
        until: The condition that ends the wait.
        unexpected: Another condition that ends it; None: there is no other.
        gone: The flags that say that the object is gone.
        stalled_after: Seconds without a change that end it; None: never.

    Attributes:
        last: The object that was read last; None if there is none.
        polls: How many were read.
        changed_at: When the latest change was read.
    """

    def __init__(
        self,
        until: Condition[T],
        unexpected: Condition[T] | None,
        gone: Iterable[str] = (),
        stalled_after: float | None = None,
    ) -> None:
        self.last: T | None = None
        self.polls = 0
        self.changed_at = 0.0
        self._until = until
        self._unexpected = unexpected
        self._stalled_after = stalled_after
        self.fields = tuple(dict.fromkeys([*until.fields, *(unexpected.fields if unexpected else ())]))
        """The fields that the conditions name."""
        self.reads = frozenset({*self.fields, *gone})
        """The fields that end the wait: those of the conditions, and the flags."""
        self.whole = any(each is not None and not each.fields for each in (until, unexpected))
        """True if a condition is a function, which may read any field."""
        self._gone = [flag for flag in gone if flag not in self.fields]
        self._seen: set[tuple[str, str]] = set()

    def note(self, item: T, now: float) -> PolledChange[T] | None:
        """Take an object that was read; return the change, or None if there is none.

        Raises:
            InvalidArgumentError: It is the first, and a condition names a field that it does not have.
        """
        before, self.last = self.last, item
        self.polls += 1
        if before is None:
            for each in (self._until, self._unexpected):
                if each is not None:
                    each.check(item)
        elif item == before:
            return None
        self.changed_at = now
        return PolledChange(before, item, self._first_seen(item))

    def reason(self, now: float) -> Reason | None:
        """Return why the wait ends with the latest object; None if it goes on.

        Whatever the conditions raise passes.
        """
        item = self.last
        if item is None:
            return None
        if self._until.holds(item):
            return "matched"
        if self._unexpected is not None and self._unexpected.holds(item):
            return "unexpected"
        if any(value(item, flag) is True for flag in self._gone):
            return "gone"
        if self._stalled_after is not None and now >= self.changed_at + self._stalled_after:
            return "stalled"
        return None

    def due(self, at: float, now: float) -> float:
        """Return when to poll next: at `at`, or before it where the object may have stalled by then."""
        stalled_at = self.changed_at + self._stalled_after if self._stalled_after is not None else now
        return min(at, stalled_at) if self.last is not None and stalled_at > now else at

    def _first_seen(self, item: T) -> dict[str, Any]:
        """Return the fields with values that are seen for the first time."""
        came = payload(item)
        plain = [name for name, each in came.items() if isinstance(each, str | int | float)]
        found: dict[str, Any] = {}
        for name in self.fields or plain:
            known = value(item, name) if name in came or is_member(item, name) else None
            # As text, because a value may not be hashable, and True is equal to 1.
            mark = (name, repr(came.get(name, known)))
            if known is not None and mark not in self._seen:
                self._seen.add(mark)
                found[name] = known
        return found
