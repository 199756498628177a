"""The outcome of an attempt, as a value, and what a call reports of its response.

An outcome is a response, one whose body is still to be read, or a failure.
"""

from __future__ import annotations

import re
from asyncio import Future
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import NamedTuple, TypeAlias

import attrs

from .._api import Operation, ReceivedResponse
from ..errors import InvalidArgumentError
from ..text import type_name

# The statuses whose Location is followed with a GET (RFC 9110, section 15.4).
REDIRECTS = frozenset({301, 302, 303, 307, 308})

# What may be signed or carry a session, also percent-encoded: path parameters, query and fragment.
AFTER_PATH = re.compile("[?#;]|%3f|%23|%3b", re.IGNORECASE)

# It may carry a session.
HIDDEN = "set-cookie"

OnResponse: TypeAlias = Callable[[ReceivedResponse], None]

# Where `AgentPlatform.with_response` collects the responses of the calls that it awaits.
collected: ContextVar[list[ReceivedResponse] | None] = ContextVar("collected", default=None)


class Response(NamedTuple):
    """A response that was read as a whole: the status, the headers that are used, and the body.

    Attributes:
        status: HTTP status code.
        content_type: The Content-Type header; empty when there is none.
        retry_after: Seconds that the response asks to wait, with Retry-After or, after a 429, with a RateLimit header;
            None when it does not.
        location: The Location header; empty when there is none.
        content: The body, with its Content-Encoding taken off.
        headers: All headers, as they came.
        attempts: How many attempts the call has made.
        elapsed: Seconds from the beginning of the call.
    """

    status: int
    content_type: str = ""
    retry_after: float | None = None
    location: str = ""
    content: bytes = b""
    headers: Sequence[tuple[bytes, bytes]] = ()
    attempts: int = 0
    elapsed: float = 0.0

    def __repr__(self) -> str:
        return f"<Response {self.status}>"


@attrs.define(eq=False)
class StreamedResponse:
    """A success, or a redirect of a download, whose body is read as it comes.

    Iterate over it for the body, decoded; a chunk that does not come raises an AgentPlatformError.

    Attributes:
        status: HTTP status code.
        fields: The headers about the body and its place, by lower-case name.
        headers: All headers, as they came.
        attempts: How many attempts the call has made.
        elapsed: Seconds from the beginning of the call.
        on_close: Called once, when it is closed.
    """

    status: int
    _chunks: AsyncIterator[bytes] = attrs.field(repr=False)
    _close: Callable[[], Awaitable[None]] = attrs.field(repr=False)
    fields: Mapping[str, str] = attrs.field(factory=dict[str, str], repr=False)
    headers: Sequence[tuple[bytes, bytes]] = attrs.field(default=(), repr=False)
    attempts: int = 0
    elapsed: float = 0.0
    on_close: Callable[[], None] = attrs.field(default=lambda: None, init=False, repr=False)
    _closed: bool = attrs.field(default=False, init=False)

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._chunks

    async def aclose(self) -> None:
        """Give the connection back; closing again does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            await self._close()
        finally:
            self.on_close()


@attrs.frozen(eq=False)
class Failure:
    """An attempt that failed.

    Attributes:
        error: What to raise when the failure is final.
        closed_for: After a 429 the seconds until the rate limiter opens; None after any other failure.
    """

    error: Exception
    closed_for: float | None = None


Outcome: TypeAlias = Response | StreamedResponse | Failure


def public_part(location: str) -> str:
    """Return scheme, host and path of a Location: its query may be signed, and it may have a password."""
    scheme, slashes, rest = AFTER_PATH.split(location, maxsplit=1)[0].rpartition("//")
    return f"{scheme}{slashes}{rest.rpartition('@')[2]}"


def describe_response(
    response: Response | StreamedResponse, operation: Operation, redact: Callable[[str], str]
) -> ReceivedResponse:
    """Describe a response without its body, its cookies and the query of its Location.

    Args:
        response: The response.
        operation: The operation that was called.
        redact: Takes the credential out of a text of the server.
    """
    headers: dict[str, str] = {}
    for name, value in response.headers:
        key = name.decode("latin-1").lower()
        if key != HIDDEN:
            text = value.decode("utf-8", "replace")
            text = redact(public_part(text) if key == "location" else text)
            headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return ReceivedResponse(operation, response.status, headers, response.attempts, response.elapsed)


async def report_success(
    response: Response | StreamedResponse,
    operation: Operation,
    redact: Callable[[str], str],
    functions: tuple[OnResponse | None, ...],
) -> None:
    """Report a success; if a function of the caller raises, the stream is closed, because nobody else would.

    Args:
        response: The response.
        operation: The operation that was called.
        redact: Takes the credential out of a text of the server.
        functions: As for `report`.
    """
    try:
        report(describe_response(response, operation, redact), functions)
    except BaseException:
        if isinstance(response, StreamedResponse):
            await response.aclose()
        raise


def report(received: ReceivedResponse, functions: tuple[OnResponse | None, ...]) -> None:
    """Report the response that ends a call.

    Args:
        received: The response.
        functions: The `on_response` of the client, and that of the call.
    """
    for on_response in functions:
        if on_response is not None:
            on_response(received)
    responses = collected.get()
    if responses is not None:
        responses.append(received)


def check_call(call: object) -> None:
    """Refuse a value that is no call of a client, or that already runs by itself.

    Raises:
        InvalidArgumentError: It is a task, or nothing that can be awaited.
    """
    if isinstance(call, Future):
        raise InvalidArgumentError("call must be the call itself, and not a task of it, which runs by itself")
    if not isinstance(call, Awaitable):
        raise InvalidArgumentError(f"call must be a call that was not awaited yet, not {type_name(call)}")
