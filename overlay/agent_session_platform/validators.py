"""Named validators of the value classes: each refuses a value in a message with its name and the way out."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, TypeAlias

from .errors import AgentPlatformError, ConfigurationError, InvalidArgumentError
from .text import format_value, type_name

if TYPE_CHECKING:
    import attrs

    Validator: TypeAlias = Callable[[Any, attrs.Attribute[Any], Any], None]

# RFC 9110, section 5.6.2; compiled with the first header.
HEADER_NAME = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"

BY_THE_CLIENT = "the client sets it"
BY_THE_CONNECTION = "it is about the connection, which the HTTP library manages"

# Headers that a caller cannot set, by their names in lower case, with the reason; those of a proxy are refused as well.
# Whoever sends Expect, for example, waits for a response that may never come. `transport.headers` has those that the
# client sets unless the caller does.
RESERVED_HEADERS = {
    "authorization": BY_THE_CLIENT,
    "host": BY_THE_CLIENT,
    "content-length": BY_THE_CLIENT,
    "accept-encoding": "the client names the codings that it can decode",
    "content-encoding": "a body is sent as it is",
    "connection": BY_THE_CONNECTION,
    "expect": BY_THE_CONNECTION,
    "http2-settings": BY_THE_CONNECTION,
    "keep-alive": BY_THE_CONNECTION,
    "te": BY_THE_CONNECTION,
    "trailer": BY_THE_CONNECTION,
    "transfer-encoding": BY_THE_CONNECTION,
    "upgrade": BY_THE_CONNECTION,
}
PROXY_PREFIX = "proxy-"


def why_reserved(name: str) -> str | None:
    """Return why a caller cannot set a header; None if it can be set."""
    name = name.lower()
    return (
        "proxies are named in the environment or with proxy="
        if name.startswith(PROXY_PREFIX)
        else RESERVED_HEADERS.get(name)
    )


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
        in_range = is_number(value) and (value > 0 or (value == 0 and not positive))
        # Clocks count in floats, which some integers are too large for.
        if in_range and (value <= sys.float_info.max or (value == float("inf") and not finite)):
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
    """Refuse what cannot be called, and a coroutine function: it would be called and never awaited."""
    if not callable(value) or iscoroutinefunction(value):
        raise InvalidArgumentError(f"{attribute.name} must be a plain function: it is called, and not awaited")


def function(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
    """Refuse what cannot be called."""
    if not callable(value):
        raise InvalidArgumentError(f"{attribute.name} must be an async function, not {type_name(value)}")


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
        if not isinstance(name, str) or not re.fullmatch(HEADER_NAME, name):
            raise InvalidArgumentError(f"{attribute.name} has {format_name(name)}, which is not a valid header name")
        if not isinstance(text, str):
            raise InvalidArgumentError(f"{attribute.name}[{name!r}] must be a string, not {type_name(text)}")
        if reason := why_reserved(name):
            raise InvalidArgumentError(f"{attribute.name} must not set {name}: {reason}")
        if not (text.isascii() and text.isprintable()):
            raise InvalidArgumentError(f"{attribute.name}[{name!r}] has characters that a header cannot carry")
