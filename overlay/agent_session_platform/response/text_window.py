"""A window of a body that is parsed in steps: as much of it as is decoded at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator
from typing import Any, TypeAlias

from .bounds import TextPieces

# The event loop runs after this many bytes, about two milliseconds. A name and a number are no longer.
STEP = 256 * 1024

# A hostile body makes windows useless: once more was parsed in vain than the body has, they are this small.
SMALL = 512

# What a value that is parsed by itself costs, as the bytes of a step.
VALUE = 256

# Where a piece of a string may end is looked for in so many bytes.
TAIL = 64

WHITESPACE = re.compile(r"[ \t\n\r]*+")
# Whole escapes, so that no piece of a string ends within one.
ESCAPED = re.compile(
    rb'(?:[^"\\]++|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}|\\u[0-9a-fA-F]{4}|\\[^u])*+', re.DOTALL
)
BACKSLASH = ord("\\")

# Yields when the event loop should run, and returns a value.
Steps: TypeAlias = Generator[None, None, Any]


class TextWindow:
    """A window of a text in UTF-8, and a place in it.

    Args:
        content: The whole text.
        step: The size of a window in bytes.
        small: The size of a window of a hostile body.

    Attributes:
        futile: Bytes of windows in which a value did not end, so that they are parsed again.
    """

    def __init__(self, content: bytes | bytearray, step: int = STEP, small: int = SMALL) -> None:
        self._content = content
        self._step = step
        self._small = small
        self._parse: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().raw_decode
        # The window, where it begins in the content, whether it is the last one, and the place in it.
        self._text: str = ""
        self._begin: int = 0
        self._final = False
        self._at: int = 0
        # Bytes parsed since the event loop ran.
        self._work: int = 0
        self.futile: int = 0

    def _move(self, begin: int, size: int = 0) -> None:
        """Decode the window that begins at a byte."""
        content = self._content
        self._begin = begin
        end = begin + (size or (self._step if self._is_trusted() else self._small))
        self._final = end >= len(content)
        while not self._final and content[end] & 0xC0 == 0x80 and end > begin + 1:
            end -= 1
        self._text = content[begin:end].decode("utf-8", "surrogatepass")
        self._at = 0

    def _is_trusted(self) -> bool:
        """Return whether windows were useful so far."""
        return self.futile <= self._begin + 2 * self._step

    def _here(self, at: int | None = None) -> int:
        """Return the place of a character of the window in the content, by default that of the next one."""
        at = self._at if at is None else at
        return self._begin + (at if self._text.isascii() else size_of(self._text[:at]))

    def _wrong(self, reason: str, at: int) -> ValueError:
        return ValueError(f"{reason}: byte {self._here(at)}")

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
            if self._work > self._step:
                self._work = 0
                yield

    def _string(self) -> Steps:
        """Parse a string that begins with the window and does not end in it."""
        place = self._begin + 1
        pieces = TextPieces()
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
            pieces.add(piece)
            yield
            place = end
            if is_last:
                self._move(end + 1)
                return pieces.join()

    def _end_of_piece(self, begin: int) -> int:
        """Return the end of a piece of a string, outside of escapes and characters."""
        content = self._content
        limit = min(begin + self._step, len(content))
        # What follows another character than a backslash is no part of an escape like `\\n`.
        place = max(begin, limit - TAIL)
        while place > begin and content[place - 1] == BACKSLASH:
            place -= 1
        found = ESCAPED.match(content, place, limit)
        end = found.end() if found else place
        while begin < end < len(content) and content[end] & 0xC0 == 0x80:
            end -= 1
        return end


def size_of(text: str) -> int:
    """Return the length of a text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
