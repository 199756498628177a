"""Validators and fields of attrs classes: a refused value raises an error that names it and says what it must be.

The validators of attrs are not used for this, because they raise a TypeError or a ValueError.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from inspect import iscoroutinefunction
from typing import Any, TypeAlias

import attrs
from attrs.validators import and_, optional

from .errors import AgentPlatformError, ConfigurationError, InvalidArgumentError
from .text import format_value, type_name

Field: TypeAlias = "attrs.Attribute[Any]"
Validator: TypeAlias = Callable[[Any, Field, Any], None]


def valid(
    is_valid: Callable[[Any], bool],
    rule: str,
    error: type[AgentPlatformError] = InvalidArgumentError,
) -> Validator:
    """Return a validator.

    Args:
        is_valid: Returns whether a value is accepted.
        rule: What the value must be, for the message.
        error: The class of the error.
    """

    def validate(instance: object, attribute: Field, value: Any) -> None:
        if is_valid(value):
            return
        # A text may be a secret.
        given = format_value(value)
        if isinstance(value, str):
            given = type_name(value)
        raise error(f"{attribute.name} must be {rule}, not {given}")

    return validate


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
    least, most = 0.0, math.inf
    if positive:
        rule = "a positive number of seconds"
        least = math.ulp(0.0)
    if finite:
        most = sys.float_info.max
    return valid(lambda value: is_number(value) and least <= value <= most, rule)


def valid_whole_number(minimum: int, error: type[AgentPlatformError] = InvalidArgumentError) -> Validator:
    """Return a validator of a whole number of at least *minimum*, which raises *error*."""
    rule = f"a whole number of at least {minimum}"
    return valid(lambda value: type(value) is int and value >= minimum, rule, error)


def valid_instance(cls: Any, rule: str, error: type[AgentPlatformError] = InvalidArgumentError) -> Validator:
    """Return a validator of the type of a value, which raises *error*."""
    return valid(lambda value: isinstance(value, cls), rule, error)


def is_async_function(function: Any) -> bool:
    """Return whether a call of a function must be awaited; the function may also be an object with `__call__`."""
    return iscoroutinefunction(function) or iscoroutinefunction(type(function).__call__)


def is_callback(value: Any) -> bool:
    """Return whether *value* is None or a plain function: an async function would be called and never awaited."""
    return value is None or (callable(value) and not is_async_function(value))


# A function that is not `async def` may return something to await, so the call checks what it returns.
valid_async_function = valid(callable, "an async function")
valid_callback = valid(is_callback, "a plain function: it is called, and not awaited")
# Only True and False are accepted, because a text such as "no" would count as true.
valid_flag = valid_instance(bool, "True or False", ConfigurationError)


def copy_mapping(value: Any) -> Any:
    """Copy a mapping, so that it cannot change after the check; return anything else unchanged, for the validator."""
    if not isinstance(value, Mapping):
        return value
    return dict(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def mapping_field(*validators: Validator) -> Any:
    """Make the attrs field of a mapping that is None by default: it is copied, and a repr does not show its values."""
    is_mapping = valid_instance(Mapping, "a mapping")
    return attrs.field(
        default=None,
        converter=copy_mapping,
        validator=optional(and_(is_mapping, *validators)),
        # A value may be a secret.
        repr=lambda value: repr(list(value or ())),
    )
