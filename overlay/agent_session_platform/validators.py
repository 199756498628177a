"""Validators and fields of attrs classes: a refused value raises an error that names it and says what it must be.

The validators of attrs are not used for this, because they raise a TypeError or a ValueError.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from inspect import iscoroutinefunction
from typing import Any, TypeAlias

import attrs
from attrs.validators import and_, optional

from .errors import AgentPlatformError, ConfigurationError, InvalidArgumentError
from .text import format_value, type_name

Field: TypeAlias = "attrs.Attribute[Any]"
Validator: TypeAlias = Callable[[Any, Field, Any], None]


def is_number(value: object) -> bool:
    """Return whether *value* is a number; a bool is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def valid_seconds(*, positive: bool, finite: bool = False) -> Validator:
    """Return a validator of a number of seconds.

    Args:
        positive: Whether 0 is refused.
        finite: Whether infinity is refused.
    """
    rule = "a number of seconds that is not negative"
    if positive:
        rule = "a positive number of seconds"

    def validate(instance: object, attribute: Field, value: Any) -> None:
        in_range = is_number(value) and (value > 0 or (value == 0 and not positive))
        if in_range and (value < math.inf or not finite):
            return
        raise InvalidArgumentError(f"{attribute.name} must be {rule}, not {format_value(value)}")

    return validate


def valid_whole_number(
    minimum: int,
    error: type[AgentPlatformError] = InvalidArgumentError,
) -> Validator:
    """Return a validator of a whole number of at least *minimum*, which raises *error*."""

    def validate(instance: object, attribute: Field, value: Any) -> None:
        if isinstance(value, int) and not isinstance(value, bool) and value >= minimum:
            return
        rule = f"a whole number of at least {minimum}"
        raise error(f"{attribute.name} must be {rule}, not {format_value(value)}")

    return validate


def valid_instance(
    cls: Any,
    description: str,
    error: type[AgentPlatformError] = InvalidArgumentError,
) -> Validator:
    """Return a validator of the type of a value, which raises *error*; the message has *description*."""

    def validate(instance: object, attribute: Field, value: Any) -> None:
        if isinstance(value, cls):
            return
        raise error(f"{attribute.name} must be {description}, not {type_name(value)}")

    return validate


valid_async_function = valid_instance(Callable, "an async function")
# Only True and False are accepted, because a text such as "no" would count as true.
valid_flag = valid_instance(bool, "True or False", ConfigurationError)


def is_async_function(function: Any) -> bool:
    """Return whether a call of a function must be awaited; the function may also be an object with `__call__`."""
    return iscoroutinefunction(function) or iscoroutinefunction(type(function).__call__)


def valid_callback(instance: object, attribute: Field, value: Any) -> None:
    """Refuse what is neither None nor a function, and an async function: it would be called and never awaited."""
    if value is None or (callable(value) and not is_async_function(value)):
        return
    raise InvalidArgumentError(f"{attribute.name} must be a plain function: it is called, and not awaited")


def copy_mapping(value: Any) -> Any:
    """Copy a mapping, so that it cannot change after the check; return anything else unchanged, for the validator."""
    if not isinstance(value, Mapping):
        return value
    return dict(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def names_only(value: Mapping[str, Any] | None) -> str:
    """Return the names of headers or query parameters for a repr: a value may be a secret."""
    if not value:
        return "None"
    return repr(sorted(map(str, value)))


def mapping_field(*validators: Validator) -> Any:
    """Make the attrs field of a mapping that is None by default: it is copied, and a repr does not show its values."""
    is_mapping = valid_instance(Mapping, "a mapping")
    return attrs.field(
        default=None,
        converter=copy_mapping,
        validator=optional(and_(is_mapping, *validators)),
        repr=names_only,
    )
