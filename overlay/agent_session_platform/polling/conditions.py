"""The conditions that end a wait: values by field, `any_of`, `States`, `changed`, a function, and the flags of `gone`.

Each condition is a function of the object. All but the functions of a caller also name the fields that they read: if an
item of a list has these fields, the object itself need not be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import attrs

from .._api import UNSET, Model, Reason, StateName, Until
from ..errors import InvalidArgumentError
from ..keywords import misspelled
from ..text import format_value
from ..validators import is_async_function

# A name that is at least this similar to a field (a ratio of `difflib`) is taken for a typing error.
MISSPELLED: Final = 0.8

Condition: TypeAlias = Callable[[Any], bool]

# Why a wait ends, by the argument whose condition holds.
REASONS: Final[dict[str, Reason]] = {"until": "matched", "unexpected": "unexpected", "gone": "gone"}


class IsSet:
    """The type of `SET`."""

    def __repr__(self) -> str:
        return "SET"

    def __reduce__(self) -> str:
        # A copy is `SET` itself.
        return "SET"


SET: Final = IsSet()
"""A value for conditions by field: any value but null. `until={"structured_output": SET}`."""


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


@attrs.define(eq=False, slots=False)
class AnyOf:
    """A test of whether at least one of several conditions holds.

    Attributes:
        conditions: The conditions.
    """

    conditions: tuple[Callable[[Any], bool], ...]

    def __call__(self, item: object) -> bool:
        """Return whether one of the conditions holds."""
        return any(condition(item) for condition in self.conditions)


def any_of(*conditions: Until[Any]) -> AnyOf:
    """Make a condition that holds if at least one of several holds.

    Args:
        conditions: At least one; each is values by field, of which all must match, or a plain function.

    Returns:
        A condition for `until`, `unexpected` and `States`. With values by field only, many waits share one poll of the
        list.

    Raises:
        InvalidArgumentError: There is no condition, or one is refused.

    Example:
        ended = any_of({"status": {"failed"}}, {"structured_output": SET})
        outcome = await organization.sessions.wait(session_id, until=ended)
    """
    if not conditions:
        raise InvalidArgumentError("any_of() takes conditions, such as {'title': 'done'}")
    return AnyOf(tuple(parse_condition("any_of", condition, all) for condition in conditions))


class States(AnyOf):
    """What the states of an object mean to you: the description shows no values, so you name those of your deployment.

    Each state is values by field, of which all must match; or `any_of` several; or a plain function of the object. If
    several states hold at once, `failed` counts first, and then `waiting`.

    Args:
        done: The object has done its work; None if there is no such state.
        waiting: It waits for a person; None if there is no such state.
        failed: It has failed, or was stopped; None if there is no such state.

    Attributes:
        by_name: The conditions that were given, in the order in which they count.

    Raises:
        InvalidArgumentError: No state is named, or a condition is refused.

    Example:
        states = States(done={"status": {"ready"}}, failed=any_of({"status": {"failed"}}, {"is_archived": True}))
        outcome = await organization.sessions.wait(session_id, until=states)
        print(outcome.reason, outcome.state)  # matched done
    """

    def __init__(
        self,
        *,
        done: Until[Any] | None = None,
        waiting: Until[Any] | None = None,
        failed: Until[Any] | None = None,
    ) -> None:
        self.by_name: dict[StateName, Condition] = {}
        self._add("failed", failed)
        self._add("waiting", waiting)
        self._add("done", done)
        if not self.by_name:
            raise InvalidArgumentError("States() names at least one state, such as done={'title': 'done'}")
        super().__init__(tuple(self.by_name.values()))

    def _add(self, name: StateName, passed: Until[Any] | None) -> None:
        if passed is None:
            return
        condition = parse_condition(name, passed, all)
        if any(isinstance(part, Changed) for part in simple_conditions(condition)):
            raise InvalidArgumentError(f"{name} must be values by field or a plain function: a change is no state")
        self.by_name[name] = condition

    def state_of(self, item: object) -> StateName | None:
        """Return the state of an object; None if it is in none of these states."""
        for name, condition in self.by_name.items():
            if condition(item):
                return name
        return None

    def refuse_misspelled(self, model: type[Any]) -> None:
        """Refuse a name that is probably a misspelled field of a model, before anything is sent.

        Any other name passes, because a deployment may have more fields than the contract shows.

        Args:
            model: The model of the objects, such as `agent_session_platform.models.Session`.

        Raises:
            InvalidArgumentError: A condition has such a name.
        """
        known = shown_fields(model)
        for name in fields_of(self):
            meant = misspelled(name, known, MISSPELLED)
            if name not in known and meant is not None:
                raise InvalidArgumentError(
                    f"states name {format_value(name)}; did you mean {meant!r}? A function of the object can read any"
                    " field"
                )

    def __repr__(self) -> str:
        return f"States({', '.join(self.by_name)})"


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

    def __init__(self, until: Until[Any] | None, unexpected: Until[Any] | None, gone: Sequence[str]) -> None:
        self._by_argument = {"until": parse_condition("until", until, all)}
        if unexpected is not None:
            self._by_argument["unexpected"] = parse_condition("unexpected", unexpected, any)
        self.needed: set[str] = set()
        self.has_function = False
        for condition in self._by_argument.values():
            self.needed.update(fields_of(condition))
            self.has_function |= is_function(condition)
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

    def state(self, item: Any) -> StateName | None:
        """Return the state in which `until` finds an object; None if `until` names no states."""
        until = self._by_argument["until"]
        if isinstance(until, States):
            return until.state_of(item)
        return None

    def check_names(self, item: Model) -> None:
        """Refuse the name of a field that neither an object nor its model has: the wait could never end.

        Raises:
            InvalidArgumentError: There is no such field.
        """
        model = type(item)
        known = dict.fromkeys([*shown_fields(model), *item.to_dict()])
        for argument, condition in self._by_argument.items():
            for name in fields_of(condition):
                if name in known:
                    continue
                raise InvalidArgumentError(
                    f"{argument} names {format_value(name)}, which no {model.__name__} has: it has {', '.join(known)}"
                )


def shown_fields(model: type[Model]) -> list[str]:
    """Return the fields that the contract shows for a model."""
    return [name for name, member in vars(model).items() if isinstance(member, property)]


def simple_conditions(condition: Condition) -> Iterator[Condition]:
    """Return the conditions that a condition consists of; itself if it is not made of others."""
    if not isinstance(condition, AnyOf):
        yield condition
        return
    for part in condition.conditions:
        yield from simple_conditions(part)


def fields_of(condition: Condition) -> list[str]:
    """Return the fields that a condition names; none if it is a function of the caller."""
    fields: list[str] = []
    for part in simple_conditions(condition):
        if isinstance(part, Values | Changed):
            fields += part.by_field
    return fields


def is_function(condition: Condition) -> bool:
    """Return whether a condition is a function of the caller, or contains one: it may read any field."""
    return not all(isinstance(part, Values | Changed) for part in simple_conditions(condition))


def parse_condition(argument: str, passed: Until[Any] | None, combine: Callable[[Iterable[bool]], bool]) -> Condition:
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
    if isinstance(passed, AnyOf) and not isinstance(passed, States):
        return AnyOf(tuple(parse_condition(argument, part, combine) for part in passed.conditions))
    if isinstance(passed, Mapping) and passed:
        by_field = cast("Mapping[Any, Any]", passed)
        # The values are read once: they may come from an iterator.
        return Values({name: wanted_values(value) for name, value in by_field.items()}, combine)
    if not isinstance(passed, Mapping) and callable(passed) and not is_async_function(passed):
        # A function; or `Values` or `States`, which were checked when they were made.
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
    if in_payload is not None and SET in wanted:
        return True
    return in_model in wanted or in_payload in wanted


def values_of(item: Any, name: str) -> list[Any]:
    """Return a field as the model gives it, and as it came. A time, for example, is also a text.

    A field that is absent is None, also if the model calls it required.
    """
    in_model = getattr(item, name, None)
    return [in_model, item.to_dict().get(name, in_model)]
