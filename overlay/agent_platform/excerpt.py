"""A short, printable piece of what a server sent or a caller passed, for messages."""

from __future__ import annotations

from ._api import json_type

LENGTH = 80
SHOWN_LENGTH = 60
# Python refuses to write out integers of thousands of digits.
LONGEST_INTEGER = 10**50


def excerpt(content: str | bytes, length: int = LENGTH) -> str:
    """The beginning of *content* on one line, cut to *length* characters, with control characters escaped."""
    # Four bytes a character at the most: no need to decode megabytes.
    head = content[: 4 * length]
    text = head.decode("utf-8", "replace") if isinstance(head, bytes) else head
    line = " ".join(text.split())
    if len(head) < len(content) or len(line) > length:
        line = f"{line[: length - 3]}..."
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in line)


def shown(value: object) -> str:
    """A value that was refused: itself when it is short and plain, else what it is."""
    if isinstance(value, int) and abs(value) >= LONGEST_INTEGER:
        return "an integer of many digits"
    if value is None or isinstance(value, str | int | float):
        text = repr(value)
        return text if len(text) <= SHOWN_LENGTH else f"{text[: SHOWN_LENGTH - 3]}..."
    return type(value).__name__ if not isinstance(value, dict | list) else json_type(value)  # pyright: ignore[reportUnknownArgumentType]
