"""The conditions that end a wait: values by field, a function, `changed`, and the flags of an object that is gone.

Each condition is a function of the object. `Values` and `Changed` also name the fields that they read: if an item of a
list has these fields, the object itself need not be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import attrs

from .._api import UNSET, Model, Reason, Until
from ..errors import InvalidArgumentError
from ..text import format_value
from ..validators import is_async_function

Condition: TypeAlias = Callable[[Any], bool]

# Why a wait ends, by the argument whose condition holds.
REASONS: Final[dict[str, Reason]] = {"until": "matched", "unexpected": "unexpected", "gone": "gone"}


@attrs.frozen
class Values:
    """A test of whether fields of an object have values that were named.

    Attributes:
        by_field: The values of each field.
        combine: `all` if all fields must match, `any` if one is enough.
    """

    by_field: Mapping[str, list[Any]]
    combine: Callable[[Iterable[bool]], bool]

    def __call__(self, item: object) -> bool:
        """Return whether the fields match."""
        return self.combine(has_value(item, name, values) for name, values in self.by_field.items())


@attrs.frozen(eq=False)
class Changed:
    """A test of whether a field of an object has another value than in the first object that was passed.

    Attributes:
        by_field: The values to compare each field with; None until the first object gives them.
    """

    by_field: dict[str, list[Any] | None]

    def __call__(self, item: object) -> bool:
        """Return whether one of the fields has changed."""
        is_changed = False
        for name, before in self.by_field.items():
            if before is None:
                self.by_field[name] = values_of(item, name)
            elif not has_value(item, name, before):
                is_changed = True
        return is_changed


def changed(*fields: str, since: Any = UNSET) -> Changed:
    """Make a condition for `until` that holds once a field has another value than at the first poll.

    Args:
        fields: The names of the fields, at least one; if there are several, one change is enough.
        since: The value to compare with, for a single field. With `since`, a change between an earlier read and the
            first poll is not missed. The value may be None.

    Returns:
        A function for `until`, which takes the object. It can be passed to several waits: each of them begins anew.

    Raises:
        InvalidArgumentError: There is no name, or `since` is for several fields.

    Example:
        schedule = await organization.schedules.get(schedule_id)
        next_run = changed("last_executed_at", since=schedule.last_executed_at)
        outcome = await organization.schedules.wait(schedule_id, until=next_run)
    """
    if not fields:
        raise InvalidArgumentError("changed() takes names of fields, such as 'updated_at'")
    by_field: dict[str, list[Any] | None] = dict.fromkeys(fields)
    if since is not UNSET:
        if len(fields) > 1:
            raise InvalidArgumentError("since= is the value of one field; changed() was given several")
        by_field = {name: [since] for name in fields}
    return Changed(by_field)


class Conditions:
    """All conditions of one wait.

    Args:
        until: The condition for which the wait is made.
        unexpected: Another condition that ends the wait; None if there is none.
        gone: The flags of the object that say that it is gone.

    Attributes:
        needed: The fields that must be known to decide.
        has_function: Whether a condition is a function, which may need any field.

    Raises:
        InvalidArgumentError: A condition is refused.
    """

    def __init__(self, until: Until[Any], unexpected: Until[Any] | None, gone: Sequence[str]) -> None:
        self._by_argument = {"until": parse_condition("until", until, all)}
        if unexpected is not None:
            self._by_argument["unexpected"] = parse_condition("unexpected", unexpected, any)
        self.needed: set[str] = set()
        self.has_function = False
        for condition in self._by_argument.values():
            fields = fields_of(condition)
            self.needed.update(fields)
            self.has_function |= not fields
        # If a condition names a flag, only the condition decides.
        flags = set(gone) - self.needed
        self._by_argument["gone"] = Values({flag: [True] for flag in flags}, any)
        self.needed.update(flags)

    def reason(self, item: Any) -> Reason | None:
        """Return why the wait ends with this object; None if no condition holds. An error of a condition is raised."""
        for argument, condition in self._by_argument.items():
            if condition(item):
                return REASONS[argument]
        return None

    def check_names(self, item: Model) -> None:
        """Refuse the name of a field that neither an object nor its model has: the wait would be in vain.

        Raises:
            InvalidArgumentError: There is no such field.
        """
        model = type(item)
        in_model = [name for name, member in vars(model).items() if isinstance(member, property)]
        known = dict.fromkeys([*in_model, *item.to_dict()])
        for argument, condition in self._by_argument.items():
            for name in fields_of(condition):
                if name in known:
                    continue
                raise InvalidArgumentError(
                    f"{argument} names {format_value(name)}, which no {model.__name__} has: it has {', '.join(known)}"
                )


def fields_of(condition: Condition) -> tuple[str, ...]:
    """Return the fields that a condition names; none if it is a function of the caller."""
    if isinstance(condition, Values | Changed):
        return tuple(condition.by_field)
    return ()


def parse_condition(argument: str, passed: Until[Any], combine: Callable[[Iterable[bool]], bool]) -> Condition:
    """Check what was passed as a condition, and return it as a function.

    Args:
        argument: The name of the argument.
        passed: What was passed.
        combine: `all` if all fields must match, `any` if one is enough.

    Raises:
        InvalidArgumentError: The condition is neither values by field nor a plain function.
    """
    if isinstance(passed, Changed):
        # Each wait begins anew.
        return Changed(dict(passed.by_field))
    if isinstance(passed, Mapping) and passed:
        by_field = cast("Mapping[Any, Any]", passed)
        # The values are read once: they may come from an iterator.
        return Values({name: wanted_values(value) for name, value in by_field.items()}, combine)
    if not isinstance(passed, Mapping) and callable(passed) and not is_async_function(passed):
        return passed
    raise InvalidArgumentError(f"{argument} must be values by field, such as {{'title': 'done'}}, or a plain function")


def wanted_values(passed: Any) -> list[Any]:
    """Return the values that a field may have: in a list, because they may not be hashable.

    A text or a mapping is one value. A list may be several values, or be the value itself, such as a list of tags.
    """
    if isinstance(passed, str | Mapping) or not isinstance(passed, Iterable):
        return [passed]
    return [*passed, passed]


def has_value(item: object, name: str, wanted: list[Any]) -> bool:
    """Return whether a field has one of these values."""
    in_model, in_payload = values_of(item, name)
    return in_model in wanted or in_payload in wanted


def values_of(item: Any, name: str) -> list[Any]:
    """Return a field as the model gives it, and as it came. A time, for example, is also a text.

    A field that is absent is None, also if the model calls it required.
    """
    in_model = getattr(item, name, None)
    return [in_model, item.to_dict().get(name, in_model)]
