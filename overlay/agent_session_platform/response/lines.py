"""JSON Lines (NDJSON): one value for each line of a response, as they come."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, Generic, TypeVar

from .._api import JsonLines, Operation
from ..errors import DecodeError
from ..text import quote_body
from .json_parser import parse_json
from .response import StreamedResponse

T = TypeVar("T")

# RFC 7464 begins each text with this character.
RECORD_SEPARATOR = b"\x1e"


class ResponseLines(JsonLines[T], Generic[T]):
    """The values of a response in JSON Lines, fetched when it is iterated over; each iteration fetches them again.

    Args:
        operation: The operation.
        fetch: Sends the request and returns the response with its body still to be read.
        decode: Makes a T of the JSON of a line.
        max_line: Upper bound in bytes of a line.
        redact: Takes the credential out of a text of the server.
    """

    def __init__(
        self,
        operation: Operation,
        fetch: Callable[[], Awaitable[StreamedResponse]],
        decode: Callable[[Any], T],
        max_line: int,
        redact: Callable[[str], str],
    ) -> None:
        self._operation = operation
        self._fetch = fetch
        self._decode = decode
        self._max_line = max_line
        self._redact = redact

    def __repr__(self) -> str:
        return f"<JsonLines of {self._operation}>"

    async def __aiter__(self) -> AsyncIterator[T]:
        """Iterate over the values as they come; an empty line is skipped.

        Raises:
            DecodeError: A line is not JSON, or longer than the client's `max_body`; the message names the line.
            AgentPlatformError: The response could not be fetched, or broke off.
        """
        number = 0
        rest = bytearray()
        async with aclosing(await self._fetch()) as stream:
            async for chunk in stream:
                rest += chunk
                if b"\n" in chunk:
                    *lines, last = rest.split(b"\n")
                    rest = bytearray(last)
                    for line in lines:
                        number += 1
                        if line.strip():
                            yield self._value(bytes(line), number, stream.status)
                if len(rest) > self._max_line:
                    raise self._error(f"a line of more than {self._max_line} bytes", number + 1, stream.status)
            if rest.strip():
                yield self._value(bytes(rest), number + 1, stream.status)

    def _value(self, line: bytes, number: int, status: int) -> T:
        try:
            return self._decode(parse_json(line.strip().lstrip(RECORD_SEPARATOR)))
        except (ValueError, RecursionError):
            quoted = quote_body(line, "application/json", self._redact)
            raise self._error(f"a line that is not JSON, beginning {quoted}", number, status) from None

    def _error(self, why: str, number: int, status: int) -> DecodeError:
        return DecodeError(f"{status} with {why} (line {number})", operation=self._operation, status=status)
