"""Responses whose body is read as it comes, and what closes them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ..response.compression import BrokenBodyError, decompress

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from ..request.prepare import PreparedRequest
    from .interface import TransportResponse
    from .translate import ErrorTranslator

# From these of a streamed response a download is followed or resumed.
STREAM_HEADERS = (
    b"content-encoding", b"content-length", b"content-range", b"date", b"etag", b"last-modified", b"location"
)  # fmt: skip

# A server may send a body byte by byte, and many of them may be received at once: the event loop runs after so many.
CHUNKS_OF_A_STEP = 200


async def stream_body(
    response: TransportResponse,
    headers: Mapping[bytes, list[str]],
    request: PreparedRequest,
    timeout: float,
    errors: ErrorTranslator,
) -> AsyncIterator[bytes]:
    """Return the body of a response as it comes; iterating raises an AgentPlatformError."""
    count = 0
    try:
        codings = headers.get(b"content-encoding")
        async for chunk in decompress(response.chunks, ",".join(codings)) if codings else response.chunks:
            yield chunk
            count += 1
            if count % CHUNKS_OF_A_STEP == 0:
                await asyncio.sleep(0)
        return
    except BrokenBodyError as error:
        content_type = ", ".join(headers.get(b"content-type", ()))
        failure: Exception = errors.broken_body(error, response.status, content_type, request.operation)
    except Exception as error:
        failure = errors.translate(error, request.operation, timeout)
    raise failure


def single_values(headers: Mapping[bytes, list[str]]) -> dict[str, str]:
    """Return the headers of a streamed response that are used; one that came with several values is left out."""
    return {
        name.decode(): values[0] for name, values in headers.items() if name in STREAM_HEADERS and len(set(values)) == 1
    }


class ClosingResponses:
    """The responses that are being closed, each in a task of its own.

    Whoever closes one may be cancelled meanwhile, and httpx would lose its connection.
    """

    def __init__(self) -> None:
        # The event loop has only weak references to its tasks.
        self._tasks: set[asyncio.Future[None]] = set()

    async def close(self, response: TransportResponse, errors: ErrorTranslator) -> None:
        """Close a response that was read, or that nobody wants to read: then the connection may fail."""
        task = asyncio.ensure_future(response.close())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            await asyncio.shield(task)
        except Exception as error:
            if not errors.covers(error):
                raise
