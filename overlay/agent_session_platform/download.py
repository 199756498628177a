"""Downloads: a file is streamed within bounds, and saved whole or not at all.

A `Transfer` sends the request, follows a redirect where the caller allows that, and requests the rest of the file when
the connection breaks off.
"""

from __future__ import annotations

import asyncio
import math
import os
import re
import stat
import string
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Generator
from contextlib import aclosing, contextmanager, suppress
from typing import IO, Any, Final, TypeVar, Unpack
from urllib.parse import quote, urljoin, urlsplit

import attrs
from attrs.validators import optional

from ._api import Download, DownloadOptions
from .configuration import Configuration
from .errors import (
    ConnectionFailedError,
    DeadlineExceededError,
    FileTooLargeError,
    InvalidArgumentError,
    RateLimitedError,
)
from .options import policy_of, timeout_of
from .request.prepare import PreparedRequest
from .response.outcome import REDIRECTS, Failure, StreamedResponse
from .response.problem import make_problem
from .retry import Retries
from .runtime import Runtime, TimeUpError
from .text import format_value, public_part, truncate
from .transport.sender import Attempt
from .validators import callback, instance_of, seconds, whole_number

T = TypeVar("T")

MAX_REDIRECTS = 5
MAX_BYTES: Final[int | None] = 10 * 1024**3

# A host with an optional port, in a form that every parser of URLs reads in the same way.
HOST = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]+)?")

# An error of another server says nothing about the credential or its permissions.
STORAGE_ERRORS = {429: RateLimitedError}

PARTIAL_CONTENT = 206
STRONG_ETAG = re.compile(r'"[\x21\x23-\x7e]*"')

# The rest of a compressed body cannot be joined to its beginning.
IDENTITY = {"accept-encoding": "identity"}


def read_hosts(value: Any) -> frozenset[str]:
    """Return normalized hosts; refuse anything but plain host names with optional ports."""
    value = () if value is None else value
    if hasattr(value, "__iter__") and not isinstance(value, str | bytes):
        hosts = [str(host).lower() for host in value]
        if all(HOST.fullmatch(host) for host in hosts):
            return frozenset(map(normalize_host, hosts))
    raise InvalidArgumentError(
        f"hosts must be a list of host names such as 'files.example.com:8443', not {format_value(value)}"
    )


def normalize_host(host: str) -> str:
    """Return a host in lower case, without the port of https."""
    return host.lower().removesuffix(":443")


def check_target(path: Any) -> tuple[str, int | None]:
    """Return a path as text, and the permissions of the file at this path; they are None if there is no file.

    Raises:
        InvalidArgumentError: *path* is not a path, or it names something other than a regular file. A symbolic link is
            refused, too: the download would replace the link, and not the file behind it.
        OSError: The path cannot be looked up.
    """
    try:
        target = os.fsdecode(path)
        status = os.lstat(target)
    except FileNotFoundError:
        if not path:
            raise InvalidArgumentError("path must be the path of a file, and not empty") from None
        return os.fsdecode(path), None
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(f"path must be a path, not {format_value(path)} ({error})") from None
    if not stat.S_ISREG(status.st_mode):
        kind = "a symbolic link" if stat.S_ISLNK(status.st_mode) else "a directory, a FIFO, a device or a socket"
        raise InvalidArgumentError(f"path must be a regular file or a new one, but {truncate(target)!r} is {kind}")
    return target, stat.S_IMODE(status.st_mode) & 0o777


@contextmanager
def new_file(target: str, mode: int | None) -> Generator[IO[bytes]]:
    """Open a temporary file; it is renamed to *target* at the end, and removed after an error.

    Args:
        target: The path.
        mode: The permissions of the file; None for the default permissions.
    """
    # The name is random, so that nobody can create a file or a link with this name beforehand.
    directory, name = os.path.split(target)
    # The name is cut to 40 characters, because file systems limit its length, and the suffix counts, too.
    temporary = os.path.join(directory, f"{name[:40]}.{os.urandom(8).hex()}.part")
    with open(temporary, "xb") as file:
        try:
            if mode is not None:
                os.chmod(temporary, mode)
            yield file
            file.close()
            os.replace(temporary, target)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary)


@attrs.frozen
class DownloadSettings:
    """The options of one download, checked; see `DownloadOptions`.

    Raises:
        InvalidArgumentError: A value is out of range or of the wrong type.
    """

    max_bytes: int | None = attrs.field(default=MAX_BYTES, validator=optional(whole_number(0)))
    timeout: float | None = attrs.field(default=None, validator=optional(seconds(positive=True, finite=True)))
    follow: bool = attrs.field(default=False, validator=instance_of(bool, "True or False"))
    hosts: frozenset[str] = attrs.field(default=frozenset[str](), converter=read_hosts)
    resume: bool = attrs.field(default=False, validator=instance_of(bool, "True or False"))
    checksum: Callable[[bytes], object] | None = attrs.field(default=None, validator=callback)

    def __attrs_post_init__(self) -> None:
        if self.follow != bool(self.hosts):
            raise InvalidArgumentError("pass follow=True together with hosts=['files.example.com']")


@attrs.frozen(eq=False, repr=False)
class FileDownload(Download):
    """A file that is fetched again each time that it is iterated over, saved or read.

    Attributes:
        prepared: The request of the operation.
        configuration: The settings of the client.
        run: Runs a call with a request of this operation.
        open_runtime: Opens the client, and returns its `Runtime`, which its calls share.
    """

    prepared: PreparedRequest
    configuration: Configuration
    run: Callable[[PreparedRequest], Awaitable[StreamedResponse]]
    open_runtime: Callable[[], Runtime]

    def __repr__(self) -> str:
        return f"<Download of {self.prepared.operation}>"

    def __aiter__(self) -> AsyncIterator[bytes]:
        """Iterate over the bytes as they come, with the default options of `stream`."""
        return self.stream()

    def stream(self, **options: Unpack[DownloadOptions]) -> AsyncGenerator[bytes]:
        """Iterate over the bytes as they come; see `Download.stream`."""
        settings = DownloadSettings(**options)
        return Transfer(self.prepared, self.configuration, self.run, self.open_runtime, settings).chunks()

    async def save(self, path: str | os.PathLike[str], **options: Unpack[DownloadOptions]) -> int:
        """Write the file to *path*, in one step when it is complete; see `Download.save`."""
        stream = self.stream(**options)
        target, mode = check_target(path)
        size = 0
        with new_file(target, mode) as file:
            async with aclosing(stream) as chunks:
                async for chunk in chunks:
                    # Write in a thread, because writing waits for the disk.
                    size += await asyncio.to_thread(file.write, chunk)
            file.flush()
            await asyncio.to_thread(os.fsync, file.fileno())
        return size

    async def read(self, **options: Unpack[DownloadOptions]) -> bytes:
        """Return the whole file; see `Download.read`."""
        options.setdefault("max_bytes", self.configuration.max_body)
        return b"".join([chunk async for chunk in self.stream(**options)])


@attrs.define(eq=False)
class Transfer:
    """One running download: it yields the bytes of the file in order, even if a connection breaks off.

    Args:
        prepared: The request of the operation.
        configuration: The settings of the client.
        run: See `FileDownload`.
        open_runtime: See `FileDownload`.
        settings: The options of this download.

    Attributes:
        position: How many bytes of the file have come.
    """

    _prepared: PreparedRequest
    _configuration: Configuration
    _run: Callable[[PreparedRequest], Awaitable[StreamedResponse]]
    _open_runtime: Callable[[], Runtime]
    _settings: DownloadSettings
    _runtime: Runtime = attrs.field(init=False)
    _retries: Retries = attrs.field(init=False)
    _deadline: float = attrs.field(init=False)
    _stream: StreamedResponse = attrs.field(init=False)
    position: int = attrs.field(default=0, init=False)
    # The size of the whole file in bytes; None if the server did not state it.
    _size: int | None = attrs.field(default=None, init=False)
    # The strong ETag of the file; None if the rest of the file cannot be requested.
    _etag: str | None = attrs.field(default=None, init=False)
    _attempts: int = attrs.field(default=1, init=False)

    async def chunks(self) -> AsyncGenerator[bytes]:
        """Yield the bytes as they come; nothing is sent before the first bytes are requested.

        Raises:
            FileTooLargeError: The file has more than `max_bytes` bytes.
            DecodeError: The body is not what the server announced, or a redirect is not followed.
            DeadlineExceededError: `timeout` has passed.
            AgentPlatformError: The connection broke off, and the rest could not be fetched; or any other error of a
                call.
        """
        self._runtime = self._open_runtime()
        policy = policy_of(self._prepared.options, self._configuration.retry)
        self._retries = Retries(policy, self._prepared.operation, self._runtime.rate_limiter.retry_quota)
        self._deadline = self._runtime.loop.time() + (self._settings.timeout or math.inf)
        self._stream = await self._in_time(self._open(IDENTITY if self._settings.resume else {}))
        try:
            self._read_size()
            while (chunk := await self._next()) is not None:
                if self._settings.checksum is not None:
                    self._settings.checksum(chunk)
                yield chunk
            if self._retries.tokens:
                # A download without a break took no tokens, and its request has already given one back.
                self._retries.give_back()
        finally:
            await self._stream.aclose()

    def _read_size(self) -> None:
        """Read how large the file is, and whether the rest of it can be requested."""
        # If the caller has requested a range, the download consists of this range only.
        if self._prepared.operation.method != "GET" or "range" in self._prepared.headers:
            return
        if self._stream.response.status == PARTIAL_CONTENT:
            raise self._stream.response.decode_error("with a part of a file, which was not requested")
        headers = self._stream.single_headers
        length, etag = headers.get("content-length", ""), headers.get("etag", "")
        if "content-encoding" not in headers:
            self._size = int(length) if length.isdecimal() else None
            self._etag = etag if STRONG_ETAG.fullmatch(etag) else None

    async def _next(self) -> bytes | None:
        """Return the next bytes; None at the end."""
        while True:
            try:
                return await self._in_time(self._read())
            except ConnectionFailedError as error:
                await self._resume(error)

    async def _read(self) -> bytes | None:
        """Return the next bytes of this connection; None at the end. An end before the announced size is an error."""
        operation, limit, size = self._prepared.operation, self._settings.max_bytes, self._size
        chunk = await self._stream.read()
        self.position += len(chunk or b"")
        if limit is not None and self.position > limit:
            hint = "max_bytes= sets the limit, and save() does not hold the file in memory"
            too_large = FileTooLargeError(f"a file of more than {limit} bytes; {hint}", operation=operation)
            too_large.response = self._stream.response.to_received()
            raise too_large
        if chunk is None and size is not None and self.position != size:
            reason = f"the exchange broke off after {self.position} of {size} bytes"
            raise ConnectionFailedError(reason, operation=operation, may_have_arrived=True)
        return chunk

    async def _resume(self, error: ConnectionFailedError) -> None:
        """Request the rest after the connection broke off; raise *error* if it cannot be fetched."""
        await self._stream.aclose()
        if self._etag is None or self._size is None:
            raise error
        await self._in_time(self._wait_after(Failure(error), self._attempts, self._deadline))
        self._attempts += 1
        headers = {**IDENTITY, "range": f"bytes={self.position}-", "if-range": self._etag}
        self._stream = await self._in_time(self._open(headers))
        status, rest = self._stream.response.status, self._stream.single_headers
        is_rest = rest.get("content-range") == f"bytes {self.position}-{self._size - 1}/{self._size}"
        # The request had the ETag in If-Range. So the server has compared it, even if the response has no ETag.
        if status != PARTIAL_CONTENT or not is_rest or rest.get("etag", self._etag) != self._etag:
            raise error.remark("the server did not send the rest of the file")

    async def _open(self, headers: dict[str, str]) -> StreamedResponse:
        """Send the request, and follow its redirects if the caller wants that.

        Args:
            headers: Headers besides the headers of the call, such as Range; they are also sent to the hosts of
                redirects.
        """
        prepared = self._prepared
        is_get = prepared.operation.method == "GET"
        opening = prepared._replace(headers={**prepared.headers, **headers}, returns_redirects=is_get)
        stream = await self._run(opening)
        url = self._configuration.base_url + prepared.target
        redirects = 0
        while stream.response.status in REDIRECTS:
            await stream.aclose()
            if redirects == MAX_REDIRECTS:
                reason = f"with more than {MAX_REDIRECTS} redirects, which are not followed"
                raise stream.response.decode_error(reason)
            redirects += 1
            url = self._read_redirect(stream, url)
            stream = await self._in_time(self._fetch(url, headers), self._retries.policy.deadline, urlsplit(url).netloc)
        return stream

    def _read_redirect(self, stream: StreamedResponse, base: str) -> str:
        """Return the URL to which a redirect leads.

        The URL is built anew, with one of the hosts that the caller has allowed.

        Raises:
            DecodeError: The redirect is not followed; the message shows no query and no user information.
        """
        hosts, location = self._settings.hosts, stream.single_headers.get("location", "")
        try:
            parts = urlsplit(urljoin(base, quote(location, safe=string.punctuation))) if location else None
        except ValueError:
            parts = None
        hint = "only a single https address is followed"
        if parts is not None and parts.scheme == "https":
            host = normalize_host(parts.netloc)
            if host in hosts:
                return parts._replace(netloc=host, path=parts.path or "/", fragment="").geturl()
            hint = f"follow=True, hosts=[{host.rpartition('@')[2]!r}] would follow it, without the credential"
        reason = f"with a redirect to {public_part(location) or 'nowhere'}, which is not followed ({hint})"
        raise stream.response.decode_error(truncate(stream.response.redact(reason), 300))

    async def _fetch(self, url: str, headers: dict[str, str]) -> StreamedResponse:
        """Send a GET to another server, with the retries of the policy, but without the credential of the API."""
        operation = self._prepared.operation
        timeout = timeout_of(self._prepared.options, self._configuration.timeout)
        host = urlsplit(url).netloc
        began = self._runtime.loop.time()
        number = 0
        while True:
            number += 1
            outcome = await self._runtime.sender.fetch(url, host, headers, Attempt(operation, number, timeout, began))
            if isinstance(outcome, StreamedResponse):
                self._runtime.close_with_client(outcome)
                return outcome
            if not isinstance(outcome, Failure):
                # The body of another server's error is not read: it may quote the signed URL.
                error = make_problem(outcome, STORAGE_ERRORS)
                where = f"from {self._configuration.redact(host)}, to which the download was redirected"
                error.args = (f"{operation}: {error.status} {error.title} {where}",)
                outcome = Failure(error)
            await self._wait_after(outcome, number, began + self._retries.policy.deadline)

    async def _wait_after(self, failure: Failure, attempt: int, deadline: float) -> None:
        """Wait before another attempt, or raise the error if this attempt was the last."""
        delay = self._retries.plan(failure.error, attempt, deadline - self._runtime.loop.time())
        if delay is None:
            raise failure.error
        await asyncio.sleep(delay)

    async def _in_time(self, job: Coroutine[Any, Any, T], limit: float = math.inf, host: str = "") -> T:
        """Await a job until the deadline of the file, and a response of another host for at most *limit* seconds."""
        time_left = self._deadline - self._runtime.loop.time()
        try:
            return await self._runtime.while_open(job, at_most=min(limit, time_left))
        except TimeUpError:
            reason = f"the file was not complete within {self._settings.timeout or math.inf:g} s"
            if limit < time_left:
                reason = f"{self._configuration.redact(host)} did not respond within {limit:g} s"
            raise DeadlineExceededError(reason, operation=self._prepared.operation) from None
