"""A predicate for waits: a field has another value than before."""

from __future__ import annotations

from typing import Any

import attrs

from ..._api import UNSET
from ...errors import InvalidArgumentError
from ...text import format_value
from .fields import forms


@attrs.define(eq=False)
class Changed:
    """A test of whether a field of an object has another value than in the first object that was passed.

    Attributes:
        fields: The names of the fields.
        since: The value to compare with instead; UNSET: that of the first object.
    """

    fields: tuple[str, ...]
    since: Any = UNSET
    _first: dict[str, list[Any]] = attrs.field(factory=lambda: dict[str, list[Any]](), init=False, repr=False)

    def __call__(self, item: object) -> bool:
        """Return whether one of the fields has changed."""
        now = {name: forms(item, name) for name in self.fields}
        if not self._first:
            self._first = now if self.since is UNSET else {name: [self.since] for name in self.fields}
        return any(not any(each in self._first[name] for each in found) for name, found in now.items())

    def anew(self) -> Changed:
        """Return the same predicate for another object: it has seen none yet."""
        return Changed(self.fields, self.since)


def changed(*fields: str, since: Any = UNSET) -> Changed:
    """Make the predicate of a wait that is true once a field has another value than at the first poll.

    Args:
        fields: The names of the fields, at least one; of several one is enough.
        since: The value to compare with, of a single field: a change between an earlier look and the first poll is not
            missed. May be None.

    Returns:
        A function of an object, for `until`; each wait that it is passed to begins anew.

    Raises:
        InvalidArgumentError: There is no name, one is not text, or `since` is for several fields.

    Example:
        schedule = await organization.schedules.get(schedule_id)
        next_run = changed("last_executed_at", since=schedule.last_executed_at)
        outcome = await organization.schedules.wait(schedule_id, until=next_run)
    """
    wrong = [each for each in fields if not isinstance(each, str)]  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
    if wrong or not fields:
        given = format_value(wrong[0]) if wrong else "nothing"
        raise InvalidArgumentError(f"changed() takes names of fields, such as 'updated_at', not {given}")
    if since is not UNSET and len(fields) > 1:
        raise InvalidArgumentError("since= is the value of one field; changed() was given several")
    return Changed(fields, since)
