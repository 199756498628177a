"""Proxies of httpx and httpx2: what fails before a request was begun, and credentials that their log would show."""

from __future__ import annotations

from typing import Any


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
        library = self._library
        progress = request.extensions["trace"] = Progress()
        try:
            return await self._transport.handle_async_request(request)
        except Exception as error:
            if progress.begun:
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
    """

    def __init__(self) -> None:
        self.stream: Any = None
        self.begun = False

    async def __call__(self, event: str, about: Any) -> None:
        """Take an event of httpcore."""
        if event.endswith(".connect_tcp.complete"):
            self.stream = about["return_value"]
        elif event.endswith(".send_request_headers.started") and about["request"].method != b"CONNECT":
            self.begun = True


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
