"""One exchange: a request goes out, an answer or an error of ours comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import httpx

from ..errors import (
    AgentPlatformError,
    ConfigurationError,
    DecodeError,
    InvalidArgumentError,
)
from ..request.upload import opened
from ..response.compression import BrokenBodyError, decoded
from ..response.response import Answer
from ..response.retry_after import longest
from ..response.stream import Stream
from ..text import beginning, excerpt
from .connections import ClientConnections, Connections, DirectConnections
from .translate import is_foreign, translate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Mapping

    from ..configuration import Configuration
    from ..request.arguments import Prepared

R = TypeVar("R")

Fields: TypeAlias = dict[bytes, list[str]]

TOLD_LENGTH = 200

NO_FILES: Mapping[str, Any] = {}

# The headers of an answer that are read; httpx looks through all of them for each one that is asked for.
READ = (b"content-type", b"content-encoding", b"retry-after", b"location")


class Transport:
    """Sends prepared requests to one address with one credential, by httpx."""

    def __init__(
        self,
        configuration: Configuration,
        *,
        max_connections: int,
        max_body: int,
        transport: httpx.AsyncBaseTransport | str | None,
        http_client: httpx.AsyncClient | None,
    ) -> None:
        self._base_url = configuration.base_url
        self._redact = configuration.credential.redact
        self._max_body = max_body
        if not isinstance(http_client, httpx.AsyncClient | None):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise ConfigurationError(f"http_client must be an httpx.AsyncClient, not {type(http_client).__name__}")
        if not isinstance(transport, httpx.AsyncBaseTransport | str | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigurationError(f"transport must be an httpx.AsyncBaseTransport, not {type(transport).__name__}")
        self._connections: Connections = (
            DirectConnections(configuration, max_connections, transport)
            if http_client is None
            else ClientConnections(configuration, http_client)
        )

    async def send(self, prepared: Prepared, attempt: int, silence: float) -> Answer:
        """Send once, as try number *attempt* of a call, and read the whole answer; raises an AgentPlatformError."""
        return await self._told(self._whole(prepared, attempt, silence), prepared, silence)

    async def stream(self, prepared: Prepared, attempt: int, silence: float) -> Answer | Stream:
        """Send once, and give the body of a success as a stream, any other answer whole; raises as `send` does."""
        return await self._told(self._begun(prepared, attempt, silence), prepared, silence)

    async def _told(self, exchange: Awaitable[R], prepared: Prepared, silence: float) -> R | Answer:
        """What an exchange comes to, with its errors as ours."""
        try:
            return await exchange
        except httpx.HTTPStatusError as error:
            # Raised by a hook of the user's own; the status has said what counts.
            return self._answer(error.response, fields_of(error.response), b"")
        except Exception as error:
            failure = self._translate(error, prepared, silence)
            if failure is None:
                raise
        # Raised out here, without httpx's error: the frames of that hold the credential, and would go with ours.
        try:
            raise failure
        finally:
            del failure

    async def _whole(self, prepared: Prepared, attempt: int, silence: float) -> Answer:
        return await self._read(await self._open(prepared, attempt, silence), prepared)

    async def _begun(self, prepared: Prepared, attempt: int, silence: float) -> Answer | Stream:
        response = await self._open(prepared, attempt, silence)
        if not response.is_success:
            return await self._read(response, prepared)
        return Stream(response.status_code, self._chunks(response, prepared, silence), response.aclose)

    async def _chunks(self, response: httpx.Response, prepared: Prepared, silence: float) -> AsyncIterator[bytes]:
        """The body, decoded, piece by piece; raises an AgentPlatformError."""
        try:
            async for chunk in self._body(response, fields_of(response)):
                yield chunk
            return
        except BrokenBodyError as error:
            failure: AgentPlatformError = self._broken(error, response, prepared)
        except Exception as error:
            translated = self._translate(error, prepared, silence)
            if translated is None:
                raise
            failure = translated
        raise failure

    async def _open(self, prepared: Prepared, attempt: int, silence: float) -> httpx.Response:
        if prepared.files:
            with opened(prepared.files) as files:
                return await self._connections.send(self._written(prepared, attempt, files, silence))
        return await self._connections.send(self._written(prepared, attempt, NO_FILES, silence))

    def _written(self, prepared: Prepared, attempt: int, files: Mapping[str, Any], silence: float) -> httpx.Request:
        try:
            return self._connections.write(prepared, attempt, files, silence)
        except (httpx.InvalidURL, UnicodeError) as error:
            told = excerpt(self._redact(str(error)), TOLD_LENGTH)
        raise InvalidArgumentError(f"the request cannot be written ({told})", operation=prepared.operation)

    async def _read(self, response: httpx.Response, prepared: Prepared) -> Answer:
        fields = fields_of(response)
        try:
            content = await self._content(response, fields, prepared)
        finally:
            await response.aclose()
        return self._answer(response, fields, content)

    def _answer(self, response: httpx.Response, fields: Fields, content: bytes) -> Answer:
        return Answer(
            response.status_code,
            self._redact(", ".join(fields.get(b"content-type", ()))),
            longest(fields.get(b"retry-after", [])),
            self._redact(", ".join(fields.get(b"location", ()))),
            content,
        )

    async def _content(self, response: httpx.Response, fields: Fields, prepared: Prepared) -> bytes:
        chunks: list[bytes] = []
        size = 0
        status = response.status_code
        try:
            async for chunk in self._body(response, fields):
                size += len(chunk)
                if size > self._max_body:
                    raise self._too_large(response, prepared, chunks[0] if chunks else chunk)
                chunks.append(chunk)
        except BrokenBodyError as error:
            # Of an error the status has said what counts.
            if status < 400:
                raise self._broken(error, response, prepared) from None
        except Exception as error:
            if status < 400 or not (is_foreign(error) or isinstance(error, AgentPlatformError)):
                raise
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)

    def _body(self, response: httpx.Response, fields: Fields) -> AsyncIterator[bytes]:
        """The body as it comes, decoded; raises BrokenBodyError."""
        if response.is_stream_consumed:
            # Of a transport that gives bodies as a whole, such as a mock: httpx has decoded it.
            return response.aiter_bytes()
        body = aiter(self._connections.body(response))
        codings = fields.get(b"content-encoding")
        return decoded(body, ",".join(codings)) if codings else body

    def _too_large(self, response: httpx.Response, prepared: Prepared, first: bytes) -> DecodeError:
        status = response.status_code
        begins = beginning(first, response.headers.get("Content-Type", ""), self._redact)
        return DecodeError(
            f"{status} with a body of more than {self._max_body} bytes, beginning {begins}; "
            "AgentPlatform(max_body=...) sets the limit",
            operation=prepared.operation,
            status=status,
        )

    def _broken(self, error: BrokenBodyError, response: httpx.Response, prepared: Prepared) -> DecodeError:
        status, why = response.status_code, excerpt(self._redact(str(error)))
        told = f"{status} with a body that does not fit its Content-Encoding ({why})"
        return DecodeError(told, operation=prepared.operation, status=status)

    def _translate(self, error: Exception, prepared: Prepared, silence: float) -> AgentPlatformError | None:
        if not is_foreign(error):
            return None
        told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return translate(error, prepared, self._base_url, excerpt(self._redact(told), TOLD_LENGTH), silence)

    async def aclose(self) -> None:
        """Close the connections, unless the httpx client is the user's own."""
        await self._connections.aclose()


def fields_of(response: httpx.Response) -> Fields:
    """The headers of READ, each as often as it came."""
    found: Fields = {}
    for name, value in response.headers.raw:
        key = name.lower()
        if key in READ:
            found.setdefault(key, []).append(text_of(value))
    return found


def text_of(value: bytes) -> str:
    """A header's value: UTF-8 where it is that, and else what has a letter for each byte."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
