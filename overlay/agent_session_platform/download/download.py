"""Downloads: a file piece by piece, to an iterator or a path, without holding it in memory."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import aclosing
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING

from .._api import MAX_DOWNLOAD, UNSET, Download
from ..errors import InvalidArgumentError
from ..files import check_target
from ..text import format_value
from .options import DownloadOptions
from .part_file import PartFile
from .transfer import Transfer

if TYPE_CHECKING:
    from .._api import Unset
    from .source import Source


class FileDownload(Download):
    """A file that is fetched when it is iterated over, saved or read; each of these fetches it again.

    Args:
        source: Sends the requests.
    """

    def __init__(self, source: Source) -> None:
        self._source = source

    def __repr__(self) -> str:
        return f"<Download of {self._source.operation}>"

    def __aiter__(self) -> AsyncIterator[bytes]:
        """Iterate over the bytes as they come, within the bounds that are the defaults of `stream`."""
        return self.stream()

    def stream(
        self,
        *,
        max_bytes: int | None = MAX_DOWNLOAD,
        timeout: float | None = None,
        follow: bool = False,
        hosts: Collection[str] = (),
    ) -> AsyncIterator[bytes]:
        """Iterate over the bytes as they come; see `Download.stream`."""
        return self._stream(DownloadOptions(max_bytes, timeout, follow, hosts))

    async def _stream(self, options: DownloadOptions) -> AsyncIterator[bytes]:
        async with aclosing(Transfer(self._source, options)) as transfer:
            await transfer.begin()
            while (chunk := await transfer.next()) is not None:
                yield chunk

    async def save(
        self,
        path: str | os.PathLike[str],
        *,
        max_bytes: int | None = MAX_DOWNLOAD,
        timeout: float | None = None,
        follow: bool = False,
        hosts: Collection[str] = (),
        resume: bool = False,
        checksum: Callable[[bytes], object] | None = None,
    ) -> int:
        """Write the file to *path*, in one step when it is complete; see `Download.save`."""
        options = DownloadOptions(max_bytes, timeout, follow, hosts)
        check_save(resume, checksum)
        target, mode = check_target(path)
        with PartFile(target, mode, self._source.id if resume else None) as part:
            async with aclosing(Transfer(self._source, options)) as transfer:
                await transfer.begin(resumable=resume, position=part.size, version=part.version)
                if transfer.position:
                    await feed(part, checksum)
                else:
                    await to_the_end(part.restart, transfer.version)
                while (chunk := await transfer.next()) is not None:
                    await asyncio.to_thread(part.write, chunk)
                    if checksum is not None:
                        checksum(chunk)
            # Outside of the event loop, because they wait for the disk.
            await to_the_end(part.flush)
            await to_the_end(part.finish)
        return transfer.position

    async def read(
        self,
        *,
        max_bytes: int | Unset | None = UNSET,
        timeout: float | None = None,
        follow: bool = False,
        hosts: Collection[str] = (),
    ) -> bytes:
        """Return the whole file; see `Download.read`."""
        most = self._source.max_body if max_bytes is UNSET else max_bytes
        content = bytearray()
        async for chunk in self._stream(DownloadOptions(most, timeout, follow, hosts)):
            content += chunk
        return bytes(content)


async def feed(part: PartFile, checksum: Callable[[bytes], object] | None) -> None:
    """Go to the end of what is there, and give it to the checksum."""
    chunks = part.chunks()
    while (chunk := await asyncio.to_thread(next, chunks, None)) is not None:
        if checksum is not None:
            checksum(chunk)


async def to_the_end(function: Callable[..., None], *arguments: object) -> None:
    """Run a step of a file in a thread; a caller that is cancelled waits for its end, because it closes the file."""
    step = asyncio.get_running_loop().run_in_executor(None, function, *arguments)
    try:
        await asyncio.shield(step)
    except asyncio.CancelledError:
        await asyncio.wait((step,))
        # asyncio would log an exception that is never retrieved.
        step.exception()
        raise


def check_save(resume: object, checksum: object) -> None:
    """Refuse arguments of `save` of a wrong type."""
    if not isinstance(resume, bool):
        raise InvalidArgumentError(f"resume must be True or False, not {format_value(resume)}")
    if checksum is not None and (not callable(checksum) or iscoroutinefunction(checksum)):
        raise InvalidArgumentError(
            "checksum must be a plain function that is called with each chunk, such as hashlib.sha256().update"
        )
