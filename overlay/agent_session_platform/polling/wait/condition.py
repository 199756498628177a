"""Decide whether an object is as a wait wants it: values by field, or a function of the object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import isawaitable, iscoroutine, iscoroutinefunction
from typing import Any, Generic, TypeVar, cast

import attrs

from ...errors import InvalidArgumentError
from ...text import format_value, type_name
from ..interface import Until
from .changed import Changed
from .fields import check_names, forms

T = TypeVar("T")

EXAMPLE = '{"title": {"done", "failed"}}'


@attrs.frozen
class Condition(Generic[T]):
    """A checked `until` or `unexpected`.

    Attributes:
        argument: The name of the argument, for messages.
        fields: The fields that it names; none if it is a function.
        holds: Returns whether an object is so.
    """

    argument: str
    fields: tuple[str, ...]
    holds: Callable[[T], bool]

    def check(self, item: T) -> None:
        """Refuse names that the first object shows to be none of its fields."""
        check_names(item, self.fields, self.argument)


def condition(argument: str, wanted: Until[T], *, every: bool) -> Condition[T]:
    """Check a condition.

    Args:
        argument: The name of the argument.
        wanted: What was passed.
        every: Whether each field must match; else one is enough.

    Raises:
        InvalidArgumentError: It is neither values by field nor a plain function, or nothing could match it.
    """
    if isinstance(wanted, Mapping):
        return of_values(argument, cast("Mapping[Any, Any]", wanted), every=every)
    if isinstance(wanted, Changed):
        return Condition(argument, wanted.fields, wanted.anew())
    if not callable(wanted):
        raise InvalidArgumentError(
            f"{argument} must be values by field, such as {EXAMPLE}, or a function, not {format_value(wanted)}"
        )
    if iscoroutinefunction(wanted) or iscoroutinefunction(getattr(wanted, "__call__", None)):  # noqa: B004
        raise InvalidArgumentError(f"{argument} must be a plain function: it is called, and not awaited")
    return Condition(argument, (), checked(argument, wanted))


def checked(argument: str, function: Callable[[T], object]) -> Callable[[T], bool]:
    """Return a function that refuses a result which would have to be awaited: it counts as true."""

    def holds(item: T) -> bool:
        result = function(item)
        if isawaitable(result):
            if iscoroutine(result):
                result.close()
            raise InvalidArgumentError(f"{argument} must return True or False, not {type_name(result)}")
        return bool(result)

    return holds


def of_values(argument: str, wanted: Mapping[Any, Any], *, every: bool) -> Condition[Any]:
    """Return the condition of values by field."""
    if not wanted:
        raise InvalidArgumentError(f"{argument} must name a field, such as {EXAMPLE}; it is empty")
    accepted = {name: values(argument, name, each) for name, each in wanted.items()}
    enough = all if every else any

    def holds(item: object) -> bool:
        return enough(any(form in each for form in forms(item, name)) for name, each in accepted.items())

    return Condition(argument, tuple(accepted), holds)


def values(argument: str, name: object, wanted: Any) -> list[Any]:
    """Return the values that a field may have; text and mappings are one value each.

    A list, because the members may not be hashable, and an object's value may not be, either.
    """
    if not isinstance(name, str):
        raise InvalidArgumentError(f"{argument} must have names of fields, not {format_value(name)}")
    if isinstance(wanted, str | bytes | Mapping) or not isinstance(wanted, Iterable):
        return [wanted]
    found: list[Any] = list(wanted)  # pyright: ignore[reportUnknownArgumentType]  # any values
    if not found:
        raise InvalidArgumentError(
            f"{argument}[{name!r}] has no value, so nothing would match it; for an empty list, pass [[]]"
        )
    # A list may also be the value itself, such as tags.
    return [*found, wanted] if isinstance(wanted, list) else found
