"""Named validators of the value classes: each refuses a value in a message with its name and the way out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, TypeAlias

from .errors import AgentPlatformError, ConfigurationError, InvalidArgumentError
from .text import format_value, type_name

if TYPE_CHECKING:
    import attrs

    Validator: TypeAlias = Callable[[Any, attrs.Attribute[Any], Any], None]

# Set by the client itself: from the credential, the base URL and the body. `transport.headers` has the others.
RESERVED_HEADERS = frozenset({"authorization", "host", "content-length", "transfer-encoding"})


def is_number(value: object) -> bool:
    """Return whether *value* is a number; a bool is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def seconds(*, positive: bool, finite: bool = False) -> Validator:
    """Return a validator of a number of seconds.

    Args:
        positive: Whether 0 is refused.
        finite: Whether infinity is refused.
    """

    def validate(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if is_number(value) and (value > 0 or (value == 0 and not positive)) and not (finite and value == float("inf")):
            return
        wanted = "a positive number of seconds" if positive else "a number of seconds that is not negative"
        raise InvalidArgumentError(f"{attribute.name} must be {wanted}, not {format_value(value)}")

    return validate


def at_least(minimum: int, error: type[AgentPlatformError] = InvalidArgumentError) -> Validator:
    """Return a validator of a whole number of at least *minimum*, which raises *error*."""

    def validate(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or value < minimum:
            raise error(f"{attribute.name} must be a whole number of at least {minimum}, not {format_value(value)}")

    return validate


def switch(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
    """Refuse a value that is neither True nor False: "no" is true."""
    if not isinstance(value, bool):
        raise ConfigurationError(f"{attribute.name} must be True or False, not {format_value(value)}")


def instance_of(cls: type, example: str) -> Validator:
    """Return a validator of the type of a value; the message gives the *example*."""

    def validate(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if not isinstance(value, cls):
            raise InvalidArgumentError(f"{attribute.name} must be {example}, not {format_value(value)}")

    return validate


def plain_function(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
    """Refuse a coroutine function: it would be called and never awaited."""
    if iscoroutinefunction(value):
        raise InvalidArgumentError(f"{attribute.name} must be a plain function: it is called, and not awaited")


def mapping(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
    """Refuse a value that is not a mapping."""
    if not isinstance(value, Mapping):
        raise InvalidArgumentError(f"{attribute.name} must be a mapping, not {type_name(value)}")


def format_name(name: object) -> str:
    """Return an invalid name of a header for a message, up to where its value may begin."""
    return repr(re.split(r"[\s:=]", name, maxsplit=1)[0]) if isinstance(name, str) else type_name(name)


def headers(instance: object, attribute: attrs.Attribute[Any], value: Mapping[Any, Any]) -> None:
    """Refuse headers that cannot be sent, or that the client sets itself; a message shows no value."""
    for name, text in value.items():
        if (
            not isinstance(name, str)
            or not (name.isascii() and name.isprintable())
            or not name
            or " " in name
            or ":" in name
        ):
            raise InvalidArgumentError(f"{attribute.name} has {format_name(name)}, which is not a valid header name")
        if not isinstance(text, str):
            raise InvalidArgumentError(f"{attribute.name}[{name!r}] must be a string, not {type_name(text)}")
        if name.lower() in RESERVED_HEADERS:
            raise InvalidArgumentError(f"{attribute.name} must not set {name}; the client does")
        if not (text.isascii() and text.isprintable()):
            raise InvalidArgumentError(f"{attribute.name}[{name!r}] has characters that a header cannot carry")
