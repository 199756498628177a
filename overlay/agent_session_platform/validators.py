"""Validators and fields of attrs classes: a refused value raises an error that names it and says what it must be.

The validators of attrs are not used for this, because they raise a TypeError or a ValueError.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from inspect import iscoroutinefunction
from typing import Any, TypeAlias

import attrs
from attrs.validators import and_, optional

from .errors import AgentPlatformError, ConfigurationError, InvalidArgumentError
from .text import format_value, type_name

Validator: TypeAlias = Callable[[Any, "attrs.Attribute[Any]", Any], None]

# The pattern of header names (RFC 9110, section 5.6.2). It is compiled when the first header is checked.
HEADER_NAME = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"

# This header has the number of the attempt, for readers of a server's log.
ATTEMPT_HEADER = "x-agent-platform-attempt"

# Headers that a caller cannot set, in lower case: the SDK sets them, or they are about the connection, which the HTTP
# library manages. After an Expect, for example, a client waits for a response that may never come.
RESERVED_HEADERS = frozenset(
    {"accept-encoding", "authorization", "content-encoding", "content-length", "host", ATTEMPT_HEADER}
    | {"connection", "expect", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"}
)


def is_number(value: object) -> bool:
    """Return whether *value* is a number; a bool is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def valid_seconds(*, positive: bool, finite: bool = False) -> Validator:
    """Return a validator of a number of seconds.

    Args:
        positive: Whether 0 is refused.
        finite: Whether infinity is refused.
    """

    def validate(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        in_range = is_number(value) and (value > 0 or (value == 0 and not positive))
        if in_range and (value < math.inf or not finite):
            return
        rule = "a positive number of seconds" if positive else "a number of seconds that is not negative"
        raise InvalidArgumentError(f"{attribute.name} must be {rule}, not {format_value(value)}")

    return validate


def valid_whole_number(minimum: int, error: type[AgentPlatformError] = InvalidArgumentError) -> Validator:
    """Return a validator of a whole number of at least *minimum*, which raises *error*."""

    def validate(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or value < minimum:
            raise error(f"{attribute.name} must be a whole number of at least {minimum}, not {format_value(value)}")

    return validate


def valid_instance(cls: Any, description: str, error: type[AgentPlatformError] = InvalidArgumentError) -> Validator:
    """Return a validator of the type of a value, which raises *error*; the message has *description*."""

    def validate(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if not isinstance(value, cls):
            raise error(f"{attribute.name} must be {description}, not {type_name(value)}")

    return validate


valid_async_function = valid_instance(Callable, "an async function")
# Only True and False are accepted, because a text such as "no" would count as true.
valid_flag = valid_instance(bool, "True or False", ConfigurationError)


def is_async_function(function: Any) -> bool:
    """Return whether a call of a function must be awaited; the function may also be an object with `__call__`."""
    return iscoroutinefunction(function) or iscoroutinefunction(type(function).__call__)


def valid_callback(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
    """Refuse what is neither None nor a function, and an async function: it would be called and never awaited."""
    if value is not None and (not callable(value) or is_async_function(value)):
        raise InvalidArgumentError(f"{attribute.name} must be a plain function: it is called, and not awaited")


def valid_headers(instance: object, attribute: attrs.Attribute[Any], value: Mapping[Any, Any]) -> None:
    """Refuse headers that cannot be sent, are given twice or are reserved; a message shows no value."""
    lower_names: set[str] = set()
    for name, text in value.items():
        if not isinstance(name, str) or not re.fullmatch(HEADER_NAME, name):
            # If the name is "X-Key: secret", show only `X-Key`: the rest may be a secret value.
            bad_name = repr(re.split(r"[\s:=]", name, maxsplit=1)[0]) if isinstance(name, str) else type_name(name)
            raise InvalidArgumentError(f"{attribute.name} has {bad_name}, which is not a valid header name")
        if not isinstance(text, str):
            raise InvalidArgumentError(f"{attribute.name}[{name!r}] must be a string, not {type_name(text)}")
        lower_name = name.lower()
        if lower_name in RESERVED_HEADERS or lower_name.startswith("proxy-"):
            raise InvalidArgumentError(f"{attribute.name} must not set {name}: the SDK or the HTTP library sets it")
        if lower_name in lower_names:
            raise InvalidArgumentError(f"{attribute.name} has {name} twice: upper and lower case are the same header")
        lower_names.add(lower_name)
        if not (text.isascii() and text.isprintable()):
            raise InvalidArgumentError(f"{attribute.name}[{name!r}] has characters that a header cannot carry")


def copy_mapping(value: Any) -> Any:
    """Copy a mapping, so that it cannot change after the check; return anything else unchanged, for the validator."""
    return dict(value) if isinstance(value, Mapping) else value  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def names_only(value: Mapping[str, Any] | None) -> str:
    """Return the names of headers or query parameters for a repr: a value may be a secret."""
    return repr(sorted(map(str, value)) if value else None)


def mapping_field(*validators: Validator) -> Any:
    """Make the attrs field of a mapping that is None by default: it is copied, and a repr does not show its values."""
    validator = optional(and_(valid_instance(Mapping, "a mapping"), *validators))
    return attrs.field(default=None, converter=copy_mapping, validator=validator, repr=names_only)
