"""Proxies of httpx and httpx2: what fails before a request was begun, and credentials that their log would show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class ProxiedTransport:
    """A transport through a proxy that connects to the server: what fails before the request is the connection.

    Args:
        library: The module `httpx` or `httpx2`.
        transport: Its transport.
    """

    def __init__(self, library: Any, transport: Any) -> None:
        self._library = library
        self._transport = transport
        self.aclose = transport.aclose

    async def handle_async_request(self, request: Any) -> Any:
        """Send a request; see `httpx.AsyncBaseTransport`."""
        return await send_watched(self._library, request, self._transport.handle_async_request)


async def send_watched(library: Any, request: Any, send: Callable[[Any], Awaitable[Any]]) -> Any:
    """Send a request, and turn what fails before it was begun into an error of connecting.

    Args:
        library: The module `httpx` or `httpx2`.
        request: Its request. Of one with an extension `trace` already, nothing is known.
        send: Sends it through a transport, or a client of the caller with hooks and transports of its own.
    """
    progress = request.extensions.setdefault("trace", Progress())
    try:
        return await send(request)
    except Exception as error:
        if not isinstance(progress, Progress) or not progress.has_ended_with(error):
            raise
        if progress.stream is not None:
            # Some versions leave it open.
            await progress.stream.aclose()
        if isinstance(error, library.ReadTimeout | library.WriteTimeout):
            raise library.ConnectTimeout(str(error)) from error
        if isinstance(error, library.ReadError | library.WriteError | library.RemoteProtocolError):
            raise library.ProxyError(f"{type(error).__name__}: {error}") from error
        raise


class Progress:
    """The progress of a request: an extension `trace` of httpcore.

    Attributes:
        stream: The connection to the proxy, if one was made for the request.
        begun: Whether the request itself was begun.
        failure: The error of httpcore that came last before that.
    """

    def __init__(self) -> None:
        self.stream: Any = None
        self.begun = False
        self.failure: BaseException | None = None

    async def __call__(self, event: str, about: Any) -> None:
        """Take an event of httpcore."""
        if event.endswith(".connect_tcp.complete"):
            self.stream = about["return_value"]
        elif event.endswith(".send_request_headers.started") and about["request"].method != b"CONNECT":
            self.begun = True
        elif event.endswith(".failed"):
            self.failure = about["exception"]

    def has_ended_with(self, error: BaseException) -> bool:
        """Return whether an error is the one that came before the request was begun.

        A hook or a transport of the caller may send without the extension, so its silence says nothing.
        """
        below: BaseException | None = error
        while below is not None and below is not self.failure:
            below = below.__cause__ or below.__context__
        return below is not None and not self.begun


class HiddenText(str):
    """The user name or the password of a proxy: httpcore writes those for SOCKS into its log."""

    __slots__ = ()

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> HiddenBytes:
        """Return it as bytes that are hidden as well."""
        return HiddenBytes(super().encode(encoding, errors))

    def __repr__(self) -> str:
        return "[hidden]"


class HiddenBytes(bytes):
    """Bytes that are in no repr."""

    def __repr__(self) -> str:
        return "[hidden]"
