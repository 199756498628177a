"""Redaction: a secret is taken out of a text of a server, however the server has spelled it."""

from __future__ import annotations

import re

REPLACEMENT = "[credential]"

# Do not redact shorter secrets: the replacement would corrupt other text.
MIN_REDACTED_LENGTH = 8

# So often a character may be escaped again. The bound keeps the search linear in a hostile text.
MAX_ESCAPES = 8


def redact_secret(secret: str, text: str) -> str:
    r"""Replace a secret in a text, also where any of its characters are escaped.

    A server may percent-encode some characters or all of them, in hex digits of either case, or twice, or write a space
    as `+`; and JSON may have `\/` or `\u002f` for a slash.

    Args:
        secret: A token or a password. A secret of fewer than MIN_REDACTED_LENGTH characters is not replaced.
        text: The text.
    """
    if len(secret) < MIN_REDACTED_LENGTH:
        return text
    text = text.replace(secret, REPLACEMENT)
    if "%" not in text and "\\" not in text and " " not in secret and "+" not in secret:
        return text
    return re.sub("".join(map(spellings, secret)), REPLACEMENT, text)


def spellings(character: str) -> str:
    """Return a pattern of all spellings of a character: as it is, escaped in JSON, and percent-encoded."""
    plain = "[ +]" if character in " +" else re.escape(character)
    escaped = rf"\\{{0,{MAX_ESCAPES}}}{plain}"
    by_number = rf"\\{{1,{MAX_ESCAPES}}}u(?i:{ord(character):04x})"
    bytes_ = character.encode("utf-8", "surrogatepass")
    encoded = "".join(f"%(?:25){{0,{MAX_ESCAPES}}}(?i:{byte:02x})" for byte in bytes_)
    return f"(?:{escaped}|{by_number}|{encoded})"
