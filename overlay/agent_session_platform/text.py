"""A short, printable piece of what a server sent or a caller passed, for messages."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

from ._api import json_type

LENGTH = 80
SHOWN_LENGTH = 60
# So much that a credential at the end of what is shown is seen as a whole, and taken out.
EXCERPTED = 4096
CHARSET = re.compile(r"charset=[\"']?([\w.:-]+)", re.IGNORECASE)
BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
# Python refuses to write out integers of thousands of digits.
LONGEST_INTEGER = 10**50


def excerpt(content: str | bytes, length: int = LENGTH) -> str:
    """The beginning of *content* on one line, cut to *length* characters, with control characters escaped."""
    # Four bytes a character at the most: no need to decode megabytes.
    head = content[: 4 * length]
    text = head.decode("utf-8", "replace") if isinstance(head, bytes) else head
    line = " ".join(text.split())[: length + 1]
    line = "".join(character if character.isprintable() else repr(character)[1:-1] for character in line)
    return f"{line[: length - 3]}..." if len(head) < len(content) or len(line) > length else line


def beginning(content: bytes, content_type: str, redact: Callable[[str], str]) -> str:
    """The beginning of a body in quotes, whatever its characters; *redact* takes the credential out."""
    return repr(excerpt(redact(as_text(content[:EXCERPTED], content_type))))


def as_text(content: bytes, content_type: str) -> str:
    """A body that is no JSON as the text that it most likely is."""
    named = CHARSET.search(content_type)
    charset = next(
        (charset for bom, charset in BOMS.items() if content.startswith(bom)), named[1] if named else "utf-8"
    )
    try:
        return content.decode(charset, "replace")
    except (LookupError, ValueError):
        return content.decode("utf-8", "replace")


def shown(value: object) -> str:
    """A value that was refused: itself when it is short and plain, else what it is."""
    if isinstance(value, int) and abs(value) >= LONGEST_INTEGER:
        return "an integer of many digits"
    if value is None or isinstance(value, str | int | float):
        text = repr(value)
        return text if len(text) <= SHOWN_LENGTH else f"{text[: SHOWN_LENGTH - 3]}..."
    return type(value).__name__ if not isinstance(value, dict | list) else json_type(value)  # pyright: ignore[reportUnknownArgumentType]
