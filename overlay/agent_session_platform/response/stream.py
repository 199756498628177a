"""The body of an answer that is read while it comes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable


class Stream:
    """Gives the body piece by piece, and is closed once: by `aclose`, or at its end.

    *chunks* raises errors of ours. `on_close` is called when it is closed.
    """

    def __init__(self, status: int, chunks: AsyncIterator[bytes], close: Callable[[], Awaitable[None]]) -> None:
        self.status = status
        self._chunks = chunks
        self._close = close
        self._closed = False
        self.on_close: Callable[[], None] | None = None

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._chunks

    async def aclose(self) -> None:
        """Let the connection go; doing it again does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            await self._close()
        finally:
            if self.on_close is not None:
                self.on_close()
