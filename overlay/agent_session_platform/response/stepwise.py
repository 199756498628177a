"""Parse a large body in steps, between which the event loop runs: nothing else can run while `json` parses."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Generator
from typing import Any, TypeAlias

from .json_parser import LARGE, fast_parser, parse_json

# msgspec is 4 times faster than `json`, so the limit is 4 times higher.
LARGE_FOR_FAST = 4 * LARGE

# The event loop runs after this many characters, about two milliseconds.
STEP = 256 * 1024

WHITESPACE = re.compile(r"[ \t\n\r]*")

# Yields its place in the text after each step, and returns a value with the place after it.
Steps: TypeAlias = Generator[int, None, tuple[Any, int]]


def is_large(content: bytes) -> bool:
    """Return whether parsing *content* at once would stop the event loop for more than a few milliseconds."""
    size = len(content)
    return size > LARGE and (size > LARGE_FOR_FAST or fast_parser() is None)


async def parse_stepwise(content: bytes) -> Any:
    """Parse as `parse_json` does, and let the event loop run every few milliseconds.

    The steps are the members of an array at the top, or in an object at the top, as in a page of a list. A single
    member is parsed at once.

    Raises:
        ValueError: The body is not JSON.
        RecursionError: It is nested too deeply.
    """
    try:
        parser = StepwiseParser(content.decode(json.detect_encoding(content), "surrogatepass"))
        steps = parser.document()
        paused_at = 0
        while True:
            place = next(steps)
            if place - paused_at >= STEP:
                paused_at = place
                await asyncio.sleep(0)
    except StopIteration as done:
        return done.value
    except (ValueError, IndexError, RecursionError):
        # parse_json raises the error with its usual message.
        return parse_json(content)


class StepwiseParser:
    """Parser of one text; a syntax error is a ValueError or an IndexError."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._scan: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().raw_decode
        self._names: dict[str, str] = {}

    def document(self) -> Generator[int, None, Any]:
        """Parse the whole text, and return its value."""
        place = self._skip(0)
        value, place = yield from (self._object(place) if self._text[place] == "{" else self._value(place))
        if self._skip(place) != len(self._text):
            raise ValueError("more than one value")
        return value

    def _object(self, place: int) -> Steps:
        members: dict[str, Any] = {}
        while (place := self._next(place, "}", first=not members)) > 0:
            if self._text[place] != '"':
                raise ValueError("no name")
            name, place = self._scan(self._text, place)
            place = self._skip(place)
            if self._text[place] != ":":
                raise ValueError("no colon")
            members[name], place = yield from self._value(self._skip(place + 1))
        return members, -place

    def _value(self, place: int) -> Steps:
        if self._text[place] != "[":
            value, place = self._scan(self._text, place)
            yield place
            return value, place
        values: list[Any] = []
        while (place := self._next(place, "]", first=not values)) > 0:
            value, place = self._scan(self._text, place)
            values.append(self._share_names(value))
            yield place
        return values, -place

    def _next(self, place: int, closing: str, *, first: bool) -> int:
        """Return the place of the next member; at the *closing* bracket, the negative of the place after it."""
        place = self._skip(place + first)
        if self._text[place] == closing:
            return -(place + 1)
        if first:
            return place
        if self._text[place] != ",":
            raise ValueError("no comma")
        return self._skip(place + 1)

    def _skip(self, place: int) -> int:
        found = WHITESPACE.match(self._text, place)
        return found.end() if found else place

    def _share_names(self, value: Any) -> Any:
        # `json` shares equal member names only within one call.
        if value.__class__ is not dict:
            return value
        share = self._names.setdefault
        return {share(name, name): member for name, member in value.items()}
