"""Short, printable pieces of what a server sent or a caller passed, for error messages."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

from ._api import json_type

LENGTH = 80
VALUE_LENGTH = 60
# Long enough that a credential at the end of the quoted part is found as a whole, and redacted.
QUOTED_BYTES = 4096
# The longest beginning of a body that an error carries.
BODY_LENGTH = 4096
CHARSET = re.compile(r"charset=[\"']?([\w.:-]+)", re.IGNORECASE)
BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
# Codecs of Python's own: of no use to a server, and the time that some take grows with the square of the length.
NO_CHARSETS = ("idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape")
# Python refuses to write out integers of thousands of digits.
LONGEST_INTEGER = 10**50


def truncate(content: str | bytes, length: int = LENGTH) -> str:
    """Return the beginning of *content* on one line of at most *length* characters, control characters escaped."""
    # A character has at most four bytes: no need to decode megabytes.
    head = content[: 4 * length]
    text = head.decode("utf-8", "replace") if isinstance(head, bytes) else head
    line = " ".join(text.split())[: length + 1]
    line = "".join(character if character.isprintable() else repr(character)[1:-1] for character in line)
    return f"{line[: length - 3]}..." if len(head) < len(content) or len(line) > length else line


def quote_body(content: bytes, content_type: str, redact: Callable[[str], str]) -> str:
    """Return the beginning of a body in quotes, decoded by its charset and without the credential."""
    return repr(truncate(redact(decode_characters(content[:QUOTED_BYTES], content_type))))


def begin_body(
    content: bytes, content_type: str, redact: Callable[[str], str], length: int = BODY_LENGTH
) -> str | None:
    """Return at most *length* characters of a body as text, without the credential; None for an empty one."""
    # A character has at most four bytes; what comes after those shows whether a credential is cut off.
    head = content[: 4 * length + QUOTED_BYTES]
    return redact(decode_characters(head, content_type))[:length] or None


def decode_characters(content: bytes, content_type: str) -> str:
    """Decode a body that is not JSON: by its byte order mark, its charset, or else as UTF-8."""
    return content.decode(charset_of(content, content_type), "replace")


def charset_of(content: bytes, content_type: str) -> str:
    """Return the charset of a body: by its byte order mark, its Content-Type, or else UTF-8."""
    for bom, charset in BOMS.items():
        if content.startswith(bom):
            return charset
    named = CHARSET.search(content_type)
    try:
        charset = codecs.lookup(named[1] if named else "utf-8").name
        # Not all codecs are of text.
        b" ".decode(charset, "replace")
    except (LookupError, ValueError):
        return "utf-8"
    return "utf-8" if charset in NO_CHARSETS else charset


def media_type_of(content_type: str) -> str:
    """Return the media type of a Content-Type header in lower case, without its parameters."""
    return content_type.partition(";")[0].strip().lower()


def format_value(value: object) -> str:
    """Return a refused value for a message: itself when it is short and plain, else its type."""
    if isinstance(value, int) and abs(value) >= LONGEST_INTEGER:
        return "an integer of many digits"
    if value is None or isinstance(value, str | int | float):
        text = repr(value)
        return text if len(text) <= VALUE_LENGTH else f"{text[: VALUE_LENGTH - 3]}..."
    return json_type(value) if isinstance(value, dict | list) else type_name(value)  # pyright: ignore[reportUnknownArgumentType]  # any JSON


def type_name(value: object) -> str:
    """Return the type of *value* with its module, unless it is a builtin: `httpx2.AsyncClient`, `int`."""
    cls = type(value)
    return cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"
