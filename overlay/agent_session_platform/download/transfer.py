"""The bytes of a file in order, within the caller's bounds, and across connections that break off."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import ConnectionFailedError, DeadlineExceededError, DecodeError, ProblemError
from ..tracebacks import clear_locals
from .version import IDENTITY, Version, size_of, version_of

if TYPE_CHECKING:
    from ..response.response import StreamedResponse
    from .options import DownloadOptions
    from .source import Source

T = TypeVar("T")

# A chunk this large was decompressed, perhaps together with a hundred others: let other tasks run in between.
LARGE_CHUNK = 256 * 1024

PARTIAL_CONTENT = 206
RANGE_NOT_SATISFIABLE = 416


class Transfer:
    """One download under way.

    Args:
        source: Sends the requests.
        options: The bounds, and where it may be followed to.

    Attributes:
        position: How many bytes of the file have arrived.
        version: The version of the file; None if its rest cannot be asked for.
    """

    def __init__(self, source: Source, options: DownloadOptions) -> None:
        self._source = source
        self._options = options
        self._loop = source.loop
        self._deadline = None if options.timeout is None else self._loop.time() + options.timeout
        self._stream: StreamedResponse | None = None
        self._end: int | None = None
        self._attempts = 1
        # Tokens of the retry quota that this transfer has taken.
        self._tokens = 0.0
        self.position = 0
        self.version: Version | None = None

    async def begin(self, *, resumable: bool = False, position: int = 0, version: Version | None = None) -> None:
        """Send the request; then `position` is where the bytes begin.

        Args:
            resumable: Whether to ask for a response that can be resumed later.
            position: How many bytes of the file have arrived.
            version: Of which version they are; None if there are none.
        """
        if version is not None and await self._continue(version, position):
            return
        if self._stream is None:
            self._stream = await self._in_time(self._source.open(self._options, IDENTITY if resumable else {}))
        fields, status = self._opened.fields, self._opened.status
        if status == PARTIAL_CONTENT and self._source.resumable:
            raise self._error("a part of a file, which was not asked for")
        self.position, self._end = 0, size_of(fields)
        self.version = version_of(fields) if self._source.resumable else None

    async def next(self) -> bytes | None:
        """Return the next bytes; None at the end.

        Raises:
            DecodeError: There are more than `max_bytes`, or more than the server announced.
            DeadlineExceededError: `timeout` has passed.
            AgentPlatformError: They broke off, and the rest could not be fetched.
        """
        while True:
            try:
                chunk = await self._read()
            except ConnectionFailedError as error:
                if not await self._resume(error):
                    raise
                continue
            if chunk is None:
                tokens, self._tokens = self._tokens, 0.0
                self._source.give_back(tokens)
                return None
            if chunk:
                self._count(len(chunk))
                if len(chunk) >= LARGE_CHUNK:
                    await asyncio.sleep(0)
                return chunk

    async def aclose(self) -> None:
        """Give the connection back."""
        stream, self._stream = self._stream, None
        if stream is not None:
            await stream.aclose()

    @property
    def _opened(self) -> StreamedResponse:
        assert self._stream is not None, "begin() was called"
        return self._stream

    async def _read(self) -> bytes | None:
        """Read the next bytes; None at the end, which is where the server said."""
        chunk = await self._in_time(self._next_chunk())
        if chunk is None and self._end is not None and self.position < self._end:
            raise ConnectionFailedError(
                f"the exchange broke off after {self.position} of {self._end} bytes",
                operation=self._source.operation,
                received=True,
            )
        return chunk

    async def _next_chunk(self) -> bytes | None:
        async for chunk in self._opened:
            return chunk
        return None

    def _count(self, size: int) -> None:
        self.position += size
        most = self._options.max_bytes
        if most is not None and self.position > most:
            raise self._error(
                f"a file of more than {most} bytes; save() holds none of it in memory, and max_bytes= sets the limit"
            )
        if self._end is not None and self.position > self._end:
            raise self._error(f"a file of more than the {self._end} bytes that the server announced")

    async def _resume(self, error: ConnectionFailedError) -> bool:
        """Ask for the rest after a break; return False if that is not possible."""
        await self.aclose()
        if self.version is None:
            return False
        left = float("inf") if self._deadline is None else self._deadline - self._loop.time()
        taken = await self._in_time(self._source.pause(error, self._attempts, left))
        if taken is None:
            return False
        self._tokens += taken
        self._attempts += 1
        if await self._continue(self.version, self.position):
            return True
        error.because("the server has no fitting rest of the file")
        return False

    async def _continue(self, version: Version, position: int) -> bool:
        """Ask for the rest from *position*; return whether it comes. If not, the stream is the whole file, or none."""
        try:
            self._stream = await self._in_time(self._source.open(self._options, version.range_headers(position)))
        except ProblemError as error:
            if error.status != RANGE_NOT_SATISFIABLE:
                raise
            return False
        if self._opened.status != PARTIAL_CONTENT:
            return False
        end = version.end_of(self._opened.fields, position)
        if end is None:
            await self.aclose()
            return False
        self.position, self.version, self._end = position, version, end
        return True

    async def _in_time(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Wait for a coroutine, at most until the deadline."""
        if self._deadline is not None and self._loop.time() >= self._deadline:
            # What never waits, such as the decompression of what has come, would not be interrupted.
            coroutine.close()
            raise self._too_late()
        scope = asyncio.timeout_at(self._deadline)
        try:
            async with scope:
                return await coroutine
        except BaseException as error:
            # The frames below hold the target of a redirect.
            clear_locals(error)
            if not (isinstance(error, TimeoutError) and scope.expired()):
                raise
        raise self._too_late()

    def _too_late(self) -> DeadlineExceededError:
        return DeadlineExceededError(
            f"the file was not complete within timeout={self._options.timeout:g} s", operation=self._source.operation
        )

    def _error(self, why: str) -> DecodeError:
        status = self._opened.status
        return DecodeError(f"{status} with {why}", operation=self._source.operation, status=status)
