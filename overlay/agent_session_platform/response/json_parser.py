"""Parse JSON: with msgspec where the extra `speed` is installed, with the same outcome as with `json` alone."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

# Parsing this many bytes takes `json` about two milliseconds, and ten times as long if they are empty arrays: a larger
# body is parsed in steps.
LARGE = 256 * 1024

# Importing msgspec takes as long as `json` takes for hundreds of small bodies: a program of a few calls is done before.
FIRST_BYTES = 8 * 1024

# msgspec takes up to nine microseconds for a number such as `1e307` or `1e-320`, and json at most one. A body has no
# more numbers than commas, but for one.
MANY_COMMAS = 8192

_parsed = 0


def parse_json(content: bytes) -> Any:
    """Parse as `json.loads` does, and raise ValueError or RecursionError as it does.

    Where msgspec returns a value it is the same one: integers of any length stay integers (orjson makes floats of long
    ones). json.loads decides about what msgspec refuses: NaN, half of a surrogate pair, a byte order mark, UTF-16.
    """
    global _parsed
    if _parsed < FIRST_BYTES:
        _parsed += len(content)
        if _parsed < FIRST_BYTES:
            return json.loads(content)
    parse = fast_parser()
    if parse is not None and content.count(b",") <= MANY_COMMAS:
        try:
            return parse(content)
        except Exception:
            # If json.loads refuses it too, its error says why.
            pass
    return json.loads(content)


@functools.cache
def fast_parser() -> Callable[[bytes], Any] | None:
    """Return the parser of msgspec, or None without the extra; imported with the first body after FIRST_BYTES."""
    try:
        from msgspec.json import Decoder
    except ImportError:
        return None
    return Decoder().decode
