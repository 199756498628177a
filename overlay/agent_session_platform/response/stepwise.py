"""Parse a large body in steps, between which the event loop runs: nothing else can run while `json` parses."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Generator
from typing import Any

from .json_parser import fast_parser, parse_json

# Parsing so many bytes takes `json` some four milliseconds; msgspec is so many times faster.
LARGE = 512 * 1024
LARGE_FOR_FAST = 4 * LARGE

WHITESPACE = re.compile(r"[ \t\n\r]*")

# The event loop runs after so many characters, some two milliseconds.
STEP = 256 * 1024


def is_large(content: bytes) -> bool:
    """Return whether parsing *content* at once would stop the event loop for more than a few milliseconds."""
    size = len(content)
    return size > LARGE and (size > LARGE_FOR_FAST or fast_parser() is None)


async def parse_stepwise(content: bytes) -> Any:
    """Parse as `parse_json` does, and let the event loop run every few milliseconds.

    The steps are the members of an array at the top, or in an object at the top, as in a page of a list. A single
    member is parsed at once.

    Raises:
        ValueError: The body is no JSON.
        RecursionError: It is nested too deeply.
    """
    try:
        text = content.decode(json.detect_encoding(content), "surrogatepass")
        steps = Steps(text)
        turned_at = 0
        for place in steps.run():
            if place - turned_at >= STEP:
                turned_at = place
                await asyncio.sleep(0)
    except (ValueError, IndexError, RecursionError):
        # parse_json raises the error with its usual message.
        return parse_json(content)
    return steps.value


class Steps:
    """The parsing of one text: `run` yields its place after each step; at the end `value` is the result."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._scan: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().raw_decode
        self._names: dict[str, str] = {}
        self.value: Any = None

    def run(self) -> Generator[int]:
        """Parse step by step; raise ValueError, IndexError or RecursionError if the text is no JSON."""
        place = self._skip(0)
        if self._text[place] == "{":
            members: dict[str, Any] = {}
            self.value = members
            place = yield from self._object(members, place + 1)
        else:
            place = yield from self._value(place, self._keep)
        if self._skip(place) != len(self._text):
            raise ValueError("more than one value")

    def _keep(self, value: Any) -> None:
        self.value = value

    def _skip(self, place: int) -> int:
        found = WHITESPACE.match(self._text, place)
        return found.end() if found else place

    def _object(self, members: dict[str, Any], place: int) -> Generator[int, None, int]:
        text = self._text
        place = self._skip(place)
        if text[place] == "}":
            return place + 1
        while True:
            if text[place] != '"':
                raise ValueError("no name")
            name, place = self._scan(text, place)
            place = self._skip(place)
            if text[place] != ":":
                raise ValueError("no colon")

            def keep(value: Any, name: str = name) -> None:
                members[name] = value

            place = yield from self._value(self._skip(place + 1), keep)
            place = self._skip(place)
            if text[place] == "}":
                return place + 1
            if text[place] != ",":
                raise ValueError("no comma")
            place = self._skip(place + 1)

    def _value(self, place: int, keep: Callable[[Any], None]) -> Generator[int, None, int]:
        text = self._text
        if text[place] != "[":
            value, place = self._scan(text, place)
            keep(value)
            yield place
            return place
        values: list[Any] = []
        keep(values)
        place = self._skip(place + 1)
        if text[place] == "]":
            return place + 1
        while True:
            value, place = self._scan(text, place)
            values.append(self._with_shared_names(value))
            yield place
            place = self._skip(place)
            if text[place] == "]":
                return place + 1
            if text[place] != ",":
                raise ValueError("no comma")
            place = self._skip(place + 1)

    def _with_shared_names(self, value: Any) -> Any:
        # `json` shares equal member names only within one call.
        if value.__class__ is not dict:
            return value
        share = self._names.setdefault
        return {share(name, name): member for name, member in value.items()}
