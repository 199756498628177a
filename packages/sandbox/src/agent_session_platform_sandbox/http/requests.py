"""Requests: bodies that are read as a whole, up to a limit, and paths as they were sent."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

from starlette.datastructures import Headers

from ..problems import RefusedError

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope

# Bytes of a body that are read; a longer one is refused.
MAX_BODY: Final = 32 * 1024 * 1024
# Seconds for each part of a body to come.
PART_SECONDS: Final = 30.0
# More digits than the length of any body has.
MAX_DIGITS: Final = 18
# Characters of a segment that need no encoding (RFC 3986), besides letters, digits, -._~ and the comma.
SEGMENT = "!$&'()*+;=:@"
# Characters of a path that is compared: the time grows with the square of its length.
MAX_COMPARED = 500


class BufferedRequest:
    """An ASGI `receive` that reads the whole request first and passes it on in one message.

    A server that responds before it has read the whole request may lose the response.

    Args:
        scope: The ASGI scope of the request.
        receive: The `receive` of the server.
        limit: Bytes of the body that are read.

    Attributes:
        body: What was read of the body.
    """

    def __init__(self, scope: Scope, receive: Receive, limit: int = MAX_BODY) -> None:
        self._headers = Headers(scope=scope)
        self._receive = receive
        self._limit = limit
        self._passed_on = False
        self.body = bytearray()

    async def read(self) -> bool:
        """Read the whole body; return False if the client has disconnected.

        Raises:
            RefusedError: 413 if the body is longer than the limit; no more than that is read, and nothing if the
                header names the length. 400 if the headers contradict each other. 408 if a part of it does not come.
        """
        if self._declared_length() > self._limit:
            raise self._too_large()
        while True:
            try:
                async with asyncio.timeout(PART_SECONDS):
                    message = await self._receive()
            except TimeoutError:
                raise self._refusal(408, f"no part of the body came for {PART_SECONDS:g} s") from None
            if message["type"] == "http.disconnect":
                return False
            part: bytes = message.get("body", b"")
            if len(self.body) + len(part) > self._limit:
                self.body.clear()
                raise self._too_large()
            self.body += part
            if not message.get("more_body"):
                return True

    async def __call__(self) -> Message:
        """Return the whole request at the first call, and later messages after it."""
        if self._passed_on:
            return await self._receive()
        self._passed_on = True
        return {"type": "http.request", "body": bytes(self.body), "more_body": False}

    def _declared_length(self) -> int:
        given = self._headers.getlist("content-length")
        if not given:
            return 0
        length = given[0].strip()
        if len({*given}) > 1 or not (length.isascii() and length.isdigit()):
            raise self._refusal(400, "the Content-Length header must be one whole number")
        if "transfer-encoding" in self._headers:
            raise self._refusal(400, "a request has either Content-Length or Transfer-Encoding, not both")
        return int(length[: MAX_DIGITS + 1])

    def _too_large(self) -> RefusedError:
        detail = (
            f"the body is longer than {self._limit} bytes; --max-body, in Python Sandbox(max_body=...), allows more"
        )
        return self._refusal(413, detail)

    def _refusal(self, status: int, detail: str) -> RefusedError:
        # What was not read would be taken for the next request.
        return RefusedError(status, detail, headers={"Connection": "close"})


def path_as_sent(scope: Scope) -> str:
    """Return the path of a request in one unique encoding: a slash inside a name stays encoded."""
    path: str = scope["path"]
    sent: bytes | None = scope.get("raw_path")
    if sent is None:
        return quote(path)
    if b"%" not in sent:
        return path
    return "/".join(map(_encode_once, sent.decode("ascii", "replace").split("/")))


def _encode_once(segment: str) -> str:
    # A comma separates the items of an array, one inside an item is encoded.
    return ",".join(quote(unquote(item), safe=SEGMENT) for item in segment.split(","))


def path_suggestion(path: str, templates: Iterable[str]) -> str:
    """Return "; did you mean ...?" with the closest path of the contract, or an empty string."""
    given = path.split("/")
    # The parameters of a template are filled from the path, because any value fits them.
    filled = {_fill(template, given): template for template in templates}
    if path.endswith("/") and path.rstrip("/") in {_fill(template, given) for template in templates}:
        return "; remove the slash at the end"
    close = difflib.get_close_matches(path, filled, n=1, cutoff=0.5) if len(path) <= MAX_COMPARED else []
    return f"; did you mean {filled[close[0]]!r}?" if close else ""


def _fill(template: str, given: list[str]) -> str:
    parts = template.split("/")
    return "/".join(
        given[index] if part.startswith("{") and index < len(given) else part for index, part in enumerate(parts)
    )
