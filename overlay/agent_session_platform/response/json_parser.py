"""JSON to plain values: by msgspec where the extra `speed` has brought it, with the same outcome as by `json` alone."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def parse_json(content: bytes) -> Any:
    """Parse as `json.loads` does, and as tolerantly; raises ValueError or RecursionError as that does.

    Where msgspec gives a value it is the same one: integers of any length stay integers (orjson makes floats of long
    ones). What it refuses, json.loads decides about: NaN, half of a surrogate pair, a byte order mark, UTF-16.
    """
    parse = fast_parser()
    if parse is not None:
        try:
            return parse(content)
        except Exception:
            # json.loads tells in its own words what it fails on too.
            pass
    return json.loads(content)


@functools.cache
def fast_parser() -> Callable[[bytes], Any] | None:
    """The parser of msgspec; None without the extra. Imported with the first body that is parsed."""
    try:
        from msgspec.json import Decoder
    except ImportError:
        return None
    return Decoder().decode
