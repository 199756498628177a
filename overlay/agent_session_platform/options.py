"""The options of a single call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import attrs
from attrs.validators import optional

from ._api import CallOptions
from .errors import InvalidArgumentError
from .headers import valid_headers
from .retry import RetryPolicy, valid_retry_policy
from .text import type_name
from .validators import (
    mapping_field,
    valid_async_function,
    valid_seconds,
    valid_whole_number,
)


@attrs.frozen
class RequestOptions(CallOptions):
    """Settings of a single call; None means the client's setting.

    Attributes:
        timeout: Seconds without a byte after which an attempt fails (connect, read, write); more than 0.
        retry: How often and how long the call is attempted.
        extra_query: Query parameters that the operation does not take by name.
        extra_headers: Headers besides the headers that the client sends.
        attempts: How many attempts the call has, whatever `retry` or the client's policy says; at least 1.
        on_send: An async function without arguments, awaited before each attempt, after the wait for the rate limiter.
            The attempt is sent only after this function has returned. If the function raises, nothing is sent, and the
            call raises the same error. A call that is cancelled before `on_send` was called has sent nothing. While
            `on_send` runs, the call holds a permit of the rate limiter, so it should take only milliseconds.

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
