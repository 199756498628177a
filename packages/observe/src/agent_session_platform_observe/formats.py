"""Classes of values: what a text or a number looks like, without the value itself."""

from __future__ import annotations

import re
from typing import Final

from agent_session_platform import operations

DATE_TIME: Final = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?P<zone>[Zz]|[+-]\d\d:?\d\d)?", re.ASCII
)
DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
UUID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
UUID_LENGTH: Final = 36
URI: Final = re.compile(r"[a-z][a-z0-9+.-]{1,9}://[^\s]+", re.IGNORECASE)

ID_PREFIXES: Final = frozenset(each.prefix for operation in operations for each in operation.parameters if each.prefix)

# The years 2001 to 2096, in each unit since 1970.
SECONDS: Final = range(10**9, 4 * 10**9)
UNITS: Final = {"unix-seconds": 1, "unix-milliseconds": 10**3, "unix-microseconds": 10**6}

PLAIN: Final = "plain"
PREFIX: Final = "prefix "
# A longer text is looked at no further.
LONGEST: Final = 2048


def number_format(value: int) -> str:
    """Return the unit in which a number may be a time since 1970; `plain` if it can be none."""
    if value < SECONDS.start:
        return PLAIN
    return next((name for name, unit in UNITS.items() if value // unit in SECONDS), PLAIN)


def text_format(value: str, name: str) -> str:
    """Return the format of a text; `plain` if it has none of those that are known.

    Args:
        value: The text.
        name: The name of the member. `user-` is a prefix of ids in `user_id` only: elsewhere it may be anything.
    """
    if not 8 <= len(value) <= LONGEST:
        return prefix_format(value[:LONGEST], name)
    if "0" <= value[0] <= "9":
        if match := DATE_TIME.fullmatch(value):
            # Without a timezone it is none of RFC 3339, which the contract means by `date-time`.
            return "date-time" if match["zone"] else "local date-time"
        if DATE.fullmatch(value):
            return "date"
    if len(value) == UUID_LENGTH and UUID.fullmatch(value):
        return "uuid"
    if "://" in value and URI.fullmatch(value):
        return "uri"
    return prefix_format(value, name)


def prefix_format(value: str, name: str) -> str:
    """Return `prefix org-` for an id that begins so; `plain` for any other text."""
    word, hyphen, rest = value.partition("-")
    if hyphen and rest and (f"{word}-" in ID_PREFIXES or word in possible_prefixes(name)):
        return f"{PREFIX}{word}-"
    return PLAIN


def possible_prefixes(name: str) -> list[str]:
    """Return the words of the name of an id: they are no secret, because the name is kept as well."""
    *words, last = name.rstrip("s").split("_")
    return words if last == "id" else []


def length_class(length: int) -> str:
    """Return the class of a length: the least power of two that is not less."""
    return str(1 << (length - 1).bit_length()) if length else "0"
