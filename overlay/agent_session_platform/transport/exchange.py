"""Exchange a request for its outcome: what every transport has in common."""

from __future__ import annotations

import asyncio
import functools
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ..errors import DecodeError
from ..response.compression import BrokenBodyError, decompress
from ..response.received import describe_response
from ..response.response import REDIRECTS, Failure, Outcome, Response, StreamedResponse
from .headers import cache_headers, user_agent
from .interface import TransportRequest, UnwrittenError
from .streams import CHUNKS_OF_A_STEP, STREAM_HEADERS, ClosingResponses, single_values, stream_body
from .translate import ErrorTranslator

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from contextlib import AbstractContextManager

    from ..configuration import Configuration
    from ..network.routes import Routes
    from ..request.credentials import Credential
    from ..request.multipart import MultipartForm
    from ..request.prepare import PreparedRequest
    from ..response.redirect import RedirectTarget
    from .interface import Headers, Transport, TransportResponse

# httpx refuses a longer one, and no server is known that accepts it.
LONGEST_URL = 65_536

READ_HEADERS = (b"content-type", b"content-encoding", b"retry-after", b"location")

# More than this of the body of an error is not read.
MAX_ERROR_BODY = 1024 * 1024

# So much of a body is kept for an error about it.
BEGINNING = 64 * 1024

NO_FORM = nullcontext()


class Exchange:
    """The exchanges of a client, each of one request for one outcome.

    Args:
        configuration: The settings of the client.
        transport: What sends; closed with this one.
        routes: The proxies that the transport sends through.

    Attributes:
        outlives_callers: As of the transport.
    """

    def __init__(self, configuration: Configuration, transport: Transport, routes: Routes) -> None:
        self._transport = transport
        self.outlives_callers = transport.outlives_callers
        self._base_url = configuration.base_url
        self._max_body = configuration.max_body
        self._unchecked = min(self._max_body, MAX_ERROR_BODY)
        self._redact = configuration.redact
        self._errors = ErrorTranslator(configuration, transport, routes)
        self._agent = user_agent(transport.library, configuration.user_agent)
        self._defaults = {name.lower(): value.strip() for name, value in (configuration.default_headers or {}).items()}
        self._credential: Credential | None = None
        self._closing = ClosingResponses()

    async def send(
        self, request: PreparedRequest, credential: Credential, attempt: int, timeout: float, began: float = 0.0
    ) -> Outcome:
        """Send a request once.

        Args:
            request: The request.
            credential: The credential to send; it may be another one at the next attempt.
            attempt: Number of the attempt within its call, from 1.
            timeout: Seconds without a byte (connect, read, write) after which to give up.
            began: When the call began, by the clock of the event loop.

        Returns:
            The whole response; a StreamedResponse for a success of an operation that returns a file; a Failure with
            an AgentPlatformError when no response came.
        """
        if credential is not self._credential:
            # No headers with a credential that was replaced are kept.
            self._credential, self._headers = credential, cache_headers(self._agent, self._defaults, credential)
        sent, response = False, None
        try:
            with open_files(request) if request.files else NO_FORM as form:
                made = self._make_request(request, attempt, form, timeout)
                sent = True
                response = await self._transport.send(made)
            headers = read_headers(response.headers, READ_HEADERS)
            status = response.status
            if status == 407 and (refusal := self._errors.refused_by_proxy(request.operation)):
                await response.close()
                return Failure(refusal)
            if request.operation.streamed and (200 <= status < 300 or (request.redirects and status in REDIRECTS)):
                return self._open_stream(response, request, timeout, self._errors, attempt, began)
            content = response.content
            if content is None or len(content) > self._unchecked or b"content-encoding" in headers:
                content = await self._read(response, headers, request)
            else:
                await response.close()
        except Exception as error:
            if not sent:
                return Failure(self._errors.unwritten(error, request.operation))
            failure = self._errors.translate(error, request.operation, timeout)
            if response is not None and isinstance(failure, DecodeError):
                elapsed = asyncio.get_running_loop().time() - began
                received = Response(response.status, headers=response.headers, attempts=attempt, elapsed=elapsed)
                failure.response = describe_response(received, request.operation, self._redact)
            return Failure(failure)
        return Response(
            status,
            ", ".join(headers.get(b"content-type", ())),
            read_wait(response) if b"retry-after" in headers or status == 429 else None,
            ", ".join(headers.get(b"location", ())),
            content,
            response.headers,
            attempt,
            asyncio.get_running_loop().time() - began,
        )

    async def fetch(
        self, request: PreparedRequest, target: RedirectTarget, headers: Mapping[str, str], timeout: float
    ) -> Outcome:
        """Send a GET to another server once: without the credential, and without any cookie or header of the caller.

        Certificates are verified as for the platform. No outcome shows the path or the query of the target.

        Args:
            request: The request of the download that was redirected.
            target: Where it was redirected to.
            headers: Headers besides User-Agent and Accept.
            timeout: Seconds without a byte (connect, read, write) after which to give up.

        Returns:
            A StreamedResponse for a success or a redirect; a Response without a body for any other status; a Failure
            when no response came.
        """
        began = asyncio.get_running_loop().time()
        errors = self._errors.for_redirect_target(target.authority)
        try:
            agent = user_agent(self._transport.library)
            sent = {"user-agent": agent, "accept-encoding": "identity", "accept": "*/*", **headers}
            made = TransportRequest("GET", target.url, tuple(sent.items()), b"", timeout, redirected=True)
            response = await self._transport.send(made)
            if 200 <= response.status < 300 or response.status in REDIRECTS:
                return self._open_stream(response, request, timeout, errors, 1, began)
            await response.close()
        except Exception as error:
            # Without its traceback, whose frames have the URL.
            return Failure(errors.translate(error, request.operation, timeout).with_traceback(None))
        return Response(response.status, retry_after=read_wait(response))

    def _make_request(
        self, request: PreparedRequest, attempt: int, form: MultipartForm | None, timeout: float
    ) -> TransportRequest:
        """Make the request of an attempt."""
        media_type = form.media_type if form is not None else request.media_type
        write_headers = self._headers if form is None else self._headers.__wrapped__
        headers: Headers = write_headers(attempt, request.accept, media_type)
        if request.headers:
            headers = tuple({**dict(headers), **request.headers}.items())
        url = self._base_url + request.target
        if len(url) > LONGEST_URL:
            raise UnwrittenError("URL too long")
        return TransportRequest(
            request.operation.method,
            url,
            headers,
            form if form is not None else request.content or b"",
            timeout,
        )

    async def _read(
        self, response: TransportResponse, headers: Mapping[bytes, list[str]], request: PreparedRequest
    ) -> bytes:
        """Read a whole body; that of an error may break off or be too large, because its status is enough."""
        content: bytes | bytearray = b""
        count = 0
        is_error = response.status >= 400
        limit = min(self._max_body, MAX_ERROR_BODY) if is_error else self._max_body
        content_type = ", ".join(headers.get(b"content-type", ()))
        try:
            codings = headers.get(b"content-encoding")
            async for chunk in decompress(response.chunks, ",".join(codings)) if codings else response.chunks:
                if not content:
                    content = chunk
                else:
                    # Bytes one by one would take eight times their size in a list.
                    content = bytearray(content) if content.__class__ is bytes else content
                    content += chunk
                if len(content) > limit and is_error:
                    break
                if len(content) > limit:
                    first = bytes(content[:BEGINNING])
                    raise self._errors.too_large(response.status, first, content_type, request.operation)
                count += 1
                if count % CHUNKS_OF_A_STEP == 0:
                    await asyncio.sleep(0)
        except BrokenBodyError as error:
            if not is_error:
                error.beginning = bytes(content[:BEGINNING]) or error.beginning
                raise self._errors.broken_body(error, response.status, content_type, request.operation) from None
        except Exception as error:
            if not (is_error and self._errors.covers(error)):
                raise
        finally:
            await response.close()
        return bytes(content if len(content) <= limit else content[:limit])

    def _open_stream(
        self,
        response: TransportResponse,
        request: PreparedRequest,
        timeout: float,
        errors: ErrorTranslator,
        attempt: int,
        began: float,
    ) -> StreamedResponse:
        """Return a response whose body is still to be read."""
        headers = read_headers(response.headers, (*STREAM_HEADERS, b"content-type"))
        return StreamedResponse(
            response.status,
            stream_body(response, headers, request, timeout, errors),
            functools.partial(self._closing.close, response, errors),
            fields=single_values(headers),
            headers=response.headers,
            attempts=attempt,
            elapsed=asyncio.get_running_loop().time() - began,
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()


def open_files(request: PreparedRequest) -> AbstractContextManager[MultipartForm]:
    """Open the files of a form for one attempt."""
    # Imported with the first upload, because it would add to the start-up of every program.
    from ..request.upload import open_form

    return open_form(request.form, request.files)


def read_wait(response: TransportResponse) -> float | None:
    """Return the seconds that a response asks to wait; None when it does not."""
    # Imported with the first refusal, because it would add to the start-up of every program.
    from ..response.retry_after import WAIT_HEADERS, seconds_to_wait

    return seconds_to_wait(
        read_headers(response.headers, WAIT_HEADERS), datetime.now(UTC), hints=response.status == 429
    )


def read_headers(headers: Sequence[tuple[bytes, bytes]], names: Collection[bytes]) -> dict[bytes, list[str]]:
    """Return the values of the headers that are asked for, by lower-case name, each as often as it came."""
    found: dict[bytes, list[str]] = {}
    for name, value in headers:
        key = name.lower()
        if key in names:
            try:
                text = value.decode()
            except UnicodeDecodeError:
                text = value.decode("latin-1")
            found.setdefault(key, []).append(text)
    return found
