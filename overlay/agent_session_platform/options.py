"""The options of a single call, and the headers that a caller may set."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import attrs
from attrs.validators import optional

from ._api import CallOptions
from .errors import InvalidArgumentError
from .retry import RetryPolicy, valid_retry_policy
from .text import type_name
from .validators import (
    Field,
    mapping_field,
    valid_async_function,
    valid_seconds,
    valid_whole_number,
)

# This header has the number of the attempt, for readers of a server's log.
ATTEMPT_HEADER = "x-agent-platform-attempt"

# Headers that a caller cannot set, in lower case. Some are set by `Sender` (transport/sender.py): if it is to set
# another header that a caller must not replace, add it here, too. The others are about the connection, which the HTTP
# library manages. After an Expect, for example, a client waits for a response that may never come.
RESERVED_HEADERS = frozenset(
    {
        "accept-encoding",
        "authorization",
        "connection",
        "content-encoding",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        ATTEMPT_HEADER,
    }
)

# The pattern of header names (RFC 9110, section 5.6.2). It is compiled when the first header is checked.
HEADER_NAME = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"


def valid_headers(instance: object, attribute: Field, headers: Mapping[Any, Any]) -> None:
    """Refuse headers that cannot be sent, are given twice or are reserved; a message shows no value."""
    argument = attribute.name
    lower_names: set[str] = set()
    for name, value in headers.items():
        if not isinstance(name, str) or not re.fullmatch(HEADER_NAME, name):
            # If the name is "X-Key: secret", show only `X-Key`: the rest may be a secret value.
            beginning = str(name).partition(":")[0]
            raise InvalidArgumentError(f"{argument} has {beginning!r}, which is not a valid header name")
        lower_name = name.lower()
        if lower_name in RESERVED_HEADERS or lower_name.startswith("proxy-"):
            raise InvalidArgumentError(f"{argument} must not set {name}: the SDK or the HTTP library sets it")
        if lower_name in lower_names:
            raise InvalidArgumentError(f"{argument} has {name} twice: upper and lower case are the same header")
        if not isinstance(value, str) or not is_header_value(value):
            raise InvalidArgumentError(f"{argument}[{name!r}] must be a string of printable ASCII characters")
        lower_names.add(lower_name)


def is_header_value(text: str) -> bool:
    """Return whether a header can carry a text."""
    return text.isascii() and text.isprintable()


def normal_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers by lower-case name."""
    return {name.lower(): value.strip() for name, value in headers.items()}


@attrs.frozen
class RequestOptions(CallOptions):
    """Settings of a single call; None means the client's setting.

    Attributes:
        timeout: Seconds without a byte after which an attempt fails (connect, read, write); more than 0.
        retry: How often and how long the call is attempted.
        extra_query: Query parameters that the operation does not take by name.
        extra_headers: Headers besides the headers that the client sends.
        attempts: How many attempts the call has, instead of what `retry` or the client's policy says; at least 1.
        on_send: An async function without arguments, awaited before each attempt, after the wait for the rate limiter.
            The attempt is sent only after this function has returned. If the function raises, nothing is sent, and the
            call raises the same error. If what it returns cannot be awaited, the call raises InvalidArgumentError. A
            call that is cancelled before `on_send` was called has sent nothing. While `on_send` runs, the call holds a
            permit of the rate limiter, so it should take only milliseconds.

    Raises:
        InvalidArgumentError: A value is out of range or of the wrong type.

    Example:
        await org.sessions.get("assistant-1", options=RequestOptions(timeout=5, retry=RetryPolicy.none()))
    """

    timeout: float | None = attrs.field(default=None, validator=optional(valid_seconds(positive=True, finite=True)))
    retry: RetryPolicy | None = attrs.field(default=None, validator=optional(valid_retry_policy))
    extra_query: Mapping[str, Any] | None = mapping_field()
    extra_headers: Mapping[str, str] | None = mapping_field(valid_headers)
    attempts: int | None = attrs.field(default=None, validator=optional(valid_whole_number(1)))
    on_send: Callable[[], Awaitable[None]] | None = attrs.field(default=None, validator=optional(valid_async_function))


NO_OPTIONS = RequestOptions()


def parse_options(options: object) -> RequestOptions:
    """Return the options of a call; refuse anything else, such as a dict."""
    if not isinstance(options, RequestOptions):
        raise InvalidArgumentError(f"options must be RequestOptions(timeout=..., ...), not {type_name(options)}")
    return options
