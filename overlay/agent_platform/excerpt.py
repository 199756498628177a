"""A short, printable piece of what a server sent, for messages."""

from __future__ import annotations

LENGTH = 80


def excerpt(content: str | bytes, length: int = LENGTH) -> str:
    """The beginning of *content* on one line, cut to *length* characters, with control characters escaped."""
    # Four bytes a character at the most: no need to decode megabytes.
    head = content[: 4 * length]
    text = head.decode("utf-8", "replace") if isinstance(head, bytes) else head
    line = " ".join(text.split())
    if len(head) < len(content) or len(line) > length:
        line = f"{line[: length - 3]}..."
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in line)
