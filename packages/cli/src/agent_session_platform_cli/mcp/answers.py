"""What an assistant gets: one JSON text that holds no credential, breaks nothing, and is not long."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, cast

from agent_session_platform.contract import load

from ..terminal_text import to_compact_text

# Bytes of JSON, about 6,000 tokens: an assistant reads all that it gets, and has room for little.
LONGEST: Final = 20_000
# Items differ in length: as many as should just fit may not.
MARGIN: Final = 0.8

# Of something long only so many characters of a text and items of an array are kept; the next if that is too long.
STEPS: Final = (8_000, 1_000, 200, 50, 10)

MARK: Final = "[cut: `asp call` prints all]"
HIDDEN: Final = "[a credential, which asp mcp does not show]"
PREFIXES: Final = "|".join(filter(None, load().credential_kinds.values()))
# Also in a sentence, a URL or a log; what is shorter is no credential that works.
CREDENTIAL: Final = re.compile(rf"(?:{PREFIXES})[A-Za-z0-9._~+/=-]{{8,}}", re.IGNORECASE)


def length_of(value: Any) -> int:
    """Return the number of bytes of a value as JSON."""
    return len(to_compact_text(value).encode())


def redacted(value: Any, redact: Callable[[str], str]) -> Any:
    """Return a JSON value without credentials in its texts and in the names of its members.

    Args:
        value: The value.
        redact: Replaces the client's own credential in a text.
    """
    if isinstance(value, str):
        return CREDENTIAL.sub(HIDDEN, redact(value))
    if isinstance(value, list):
        return [redacted(item, redact) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return {redacted(name, redact): redacted(member, redact) for name, member in members.items()}
    return value


def shortened(value: Any) -> Any:
    """Return a JSON value with its long parts cut if it is too long; a mark stands where something is missing.

    Example:
        >>> shortened({"items": [1, 2]})
        {'items': [1, 2]}
    """
    if length_of(value) <= LONGEST:
        return value
    for most in STEPS:
        shorter = _cut(value, most)
        if length_of(shorter) <= LONGEST:
            return shorter
    return f"{to_compact_text(value)[: LONGEST // 4]} {MARK}"


def _cut(value: Any, most: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= most else f"{value[:most]} {MARK}"
    if isinstance(value, list):
        items: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
        kept = [_cut(item, most) for item in items[:most]]
        return kept if len(items) <= most else [*kept, MARK]
    if isinstance(value, dict):
        return {name: _cut(member, most) for name, member in cast("dict[str, Any]", value).items()}
    return value


def page_of(value: Any, start: int) -> Any:
    """Return a complete list as a page that fits, cut between its items; anything else as it is.

    Args:
        value: What an operation without pages returned: an array, or an object with one.
        start: How many items the pages before had.
    """
    members: Any = {"items": value} if isinstance(value, list) else value
    if not isinstance(members, dict) or not (start or length_of(value) > LONGEST):
        return value
    arrays = {name: len(member) for name, member in cast("dict[str, Any]", members).items() if isinstance(member, list)}
    if not arrays:
        return value
    name = max(arrays, key=lambda each: arrays[each])
    kept = members[name][start:]
    while True:
        end = start + len(kept)
        more = end < arrays[name]
        page = {**members, name: kept, "end_cursor": str(end) if more else None, "has_next_page": more}
        if len(kept) <= 1 or length_of(page) <= LONGEST:
            return page
        kept = kept[: fewer(len(kept), length_of(page))]


def fewer(count: int, length: int) -> int:
    """Return how many items should fit, where so many are too long."""
    return max(1, int(count * MARGIN * LONGEST / length))
