"""A file on its way in: piece by piece, to an iterator or a path, without holding it in memory."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, suppress

from .._api import Operation
from ..errors import DecodeError
from .stream import Stream


class FileDownload:
    """A file, fetched when it is asked for; each of the three ways fetches it anew.

    *open_stream* sends the request and gives the body; *max_body* bounds what `read` holds.
    """

    def __init__(self, operation: Operation, open_stream: Callable[[], Awaitable[Stream]], max_body: int) -> None:
        self._operation = operation
        self._open = open_stream
        self._max_body = max_body

    def __repr__(self) -> str:
        return f"<Download of {self._operation}>"

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Iterate over the bytes, as they come; raises ConnectionFailedError when they break off."""
        async with aclosing(await self._open()) as stream:
            async for chunk in stream:
                yield chunk

    async def save(self, path: str | os.PathLike[str]) -> int:
        """Write the file to *path* without holding it in memory, and give the number of its bytes.

        Nothing stands at *path* before all of it has come. Raises OSError when the file cannot be written.
        """
        target = os.fspath(path)
        size = 0
        async with aclosing(await self._open()) as stream:
            # Beside the target, so that it can take its place in one step.
            unfinished = f"{target}.{os.urandom(8).hex()}.part"
            try:
                with open(unfinished, "xb") as file:  # noqa: ASYNC230  # it takes no time; what is written to it does
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
        """Hold the whole file in memory; raises DecodeError when it is larger than `max_body`."""
        content = bytearray()
        async with aclosing(await self._open()) as stream:
            async for chunk in stream:
                content += chunk
                if len(content) > self._max_body:
                    raise DecodeError(
                        f"a file of more than {self._max_body} bytes; save() holds none of it in memory",
                        operation=self._operation,
                        status=stream.status,
                    )
        return bytes(content)
