"""JSON Lines (NDJSON): one value for each line of a response, as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, Generic, TypeVar

from .._api import JsonLines, Operation
from ..errors import DecodeError
from ..text import begin_body, quote_body
from .bounds import TooManyValuesError
from .decode import parse
from .json_parser import LARGE
from .response import StreamedResponse

T = TypeVar("T")

# RFC 7464 begins each text with this character.
RECORD_SEPARATOR = b"\x1e"

# What a line costs besides its bytes: the event loop runs after LARGE bytes of lines.
LINE = 256

# So much of a line is kept for the error about it.
QUOTED = 64 * 1024

JSON = "application/json"


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
        number = since_step = 0
        rest = bytearray()
        async with aclosing(await self._fetch()) as stream:
            async for chunk in stream:
                begin, searched = 0, len(rest)
                rest += chunk
                while (end := rest.find(b"\n", searched)) >= 0:
                    line = bytes(rest[begin:end])
                    begin = searched = end + 1
                    number += 1
                    since_step += len(line) + LINE
                    if since_step > LARGE:
                        # The lines of a chunk come without a pause.
                        since_step = 0
                        await asyncio.sleep(0)
                    if line.strip():
                        yield await self._value(line, number, stream.status)
                del rest[:begin]
                if len(rest) > self._max_line:
                    why = f"a line of more than {self._max_line} bytes"
                    raise self._error(why, bytes(rest[:QUOTED]), number + 1, stream.status)
            if rest.strip():
                yield await self._value(bytes(rest), number + 1, stream.status)

    async def _value(self, line: bytes, number: int, status: int) -> T:
        try:
            return self._decode(await parse(line.strip().lstrip(RECORD_SEPARATOR)))
        except RecursionError:
            why = "a line that is nested too deeply"
        except (TooManyValuesError, TypeError) as error:
            why = f"a line with {error}"
        except ValueError:
            why = "a line that is not JSON"
        raise self._error(f"{why}, beginning {quote_body(line, JSON, self._redact)}", line, number, status)

    def _error(self, why: str, line: bytes, number: int, status: int) -> DecodeError:
        return DecodeError(
            f"{status} with {why} (line {number})",
            operation=self._operation,
            status=status,
            body=begin_body(line, JSON, self._redact),
        )
