"""The exchange of an attempt, as a value, and what the caller gets of it.

An exchange is a response, a response whose body is still to be read, or a failure.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextvars import ContextVar
from typing import Any, TypeAlias

import attrs

from .._api import Operation, ReceivedResponse
from ..errors import DecodeError
from ..text import charset_of, truncate, without_secrets
from .body_limits import MAX_BODY_TEXT

# Where `AgentPlatform.with_response` collects the responses of the calls that it awaits.
collected_responses: ContextVar[list[ReceivedResponse] | None] = ContextVar("collected", default=None)


def collect_responses(responses: Sequence[ReceivedResponse]) -> None:
    """Add responses to those that a `with_response` around this code collects, if there is one."""
    collected = collected_responses.get()
    if collected is not None:
        collected.extend(responses)


@attrs.define(eq=False, repr=False)
class Response:
    """A response of the server: the status, the headers that are used, and the body.

    Mutable for speed: the sender makes it from the head of the response, and sets `content` and `elapsed` when it has
    read the body.

    Attributes:
        operation: The operation that was called.
        status: HTTP status code.
        redact: Takes the credential out of a text of the server.
        content_type: The Content-Type header; empty when there is none.
        content_encoding: The Content-Encoding header; empty when there is none.
        retry_after: Seconds that the response asks to wait, with Retry-After or, after a 429, with RateLimit;
            None if it asks for no wait.
        content: The body, decompressed; empty if it is not read, or is read as it comes.
        headers: All headers, as they came.
        attempts: How many attempts the call has made.
        elapsed: Seconds from the beginning of the call.
    """

    operation: Operation
    status: int
    redact: Callable[[str], str]
    content_type: str = ""
    content_encoding: str = ""
    retry_after: float | None = None
    content: bytes = b""
    headers: Sequence[tuple[bytes, bytes]] = ()
    attempts: int = 0
    elapsed: float = 0.0

    def __repr__(self) -> str:
        return f"<Response {self.status}>"

    def to_received(self) -> ReceivedResponse:
        """Return the response without its body, its cookies and the query of its Location."""
        headers: dict[str, str] = {}
        for name, values in group_headers(self.headers).items():
            if name == "location":
                values = [without_secrets(value) for value in values]
            headers[name] = self.redact(", ".join(values))
        # A cookie may carry a session.
        headers.pop("set-cookie", None)
        return ReceivedResponse(self.operation, self.status, headers, self.attempts, self.elapsed)

    def body_text(self, length: int = MAX_BODY_TEXT) -> str | None:
        """Return at most *length* characters of the body as text, without the credential; None for an empty body."""
        # A character has at most four bytes.
        longest = length + MAX_BODY_TEXT
        head = self.content[: 4 * longest]
        text = head.decode(charset_of(head, self.content_type), "replace")
        return self.redact(text[:longest])[:length] or None

    def quote_body(self) -> str:
        """Return the beginning of the body in quotes, without the credential."""
        return repr(truncate(self.body_text() or ""))

    def make_decode_error(self, reason: str) -> DecodeError:
        """Make the error of a response that is not what its status claims."""
        return DecodeError(
            f"{self.status} {reason}",
            operation=self.operation,
            status=self.status,
            body=self.body_text(),
            response=self.to_received(),
        )


@attrs.define(eq=False)
class StreamedResponse:
    """A success whose body is read as it comes.

    Attributes:
        response: The response without its body, from which the errors of the body are made.
    """

    response: Response
    _chunks: AsyncIterator[bytes] = attrs.field(repr=False)
    _close: Callable[[], Awaitable[None]] = attrs.field(repr=False)
    _closed: bool = attrs.field(default=False, init=False)

    async def read(self) -> bytes | None:
        """Return the next bytes of the body, decoded; None at its end.

        Raises:
            AgentPlatformError: The body broke off or could not be decoded.
        """
        return await anext(self._chunks, None)

    async def aclose(self) -> None:
        """Give the connection back; closing again does nothing."""
        if not self._closed:
            self._closed = True
            await self._close()


@attrs.frozen(eq=False)
class Failure:
    """An attempt that failed.

    Attributes:
        error: The error to raise when the failure is final.
        response: The response, if one came. It has the status of an error, or a body that could not be read.
    """

    error: Exception
    response: Response | None = None


Exchange: TypeAlias = Response | StreamedResponse | Failure


@attrs.frozen(repr=False)
class ExchangeRecord:
    """One attempt, as `AgentPlatform(on_exchange=...)` gets it: what was sent, and what came back.

    It has no headers of the request. But its bodies, and the headers of the response, may contain anything.

    Attributes:
        operation: The operation that was called.
        path: The path, with its ids.
        attempt: Number of the attempt within its call, from 1.
        credential: The kind of the credential, such as `serviceUser`; None if its prefix is unknown.
        query: The query arguments that were sent, by name.
        request_body: The body of the request; None if there is none, or if it is a form with files.
        request_type: The media type of that body.
        status: HTTP status code; None if no response came.
        headers: Name and value of each header of the response, as they came.
        content: The body of the response; None if the body is read as it comes, could not be read, or did not come.
        seconds: How long the attempt took.
        error: Why no response came, or why its body could not be read; None if the whole response was read.
    """

    operation: Operation
    path: str
    attempt: int
    credential: str | None
    query: dict[str, Any]
    request_body: bytes | None
    request_type: str | None
    status: int | None
    headers: tuple[tuple[str, str], ...]
    content: bytes | None
    seconds: float
    error: Exception | None

    def __repr__(self) -> str:
        return f"<ExchangeRecord {self.operation} attempt {self.attempt}: {self.status or 'no response'}>"


def group_headers(headers: Sequence[tuple[bytes, bytes]]) -> dict[str, list[str]]:
    """Return the values of all headers by lower-case name; a repeated header has several values."""
    values_by_name: dict[str, list[str]] = {}
    for name, value in headers:
        values_by_name.setdefault(name.decode("latin-1").lower(), []).append(header_text(value))
    return values_by_name


def header_text(value: bytes) -> str:
    """Return the value of a header as text: in UTF-8 or, as HTTP had it once (RFC 9110, section 5.5), in Latin-1."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
