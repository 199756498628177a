"""Redaction: a secret is taken out of a text of a server, however the server has spelled it."""

from __future__ import annotations

import re
from bisect import bisect_right

REPLACEMENT = "[credential]"

# Do not redact shorter secrets: the replacement would corrupt other text.
MIN_REDACTED_LENGTH = 8

BACKSLASH = ord("\\")

# A byte that is percent-encoded, once or several times; a character of JSON by its number; any other backslashes.
ESCAPE = re.compile(
    rb"%(?:25)*(?P<byte>[0-9A-Fa-f]{2})|\\u(?P<character>[0-9A-Fa-f]{4})|\\+(?!u[0-9A-Fa-f]{4})", re.ASCII
)


def redact_secret(secret: str, text: str) -> str:
    r"""Replace a secret in a text, also where any of its characters are escaped.

    A server may percent-encode some characters or all of them, in hex digits of either case, or twice, or write a space
    as `+`; and JSON may have `\/` or `\u002f` for a slash. So secret and text are compared without escapes.

    Args:
        secret: A token or a password. A secret of fewer than MIN_REDACTED_LENGTH characters is not replaced.
        text: The text.
    """
    if len(secret) < MIN_REDACTED_LENGTH:
        return text
    text = text.replace(secret, REPLACEMENT)
    if "%" not in text and "\\" not in text and "+" not in secret and " " not in secret:
        return text
    raw = text.encode("utf-8", "surrogatepass")
    plain_secret = unescape(secret.encode("utf-8", "surrogatepass"))
    if len(plain_secret) < MIN_REDACTED_LENGTH or plain_secret not in unescape(raw):
        return text
    return UnescapedText(raw).replace(plain_secret).decode("utf-8", "surrogatepass")


def unescape(raw: bytes) -> bytes:
    """Return a text without escapes and without backslashes; `+` becomes a space, as in a query."""
    return ESCAPE.sub(decode_escape, raw).replace(b"+", b" ")


def decode_escape(match: re.Match[bytes]) -> bytes:
    """Return the character of an escape. A backslash is dropped, because it may be an escape or escaped itself."""
    kind = match.lastgroup
    if kind is None:
        return b""
    code = int(match[kind], 16)
    if code == BACKSLASH:
        return b""
    return bytes((code,)) if kind == "byte" else chr(code).encode("utf-8", "surrogatepass")


class UnescapedText:
    """A text without its escapes, as `unescape` returns it, and where each byte of it was in the original.

    Args:
        raw: The original.
    """

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        plain = bytearray()
        # After each of these offsets in the plain text, the offset in the original advances with it.
        self._plain_offsets, self._raw_offsets = [0], [0]
        end = 0
        for match in ESCAPE.finditer(raw):
            plain += raw[end : match.start()]
            self._note(len(plain), match.start())
            plain += decode_escape(match)
            end = match.end()
            self._note(len(plain), end)
        plain += raw[end:]
        self._plain = bytes(plain).replace(b"+", b" ")

    def replace(self, plain_secret: bytes) -> bytes:
        """Return the original with REPLACEMENT in place of a secret that has no escapes."""
        replaced = bytearray()
        kept = 0
        start = self._plain.find(plain_secret)
        while start != -1:
            stop = start + len(plain_secret)
            replaced += self._raw[kept : self._raw_offset(start)] + REPLACEMENT.encode()
            kept = self._raw_offset(stop)
            start = self._plain.find(plain_secret, stop)
        return bytes(replaced + self._raw[kept:])

    def _note(self, plain_offset: int, raw_offset: int) -> None:
        self._plain_offsets.append(plain_offset)
        self._raw_offsets.append(raw_offset)

    def _raw_offset(self, plain_offset: int) -> int:
        """Return where a byte of the plain text begins in the original."""
        index = bisect_right(self._plain_offsets, plain_offset) - 1
        return self._raw_offsets[index] + plain_offset - self._plain_offsets[index]
