r"""Redaction: a secret is taken out of a text of a server, however the server has spelled it.

A server may percent-encode some characters or all of them, or write a space for a `+`; JSON may have `\/` or `\u002f`
for a slash, and HTML `&#x2F;`. An error may quote another error, so that an escape is escaped once more: `%252F`,
`\\u002f`. A secret may have what looks like an escape. So the secret and the text are compared without any escapes.
"""

from __future__ import annotations

import re

REPLACEMENT = "[credential]"

# Do not redact shorter secrets: the replacement would corrupt other text.
MIN_REDACTED_LENGTH = 8

# A percent sign or a backslash may be percent-encoded itself, the percent sign any number of times: `%25252F`.
PERCENT = "%(?:25)*"
BACKSLASH = rf"(?:\\|{PERCENT}+5[Cc])"
HEX = "([0-9A-Fa-f]{2})"

# An escape of one ASCII character, with its code in base 16 or base 10, or the character after backslashes.
ESCAPE = re.compile(
    rf"{BACKSLASH}*+(?:{PERCENT}{HEX}|&#[xX]0*{HEX};|&#(?P<decimal>\d{{1,3}});)"
    rf"|{BACKSLASH}+(?:u00{HEX}|(?P<character>.))"
)
# What is in every escape, and a plus sign.
AMBIGUOUS = re.compile(r"[%\\+]|&#")


def redact_secret(secret: str, text: str) -> str:
    """Replace a secret in a text, and leave the rest of the text as it is.

    Args:
        secret: A token. A secret of fewer than MIN_REDACTED_LENGTH characters is not replaced.
        text: The text.
    """
    if len(secret) < MIN_REDACTED_LENGTH:
        return text
    if not AMBIGUOUS.search(secret) and not AMBIGUOUS.search(text):
        return text.replace(secret, REPLACEMENT)
    needle, _ = without_escapes(secret)
    plain, starts = without_escapes(text)
    kept: list[str] = []
    begin = 0
    for piece in plain.split(needle):
        end = begin + len(piece)
        kept.append(text[starts[begin] : starts[end]])
        begin = end + len(needle)
    return REPLACEMENT.join(kept)


def without_escapes(text: str) -> tuple[str, list[int]]:
    """Return a text without escapes, and with a space for each `+`.

    Returns:
        The text; and for each of its characters the index where it begins in the text that was passed, followed by the
        index where the last one ends.
    """
    pieces: list[str] = []
    starts: list[int] = []
    end = 0
    for match in ESCAPE.finditer(text):
        start = match.start()
        pieces.append(text[end:start])
        pieces.append(unescape(match))
        starts += range(end, start + 1)
        end = match.end()
    pieces.append(text[end:])
    starts += range(end, len(text) + 1)
    return "".join(pieces).replace("+", " "), starts


def unescape(match: re.Match[str]) -> str:
    """Return the character that a match of ESCAPE stands for."""
    escaped: str = match[match.lastindex or 0]
    if match.lastgroup == "character":
        return escaped
    if match.lastgroup == "decimal":
        return chr(int(escaped))
    return chr(int(escaped, 16))
