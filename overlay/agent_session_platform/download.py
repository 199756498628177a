"""Downloads: a file is streamed within bounds, and saved whole or not at all.

A `Transfer` sends the request, and requests the rest of the file when the connection breaks off.
"""

from __future__ import annotations

import asyncio
import math
import os
import re
import stat
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator
from contextlib import aclosing, contextmanager, suppress
from typing import IO, NamedTuple, TypeAlias, Unpack

import attrs
from attrs.validators import optional

from ._api import Download, DownloadOptions
from .call import Retries
from .errors import (
    AgentPlatformError,
    ConnectionFailedError,
    DeadlineExceededError,
    FileTooLargeError,
    InvalidArgumentError,
)
from .request.prepare import PreparedRequest
from .response.body_limits import DEFAULT_MAX_BYTES
from .response.exchange import StreamedResponse
from .retry import Again, FailedAttempt
from .runtime import Runtime, TimeUpError
from .validators import valid_callback, valid_instance, valid_seconds, valid_whole_number

# Calls a part of a file.
CallPart: TypeAlias = Callable[[PreparedRequest, Retries], Awaitable[StreamedResponse]]

PARTIAL_CONTENT = 206
STRONG_ETAG = re.compile(r'"[\x21\x23-\x7e]*"')

# The rest of a compressed body cannot be joined to its beginning.
UNCOMPRESSED = {"accept-encoding": "identity"}


@contextmanager
def new_file(path: str | os.PathLike[str]) -> Generator[IO[bytes]]:
    """Open a temporary file; it is renamed to *path* at the end, and removed after an error.

    Raises:
        InvalidArgumentError: *path* is empty, or names something other than a regular file. A symbolic link is refused,
            too: the file would replace the link, and not the file behind it.
        OSError: There can be no such file.
    """
    # The program may change its folder while the file comes.
    target = os.path.abspath(os.fsdecode(path))
    mode = None
    with suppress(FileNotFoundError):
        mode = os.lstat(target).st_mode
    if mode is not None and not stat.S_ISREG(mode):
        raise InvalidArgumentError(f"path must be a new or a regular file, and no link, not {target!r}")
    # The name is random, so that nobody can create a file or a link with this name beforehand.
    temporary = os.path.join(os.path.dirname(target), f"{os.urandom(8).hex()}.part")
    try:
        with open(temporary, "xb") as file:
            if mode is not None:
                os.chmod(temporary, stat.S_IMODE(mode) & 0o777)
            yield file
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


@attrs.frozen
class DownloadSettings:
    """The options of one download, checked; see `DownloadOptions`.

    Raises:
        InvalidArgumentError: A value is out of range or of the wrong type.
    """

    max_bytes: int | None = attrs.field(default=DEFAULT_MAX_BYTES, validator=optional(valid_whole_number(0)))
    timeout: float | None = attrs.field(default=None, validator=optional(valid_seconds(positive=True, finite=True)))
    resume: bool = attrs.field(default=False, validator=valid_instance(bool, "True or False"))
    checksum: Callable[[bytes], object] | None = attrs.field(default=None, validator=valid_callback)


@attrs.frozen(eq=False, repr=False)
class FileDownload(Download):
    """A file that is fetched again each time that it is iterated over, saved or read.

    Attributes:
        prepared: The request of the operation.
        open_runtime: Opens the client.
        call_part: Calls the file, or a part of it.
        max_body: How many bytes `read` returns at most by default.
    """

    prepared: PreparedRequest
    open_runtime: Callable[[], Runtime]
    call_part: CallPart
    max_body: int

    def __aiter__(self) -> AsyncIterator[bytes]:
        """Iterate over the bytes as they come, with the default options of `stream`."""
        return self.stream()

    def stream(self, **options: Unpack[DownloadOptions]) -> AsyncGenerator[bytes]:
        """Iterate over the bytes as they come; see `Download.stream`."""
        return self._chunks(DownloadSettings(**options))

    async def save(self, path: str | os.PathLike[str], **options: Unpack[DownloadOptions]) -> int:
        """Write the file to *path*, in one step when it is complete; see `Download.save`."""
        stream = self.stream(**options)
        size = 0
        with new_file(path) as file:
            async with aclosing(stream):
                async for chunk in stream:
                    # Write in a thread, because writing waits for the disk.
                    size += await asyncio.to_thread(file.write, chunk)
            file.flush()
            await asyncio.to_thread(os.fsync, file.fileno())
        return size

    async def read(self, **options: Unpack[DownloadOptions]) -> bytes:
        """Return the whole file; see `Download.read`."""
        options.setdefault("max_bytes", self.max_body)
        return b"".join([chunk async for chunk in self.stream(**options)])

    async def _chunks(self, settings: DownloadSettings) -> AsyncGenerator[bytes]:
        """Yield the bytes as they come; nothing is sent before the first bytes are requested."""
        retries = Retries(self.open_runtime(), self.prepared)
        deadline = retries.began + (settings.timeout or math.inf)
        async with aclosing(Transfer(self.prepared, self.call_part, settings, retries, deadline)) as transfer:
            while (chunk := await transfer.next_chunk()) is not None:
                if settings.checksum is not None:
                    settings.checksum(chunk)
                yield chunk
        retries.give_back_quota()


class FileHead(NamedTuple):
    """What the server has announced of a file.

    Attributes:
        size: The size in bytes; None if it is unknown.
        etag: The strong ETag, by which the rest can be requested; empty if it cannot.
    """

    size: int | None = None
    etag: str = ""

    def is_continued_by(self, stream: StreamedResponse, position: int) -> bool:
        """Return whether a response has the bytes of this file from *position* on."""
        headers = stream.response.to_received().headers
        # The request had the ETag in If-Range. So the server has compared it, even if the response has no ETag.
        if stream.response.status != PARTIAL_CONTENT or headers.get("etag", self.etag) != self.etag:
            return False
        last_position = (self.size or 0) - 1
        return headers.get("content-range") == f"bytes {position}-{last_position}/{self.size}"


@attrs.define(eq=False, repr=False)
class Transfer:
    """One running download, which continues after its connection breaks off.

    Each part is a call. The parts share their retries, so that the retry policy decides how often the rest is
    requested. A part that has brought bytes counts as a first attempt again.

    Attributes:
        prepared: The request of the whole file.
        call_part: Calls the file, or a part of it.
        settings: The options of this download.
        retries: The retries of all parts.
        deadline: When the whole file must have come, by the clock of the event loop.
        stream: The part that is read; None between two parts.
        head: What the server has announced of the file.
        position: How many bytes of the file have come.
    """

    prepared: PreparedRequest
    call_part: CallPart
    settings: DownloadSettings
    retries: Retries
    deadline: float
    stream: StreamedResponse | None = None
    head: FileHead = attrs.field(factory=FileHead)
    position: int = 0

    async def next_chunk(self) -> bytes | None:
        """Return the next bytes; None at the end of the file.

        Raises:
            FileTooLargeError: The file has more than `max_bytes` bytes.
            DecodeError: The body is not what the server announced, or the response is a redirect.
            DeadlineExceededError: `timeout` has passed.
            AgentPlatformError: The connection broke off, and the rest could not be fetched; or any other error of a
                call.
        """
        runtime = self.retries.runtime
        time_left = self.deadline - runtime.loop.time()
        try:
            return await runtime.while_open(self._read_or_continue(), at_most=time_left)
        except TimeUpError:
            reason = f"the file was not complete within {self.settings.timeout} s"
            raise DeadlineExceededError(reason, operation=self.prepared.operation) from None

    async def aclose(self) -> None:
        """Give the connection back."""
        stream, self.stream = self.stream, None
        if stream is not None:
            await stream.aclose()

    async def _read_or_continue(self) -> bytes | None:
        """Return the next bytes; request the file, or the rest of it, while the retry policy allows it."""
        while True:
            try:
                return await self._read(self.stream or await self._open_part())
            except AgentPlatformError as error:
                await self.aclose()
                # The error of a call is complete: the call has made its own attempts.
                if error.raised_by_call:
                    raise
                if not await self._wait_to_continue(error):
                    self.retries.complete_error(error)
                    raise

    async def _wait_to_continue(self, error: AgentPlatformError) -> bool:
        """Wait until the file, or the rest of it, may be requested again; return False if the error is final."""
        if self.position and not self.head.etag:
            return False
        # The time in which the file was read does not count.
        retries = self.retries
        now = retries.runtime.loop.time()
        retries.deadline = min(self.deadline, now + retries.policy.deadline)
        failed = FailedAttempt(error)
        decision = retries.decide(failed)
        if not isinstance(decision, Again):
            return False
        await retries.wait(failed, decision)
        return True

    async def _open_part(self) -> StreamedResponse:
        """Request the file, or the rest of it."""
        headers = dict(self.prepared.headers)
        if self.settings.resume or self.position:
            headers |= UNCOMPRESSED
        if self.position:
            headers["range"] = f"bytes={self.position}-"
            headers["if-range"] = self.head.etag
        stream = await self.call_part(self.prepared._replace(headers=headers), self.retries)
        self.stream = stream
        if not self.position:
            self.head = self._read_head(stream)
        elif not self.head.is_continued_by(stream, self.position):
            reason = "the exchange broke off, and the server did not send the rest of the file"
            received = stream.response.to_received()
            raise ConnectionFailedError(reason, operation=self.prepared.operation, final=True, response=received)
        return stream

    def _read_head(self, stream: StreamedResponse) -> FileHead:
        """Return what a response announces of the file."""
        headers = stream.response.to_received().headers
        length = headers.get("content-length", "")
        size = None
        # The length of a compressed body is not that of the file.
        if "content-encoding" not in headers and length.isdecimal():
            size = int(length)
        # A range that the caller has requested is the whole download.
        if "range" in self.prepared.headers:
            return FileHead(size)
        if stream.response.status == PARTIAL_CONTENT:
            raise stream.response.make_decode_error("with a part of a file, which was not requested")
        etag = headers.get("etag", "")
        if size is None or not STRONG_ETAG.fullmatch(etag):
            return FileHead(size)
        return FileHead(size, etag)

    async def _read(self, stream: StreamedResponse) -> bytes | None:
        """Return the next bytes of a connection; None at the end. An end before the announced size is an error."""
        try:
            chunk = await stream.read()
        except ConnectionFailedError:
            if self.position != self.head.size:
                raise
            # Only the end of the stream is missing: there is nothing left to request.
            chunk = None
        if chunk is None:
            if self.head.size not in (None, self.position):
                reason = f"the exchange broke off after {self.position} of {self.head.size} bytes"
                received = stream.response.to_received()
                raise ConnectionFailedError(
                    reason, operation=self.prepared.operation, may_have_arrived=True, response=received
                )
            return None
        if chunk:
            # The server is alive, and the download goes on.
            self.retries.count_progress()
        self.position += len(chunk)
        limit = self.settings.max_bytes
        if limit is not None and self.position > limit:
            reason = f"a file of more than {limit} bytes; max_bytes= sets the limit"
            received = stream.response.to_received()
            raise FileTooLargeError(reason, operation=self.prepared.operation, response=received)
        return chunk
