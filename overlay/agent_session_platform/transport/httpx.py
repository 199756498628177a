"""The transport that sends through httpx."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from ..errors import AgentPlatformError, ConfigurationError, DecodeError, InvalidArgumentError
from ..request.upload import open_files
from ..response.compression import BrokenBodyError, decompress
from ..response.response import Failure, Outcome, Response, StreamedResponse, is_success
from ..response.retry_after import longest_retry_after
from ..text import quote_body, truncate, type_name
from .connections import ClientConnections, Connections, DirectConnections
from .translate import is_transport_error, translate_error

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from ..configuration import Configuration
    from ..request.prepare import PreparedRequest

MESSAGE_LENGTH = 200

# The headers that are read. httpx looks through all headers for each one that it is asked for.
READ_HEADERS = (b"content-type", b"content-encoding", b"retry-after", b"location")

Headers = dict[bytes, list[str]]


class HttpxTransport:
    """Sends prepared requests to one address with one credential, through httpx.

    Args:
        configuration: The settings of the client.
        transport: An httpx transport, "aiohttp", or None for httpx's own.
        http_client: An httpx client that the caller closes; instead of `transport`.

    Raises:
        ConfigurationError: `transport` or `http_client` is of another type.
    """

    def __init__(
        self,
        configuration: Configuration,
        transport: httpx.AsyncBaseTransport | str | None,
        http_client: httpx.AsyncClient | None,
    ) -> None:
        self._base_url = configuration.base_url
        self._redact = configuration.credential.redact
        self._max_body = configuration.max_body
        if not isinstance(http_client, httpx.AsyncClient | None):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            raise ConfigurationError(f"http_client must be an httpx.AsyncClient, not {type_name(http_client)}")
        if not isinstance(transport, httpx.AsyncBaseTransport | str | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigurationError(f"transport must be an httpx.AsyncBaseTransport, not {type_name(transport)}")
        self._connections: Connections = (
            DirectConnections(configuration, transport)
            if http_client is None
            else ClientConnections(configuration, http_client)
        )

    async def exchange(self, request: PreparedRequest, attempt: int, timeout: float) -> Outcome:
        """Send a request once; see `Transport.exchange`."""
        try:
            if not request.files:
                response = await self._connections.send(self._write(request, attempt, {}, timeout))
            else:
                with open_files(request.files) as files:
                    response = await self._connections.send(self._write(request, attempt, files, timeout))
            headers = read_headers(response)
            if request.operation.streamed and is_success(response.status_code):
                chunks = self._stream(response, headers, request, timeout)
                return StreamedResponse(response.status_code, chunks, response.aclose)
            content = await self._read(response, headers, request)
        except httpx.HTTPStatusError as error:
            # Raised by an event hook of the caller's client: the status is all that is needed.
            response, content = error.response, b""
            headers = read_headers(response)
        except Exception as error:
            return Failure(self._translate(error, request, timeout))
        return Response(
            response.status_code,
            ", ".join(headers.get(b"content-type", ())),
            longest_retry_after(headers[b"retry-after"]) if b"retry-after" in headers else None,
            ", ".join(headers.get(b"location", ())),
            content,
        )

    def _write(
        self, request: PreparedRequest, attempt: int, files: Mapping[str, Any], timeout: float
    ) -> httpx.Request:
        try:
            return self._connections.write(request, attempt, files, timeout)
        except (httpx.InvalidURL, UnicodeError) as error:
            reason = truncate(self._redact(str(error)), MESSAGE_LENGTH)
        raise InvalidArgumentError(f"the request cannot be written ({reason})", operation=request.operation)

    async def _read(self, response: httpx.Response, headers: Headers, request: PreparedRequest) -> bytes:
        """Read a whole body. The body of an error may break off: its status has said what counts."""
        chunks: list[bytes] = []
        size = 0
        is_error = response.status_code >= 400
        try:
            async for chunk in self._body(response, headers):
                size += len(chunk)
                if size > self._max_body:
                    if is_error:
                        break
                    raise self._too_large(response, request, headers, chunks[0] if chunks else chunk)
                chunks.append(chunk)
        except BrokenBodyError as error:
            if not is_error:
                raise self._broken(error, response, request) from None
        except Exception as error:
            if not (is_error and is_transport_error(error)):
                raise
        finally:
            await response.aclose()
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)

    async def _stream(
        self, response: httpx.Response, headers: Headers, request: PreparedRequest, timeout: float
    ) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._body(response, headers):
                yield chunk
            return
        except BrokenBodyError as error:
            failure: Exception = self._broken(error, response, request)
        except Exception as error:
            failure = self._translate(error, request, timeout)
        raise failure

    def _body(self, response: httpx.Response, headers: Headers) -> AsyncIterator[bytes]:
        """Return the body, decompressed; iterating raises BrokenBodyError."""
        if response.is_stream_consumed:
            # Mock responses are already read, and decoded by httpx.
            return response.aiter_bytes()
        body = aiter(self._connections.body(response))
        codings = headers.get(b"content-encoding")
        return decompress(body, ",".join(codings)) if codings else body

    def _too_large(
        self, response: httpx.Response, request: PreparedRequest, headers: Headers, first: bytes
    ) -> DecodeError:
        status = response.status_code
        beginning = quote_body(first, ", ".join(headers.get(b"content-type", ())), self._redact)
        return DecodeError(
            f"{status} with a body of more than {self._max_body} bytes, beginning {beginning}; "
            "AgentPlatform(max_body=...) sets the limit",
            operation=request.operation,
            status=status,
        )

    def _broken(self, error: BrokenBodyError, response: httpx.Response, request: PreparedRequest) -> DecodeError:
        status, reason = response.status_code, truncate(self._redact(str(error)))
        message = f"{status} with a body that does not fit its Content-Encoding ({reason})"
        return DecodeError(message, operation=request.operation, status=status)

    def _translate(self, error: Exception, request: PreparedRequest, timeout: float) -> Exception:
        """Translate a transport error into an SDK error; any other error stays what it is."""
        if isinstance(error, AgentPlatformError):
            # The locals of its traceback hold the credential, in httpx's request.
            return error.with_traceback(None)
        if not is_transport_error(error):
            return error
        message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        message = truncate(self._redact(message), MESSAGE_LENGTH)
        return translate_error(error, request.operation, self._base_url, message, timeout)

    async def aclose(self) -> None:
        """Close the connections, unless the httpx client is the caller's own."""
        await self._connections.aclose()


def read_headers(response: httpx.Response) -> Headers:
    """Return the values of the headers that are used, each as often as it came."""
    found: Headers = {}
    for name, value in response.headers.raw:
        key = name.lower()
        if key in READ_HEADERS:
            try:
                text = value.decode()
            except UnicodeDecodeError:
                text = value.decode("latin-1")
            found.setdefault(key, []).append(text)
    return found
