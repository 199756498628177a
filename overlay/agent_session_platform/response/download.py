"""Downloads: a file piece by piece, to an iterator or a path, without holding it in memory."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, suppress

from .._api import Download, Operation
from ..errors import DecodeError
from .response import StreamedResponse


class FileDownload(Download):
    """A file that is fetched when it is iterated over, saved or read; each of these fetches it again.

    Args:
        operation: The operation of the download.
        fetch: Sends the request and returns the response with its body still to be read.
        max_body: Upper bound in bytes of what `read` holds in memory.
    """

    def __init__(self, operation: Operation, fetch: Callable[[], Awaitable[StreamedResponse]], max_body: int) -> None:
        self._operation = operation
        self._fetch = fetch
        self._max_body = max_body

    def __repr__(self) -> str:
        return f"<Download of {self._operation}>"

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Iterate over the bytes as they come; raise ConnectionFailedError if they break off."""
        async with aclosing(await self._fetch()) as stream:
            async for chunk in stream:
                yield chunk

    async def save(self, path: str | os.PathLike[str]) -> int:
        """Write the file to *path* without holding it in memory; the path does not change before the file is complete.

        Returns:
            The number of its bytes.

        Raises:
            OSError: The file cannot be written.
            AgentPlatformError: It could not be fetched.
        """
        target = os.fspath(path)
        size = 0
        async with aclosing(await self._fetch()) as stream:
            # In the same directory, so that it can replace the target in one step.
            unfinished = f"{target}.{os.urandom(8).hex()}.part"
            try:
                with open(unfinished, "xb") as file:  # noqa: ASYNC230  # opening is quick; writing is done in a thread
                    async for chunk in stream:
                        await asyncio.to_thread(file.write, chunk)
                        size += len(chunk)
                os.replace(unfinished, target)
            except BaseException:
                with suppress(OSError):
                    os.unlink(unfinished)
                raise
        return size

    async def read(self) -> bytes:
        """Return the whole file; raise DecodeError if it is larger than `max_body`."""
        content = bytearray()
        async with aclosing(await self._fetch()) as stream:
            async for chunk in stream:
                content += chunk
                if len(content) > self._max_body:
                    raise DecodeError(
                        f"a file of more than {self._max_body} bytes; save() holds none of it in memory",
                        operation=self._operation,
                        status=stream.status,
                    )
        return bytes(content)
