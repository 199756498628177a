"""The conditions that end a wait: values by field, a function, `changed`, and the flags of an object that is gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

import attrs

from ._api import UNSET, Model, Reason, Until
from .errors import InvalidArgumentError
from .text import format_value
from .validators import is_async_function


@attrs.define(eq=False)
class Changed:
    """A test of whether a field of an object has another value than in the first object that was passed.

    Attributes:
        fields: The names of the fields.
        since: The value to compare with instead; UNSET means the value of the first object.
    """

    fields: tuple[str, ...]
    since: Any = UNSET
    _first: dict[str, list[Any]] = attrs.field(factory=lambda: dict[str, list[Any]](), init=False, repr=False)

    def __call__(self, item: object) -> bool:
        """Return whether one of the fields has changed."""
        has_changed = False
        for name in self.fields:
            if name not in self._first:
                self._first[name] = self._values_before(item, name)
            has_changed |= not has_value(item, name, self._first[name])
        return has_changed

    def _values_before(self, item: object, name: str) -> list[Any]:
        """Return the values that count as unchanged, at the first call."""
        if self.since is UNSET:
            return values_of(item, name)
        return [self.since]


def changed(*fields: str, since: Any = UNSET) -> Changed:
    """Make a condition for `until` that holds once a field has another value than at the first poll.

    Args:
        fields: The names of the fields, at least one; if there are several, one change is enough.
        since: The value to compare with, for a single field. With `since`, a change between an earlier read and the
            first poll is not missed. The value may be None.

    Returns:
        A function for `until`, which takes the object. It can be passed to several waits: each of them begins anew.

    Raises:
        InvalidArgumentError: There is no name, a name is not text, or `since` is for several fields.

    Example:
        schedule = await organization.schedules.get(schedule_id)
        next_run = changed("last_executed_at", since=schedule.last_executed_at)
        outcome = await organization.schedules.wait(schedule_id, until=next_run)
    """
    if not fields or not all(isinstance(field, str) for field in fields):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
        raise InvalidArgumentError("changed() takes names of fields, such as 'updated_at'")
    if since is not UNSET and len(fields) > 1:
        raise InvalidArgumentError("since= is the value of one field; changed() was given several")
    return Changed(fields, since)


@attrs.frozen
class Condition:
    """One checked condition.

    Attributes:
        argument: The name of the argument, such as `until`.
        fields: The fields that the condition names; empty if the condition is a function.
        holds: Returns whether an object meets the condition.
    """

    argument: str
    fields: tuple[str, ...]
    holds: Callable[[Any], bool]


class Conditions:
    """All conditions of one wait.

    Args:
        until: The condition for which the wait is made.
        unexpected: Another condition that ends the wait; None if there is none.
        gone: The flags of the object that say that it is gone.

    Attributes:
        fields: The fields that `until` and `unexpected` name.
        needed: The fields that must be known to decide.
        has_function: Whether a condition is a function, which may need any field.

    Raises:
        InvalidArgumentError: A condition is refused.
    """

    def __init__(self, until: Until[Any], unexpected: Until[Any] | None, gone: Sequence[str]) -> None:
        self._by_reason: dict[Reason, Condition] = {"matched": make_condition("until", until, all)}
        if unexpected is not None:
            self._by_reason["unexpected"] = make_condition("unexpected", unexpected, any)
        self.fields: list[str] = []
        self.has_function = False
        for condition in self._by_reason.values():
            self.fields.extend(condition.fields)
            self.has_function |= not condition.fields
        # If a condition names a flag, only the condition decides.
        flags = dict.fromkeys(set(gone) - set(self.fields), True)
        if flags:
            self._by_reason["gone"] = make_condition("gone", flags, any)
        self.needed = {*self.fields, *flags}

    def reason(self, item: Any) -> Reason | None:
        """Return why the wait ends with this object; None if no condition holds. An error of a condition is raised."""
        for reason, condition in self._by_reason.items():
            if condition.holds(item):
                return reason
        return None

    def check_names(self, item: Model) -> None:
        """Refuse the name of a field that neither an object nor its model has: the wait would be in vain.

        Raises:
            InvalidArgumentError: There is no such field.
        """
        known: dict[str, None] = {}
        for name, member in vars(type(item)).items():
            if isinstance(member, property):
                known[name] = None
        known.update(dict.fromkeys(item.to_dict()))
        for condition in self._by_reason.values():
            for name in condition.fields:
                if name not in known:
                    what = f"{condition.argument} names {format_value(name)}, which no {type(item).__name__} has"
                    raise InvalidArgumentError(f"{what}: it has {', '.join(known)}")


def make_condition(argument: str, passed: Until[Any], combine: Callable[[Iterable[bool]], bool]) -> Condition:
    """Check what was passed as a condition.

    Args:
        argument: The name of the argument.
        passed: What was passed.
        combine: `all` if all fields must match, `any` if one is enough.

    Raises:
        InvalidArgumentError: The condition is neither values by field nor a plain function.
    """
    if isinstance(passed, Changed):
        # Each wait begins anew.
        return Condition(argument, passed.fields, attrs.evolve(passed))
    if isinstance(passed, Mapping):
        accepted: dict[Any, list[Any]] = {}
        for name, value in cast("Mapping[Any, Any]", passed).items():
            accepted[name] = accepted_values(value)

        def values_match(item: object) -> bool:
            return combine(has_value(item, name, values) for name, values in accepted.items())

        if accepted:
            return Condition(argument, tuple(accepted), values_match)
    elif callable(passed) and not is_async_function(passed):
        return Condition(argument, (), passed)
    raise InvalidArgumentError(f"{argument} must be values by field, such as {{'title': 'done'}}, or a plain function")


def accepted_values(passed: Any) -> list[Any]:
    """Return the values that a field may have: in a list, because they may not be hashable.

    A text or a mapping is one value. A list may be several values, or be the value itself, such as a list of tags.
    """
    if isinstance(passed, str | Mapping) or not isinstance(passed, Iterable):
        return [passed]
    return [*passed, passed]


def has_value(item: object, name: str, accepted: list[Any]) -> bool:
    """Return whether a field has one of the accepted values."""
    return any(value in accepted for value in values_of(item, name))


def values_of(item: Any, name: str) -> list[Any]:
    """Return a field as the model gives it, and as it came. A time, for example, is also a text.

    A field that is absent is None, also if the model calls it required.
    """
    in_model = getattr(item, name, None)
    return [in_model, item.to_dict().get(name, in_model)]
