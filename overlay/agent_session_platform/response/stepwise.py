"""Parse a large body in steps, between which the event loop runs: nothing else can run while `json` parses.

The steps do not depend on the shape of the body. A value is parsed at once if it ends within a window of the body. A
container that does not is taken apart, and a string is parsed in pieces.
"""

from __future__ import annotations

import asyncio
import codecs
import json
import re
from collections.abc import AsyncIterator, Generator
from typing import Any, TypeAlias

from .bounds import MAX_DEPTH, ValueCounter
from .json_parser import parse_json

# The event loop runs after this many bytes, about two milliseconds. A name and a number are no longer.
STEP = 256 * 1024

# A hostile body makes windows useless: once more was parsed in vain than the body has, they are this small.
SMALL = 512

# Where a piece of a string may end is looked for in so many bytes.
TAIL = 64

# What a value that is parsed by itself costs, as the bytes of a step.
VALUE = 256

WHITESPACE = re.compile(r"[ \t\n\r]*+")
# Whole escapes, so that no piece of a string ends within one.
ESCAPED = re.compile(
    rb'(?:[^"\\]++|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}|\\u[0-9a-fA-F]{4}|\\[^u])*+', re.DOTALL
)
# The first name of an object: the members of an array often have the same one, and what they contain another one.
FIRST_NAME = re.compile(r'\{[ \t\n\r]*+"[^"\\]*+"')

BACKSLASH = ord("\\")

CLOSING = {list: "]", dict: "}"}

# Stands for a container that does not end within its window.
OPENED = object()

# Yields when the event loop should run, and returns a value.
Steps: TypeAlias = Generator[None, None, Any]


async def parse_stepwise(content: bytes) -> Any:
    """Parse as `parse_json` does, and let the event loop run every few milliseconds.

    Raises:
        ValueError: The body is not JSON, has too many values, or a name or a number of more than STEP bytes.
        RecursionError: It is nested too deeply.
    """
    encoding = json.detect_encoding(content)
    utf8: bytes | bytearray = content
    if encoding != "utf-8":
        utf8 = bytearray()
        async for piece in decode_pieces(content, encoding, "surrogatepass"):
            utf8 += piece.encode("utf-8", "surrogatepass")
    steps = StepwiseParser(utf8).document()
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value
        await asyncio.sleep(0)


async def decode_pieces(content: bytes, charset: str, errors: str) -> AsyncIterator[str]:
    """Decode a text piece by piece; the event loop runs after each."""
    decoder = codecs.getincrementaldecoder(charset)(errors)
    for place in range(0, len(content), STEP):
        yield decoder.decode(content[place : place + STEP], final=place + STEP >= len(content))
        await asyncio.sleep(0)


class StepwiseParser:
    """Parser of one text in UTF-8, of which a window is decoded at a time; a syntax error is a ValueError.

    Attributes:
        futile: Bytes of windows in which a value did not end, so that they are parsed again.
    """

    def __init__(self, content: bytes | bytearray) -> None:
        self._content = content
        self._parse = json.JSONDecoder().raw_decode
        self._counter = ValueCounter()
        # The window, where it begins in the content, whether it is the last one, and the place in it.
        self._text = ""
        self._begin = 0
        self._final = False
        self._at = 0
        # Bytes parsed since the last step.
        self._work = 0
        self.futile = 0
        # What is between two members of an array; empty while it is not known, None when it does not help.
        self._separator: bytes | None = b""
        self._comma = 0

    def document(self) -> Steps:
        """Parse the whole text, and return its value."""
        containers: list[Any] = []
        names: list[str] = []
        self._move(0)
        yield from self._skip()
        while True:
            value = yield from self._value(containers)
            if value is OPENED:
                value = [] if self._text[self._at] == "[" else {}
                containers.append(value)
                if len(containers) > MAX_DEPTH:
                    raise RecursionError
                self._separator = b""
                self._at += 1
                if (yield from self._skip()) != CLOSING[value.__class__]:
                    if value.__class__ is dict:
                        names.append((yield from self._name()))
                    continue
                self._at += 1
                containers.pop()
            while containers:
                container = containers[-1]
                is_array = container.__class__ is list
                if is_array:
                    container.append(value)
                else:
                    container[names.pop()] = value
                begin, end = self._begin, self._at
                character = yield from self._skip()
                if character == ",":
                    self._at += 1
                    yield from self._skip()
                    if not is_array:
                        names.append((yield from self._name()))
                    elif self._separator is not None and self._is_trusted():
                        if not self._separator and self._begin == begin and end > 1:
                            self._learn_separator(end)
                        yield from self._many(container, len(containers))
                    break
                if character != CLOSING[container.__class__]:
                    raise self._wrong("Expecting ',' delimiter", self._at)
                self._at += 1
                self._separator = b""
                value = containers.pop()
            else:
                if (yield from self._skip()):
                    raise self._wrong("Extra data", self._at)
                return value

    def _value(self, containers: list[Any]) -> Steps:
        """Parse the next value, or return OPENED for a container that is taken apart."""
        depth = len(containers)
        while True:
            if self._work > STEP:
                self._work = 0
                yield
            text, at = self._text, self._at
            character = text[at : at + 1]
            # A page: an array in an object.
            if (not depth and character in ("[", "{")) or (
                depth == 1 and character == "[" and containers[0].__class__ is dict
            ):
                return OPENED
            reason, place = "Expecting value", at
            try:
                value, end = self._parse(text, at)
            except json.JSONDecodeError as error:
                reason, place = error.msg, error.pos
            else:
                # A number may go on after the window, also `1` as `1e+9`.
                if end + 2 < len(text) or self._final:
                    self._at = end
                    self._work += end - at + VALUE
                    self._counter.add([value], depth)
                    return value
            if self._final:
                raise self._wrong(reason, place)
            self.futile += len(text) - at
            self._work += len(text) - at + VALUE
            if at:
                self._move(self._here())
            elif character in ("[", "{"):
                return OPENED
            elif character == '"':
                return (yield from self._string())
            elif len(text) <= SMALL:
                self._move(self._begin, STEP)
            else:
                raise self._wrong(reason, place)

    def _many(self, container: list[Any], depth: int) -> Steps:
        """Parse as many members of an array as end within a step: up to the last separator that is found.

        What ends before a comma and can be parsed as a whole array is members of this array.
        """
        while self._separator and self._is_trusted():
            begin = self._here()
            end = self._content.rfind(self._separator, begin, begin + STEP) + self._comma
            if end <= begin:
                self._separator = None
                return
            try:
                members = parse_json(b"[" + self._content[begin:end] + b"]")
            except ValueError:
                # It was a separator of other members, or in a string.
                self.futile += STEP
                self._separator = None
                return
            self._counter.add(members, depth)
            container += members
            self._work = 0
            yield
            self._move(end + 1)
            yield from self._skip()

    def _learn_separator(self, end: int) -> None:
        """Remember what is between the member that ends at *end* and the next one, with the edges of both."""
        text, at = self._text, self._at
        match text[at]:
            case "{":
                named = FIRST_NAME.match(text, at)
                separator = text[end - 1 : named.end() if named else at + 1]
            case "[":
                separator = text[end - 2 : at + 2]
            case '"':
                separator = text[end - 1 : at + 1]
            case _:
                separator = ","
        self._separator = separator.encode("utf-8", "surrogatepass")
        # Only ASCII is before the comma.
        self._comma = separator.index(",")

    def _name(self) -> Steps:
        """Parse the name of a member, and go on to its value."""
        while True:
            text, at = self._text, self._at
            if text[at : at + 1] != '"':
                raise self._wrong("Expecting property name enclosed in double quotes", at)
            try:
                name, end = self._parse(text, at)
            except json.JSONDecodeError as error:
                if self._final or (not at and len(text) > SMALL):
                    raise self._wrong(error.msg, error.pos) from None
            else:
                break
            self.futile += len(text) - at
            self._move(self._here(), STEP)
        self._counter.add([name], 1)
        self._at = end
        if (yield from self._skip()) != ":":
            raise self._wrong("Expecting ':' delimiter", self._at)
        self._at += 1
        yield from self._skip()
        return name

    def _string(self) -> Steps:
        """Parse a string that begins with the window and does not end in it."""
        place = self._begin + 1
        pieces: list[str] = []
        while True:
            end = self._end_of_piece(place)
            if end == place and self._content[end : end + 1] != b'"':
                self._move(place)
                raise self._wrong("Unterminated string, or an invalid escape", 0)
            text = self._content[place:end].decode("utf-8", "surrogatepass")
            piece, length = self._parse(f'"{text}"', 0)
            if length < len(text) + 2:
                # It ends before.
                end = place + size_of(text[: length - 2])
            is_last = self._content[end : end + 1] == b'"'
            if not is_last and end - 6 > place and "\ud800" <= piece[-1] <= "\udbff" and self._content[end - 1] < 0x80:
                # Half of a pair of escapes: the other half may begin the next piece.
                piece = piece[:-1]
                end -= 6
            pieces.append(piece)
            yield
            place = end
            if is_last:
                self._move(end + 1)
                self._counter.add([""], 1)
                return "".join(pieces)

    def _end_of_piece(self, begin: int) -> int:
        """Return the end of a piece of a string, outside of escapes and characters."""
        content = self._content
        limit = min(begin + STEP, len(content))
        # What follows another character than a backslash is no part of an escape like `\\n`.
        place = max(begin, limit - TAIL)
        while place > begin and content[place - 1] == BACKSLASH:
            place -= 1
        found = ESCAPED.match(content, place, limit)
        end = found.end() if found else place
        while begin < end < len(content) and content[end] & 0xC0 == 0x80:
            end -= 1
        return end

    def _skip(self) -> Generator[None, None, str]:
        """Skip white space, and return the next character; empty at the end."""
        while True:
            found = WHITESPACE.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if self._final:
                return ""
            self._work += len(self._text) + VALUE
            self._move(self._here())
            if self._work > STEP:
                self._work = 0
                yield

    def _move(self, begin: int, size: int = 0) -> None:
        """Decode the window that begins at a byte."""
        content = self._content
        self._begin = begin
        end = begin + (size or (STEP if self._is_trusted() else SMALL))
        self._final = end >= len(content)
        while not self._final and content[end] & 0xC0 == 0x80 and end > begin + 1:
            end -= 1
        self._text = content[begin:end].decode("utf-8", "surrogatepass")
        self._at = 0
        if self._separator is None:
            self._separator = b""

    def _is_trusted(self) -> bool:
        """Return whether windows were useful so far."""
        return self.futile <= self._begin + 2 * STEP

    def _here(self, at: int | None = None) -> int:
        """Return the place of a character of the window in the content, by default that of the next one."""
        at = self._at if at is None else at
        return self._begin + (at if self._text.isascii() else size_of(self._text[:at]))

    def _wrong(self, reason: str, at: int) -> ValueError:
        return ValueError(f"{reason}: byte {self._here(at)}")


def size_of(text: str) -> int:
    """Return the length of a text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
