"""The outcome of an attempt, as a value: a response, one whose body is still to be read, or a failure."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

# The statuses whose Location is followed with a GET (RFC 9110, section 15.4).
REDIRECTS = frozenset({301, 302, 303, 307, 308})

NO_FIELDS: Mapping[str, str] = {}


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


class StreamedResponse:
    """A success, or a redirect of a download, whose body is read as it comes.

    Iterate over it for the body, decoded; a chunk that does not come raises an AgentPlatformError.

    Attributes:
        status: HTTP status code.
        on_close: Called once, when it is closed.
        fields: The headers about the body and its place, by lower-case name; their values are in no repr.
        headers: All headers, as they came.
        attempts: How many attempts the call has made.
        elapsed: Seconds from the beginning of the call.
    """

    __slots__ = ("_chunks", "_close", "_closed", "attempts", "elapsed", "fields", "headers", "on_close", "status")

    def __init__(
        self,
        status: int,
        chunks: AsyncIterator[bytes],
        close: Callable[[], Awaitable[None]],
        fields: Mapping[str, str] = NO_FIELDS,
        headers: Sequence[tuple[bytes, bytes]] = (),
        attempts: int = 0,
        elapsed: float = 0.0,
    ) -> None:
        self.status = status
        self._chunks = chunks
        self._close = close
        self.on_close: Callable[[], None] = lambda: None
        self.fields = fields
        self.headers = headers
        self.attempts = attempts
        self.elapsed = elapsed
        self._closed = False

    def __repr__(self) -> str:
        return f"<StreamedResponse {self.status}>"

    def __aiter__(self) -> AsyncIterator[bytes]:
        # Imported with the first stream, because it would add to the start-up of every program.
        from ..tracebacks import with_cleared_locals

        return with_cleared_locals(self._chunks)

    async def aclose(self) -> None:
        """Give the connection back; closing again does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            await self._close()
        finally:
            self.on_close()


class Failure:
    """An attempt that failed.

    Attributes:
        error: What to raise when the failure is final.
        closed_for: After a 429 the seconds until the rate limiter opens; None after any other failure.
    """

    __slots__ = ("closed_for", "error")

    def __init__(self, error: Exception, closed_for: float | None = None) -> None:
        self.error = error
        self.closed_for = closed_for

    def __repr__(self) -> str:
        return f"<Failure {type(self.error).__name__}>"


Outcome: TypeAlias = Response | StreamedResponse | Failure
