"""Redaction: a secret is taken out of a text of a server, however the server has spelled it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

REPLACEMENT = "[credential]"

# Do not redact shorter secrets: the replacement would corrupt other text.
MIN_REDACTED_LENGTH = 8

# The levels of a text that are searched: an error may quote another error.
MAX_LEVELS = 5

# Characters that are percent-encoded or have a backslash, or one that JSON or HTML has as its number.
# Runs are unescaped at once, because a hostile text has many.
ESCAPES = re.compile(rb"(?:%[0-9A-Fa-f]{2})+|(?:\\[^u])+|\\u[0-9A-Fa-f]{4}|&#\w{1,8};")

# Most secrets and most texts have none of these: then there is one spelling only.
AMBIGUOUS = re.compile(r"[%\\+]|&#")


def redact_secret(secret: str, text: str) -> str:
    r"""Replace a secret in a text, also where any of its characters are escaped, once or several times.

    A server may percent-encode some characters or all of them, or write a space for a `+`; JSON may have `\/` or
    `\u002f` for a slash, and HTML `&#x2F;`.

    Args:
        secret: A token. A secret of fewer than MIN_REDACTED_LENGTH characters is not replaced.
        text: The text.
    """
    if len(secret) < MIN_REDACTED_LENGTH:
        return text
    if not AMBIGUOUS.search(secret) and not AMBIGUOUS.search(text):
        return text.replace(secret, REPLACEMENT)
    # A server may have unescaped the secret.
    needles = {level for level, _ in levels_of(secret.encode())}
    content = text.encode("utf-8", "surrogatepass")
    spans: set[tuple[int, int]] = set()
    for level, origins in levels_of(content):
        for needle in needles:
            at = level.find(needle)
            while at >= 0:
                end = at + len(needle)
                spans.add((origins[at], origins[end]))
                at = level.find(needle, end)
    if not spans:
        return text
    pieces: list[bytes] = []
    done = 0
    for start, end in sorted(spans):
        # A place may be found at several levels.
        if start >= done:
            pieces += content[done:start], REPLACEMENT.encode()
        done = max(done, end)
    pieces.append(content[done:])
    return b"".join(pieces).decode("utf-8", "surrogatepass")


def levels_of(text: bytes) -> Iterator[tuple[bytes, list[int]]]:
    """Yield a text with a space for each `+`, then the same text unescaped once, twice, and so on.

    Yields:
        The text, and for each byte of it, and for its end, the place in the text that was passed.
    """
    origins = list(range(len(text) + 1))
    for _ in range(MAX_LEVELS):
        yield text.replace(b"+", b" "), origins
        pieces: list[bytes] = []
        moved: list[int] = []
        end = 0
        for match in ESCAPES.finditer(text):
            start = match.start()
            pieces.append(text[end:start])
            moved += origins[end:start]
            end = match.end()
            piece, step = unescape(match[0])
            pieces.append(piece)
            moved += origins[start:end:step][: len(piece)]
        if not pieces:
            return
        pieces.append(text[end:])
        text = b"".join(pieces)
        origins = moved + origins[end:]


def unescape(escapes: bytes) -> tuple[bytes, int]:
    """Return what escapes stand for, in UTF-8, and how many bytes of them are one byte of it."""
    if escapes.startswith(b"%"):
        return bytes.fromhex(escapes.decode().replace("%", "")), 3
    if escapes.startswith(b"&"):
        return html.unescape(escapes.decode()).encode(), 1
    if escapes.startswith(b"\\u"):
        return chr(int(escapes[2:], 16)).encode("utf-8", "surrogatepass"), 1
    return escapes[1::2], 2
