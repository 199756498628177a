"""A strict JSON parser: refuses documents that two parsers could read differently."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final, NoReturn, cast

# Deeper JSON can be parsed, but copying and comparing it would exceed the recursion limit.
MAX_DEPTH: Final = 100
MAX_SHOWN_LENGTH: Final = 80


def parse_json(content: bytes | str, max_depth: int = 2 * MAX_DEPTH) -> Any:
    """Parse JSON.

    Args:
        content: The text; bytes must be UTF-8.
        max_depth: Maximum number of levels of arrays and objects. The default leaves room for a saved state, which
            wraps the JSON of requests.

    Raises:
        ValueError: It is not JSON, is nested too deeply, repeats a member of an object, or has a number or a character
            that JSON cannot express.
    """
    try:
        text = content if isinstance(content, str) else content.decode()
        document = json.loads(
            text, parse_constant=_refuse_constant, parse_float=_finite_float, object_pairs_hook=_unique_members
        )
        # Half of a surrogate pair could not be written again.
        if "\\u" in text:
            json.dumps(document, ensure_ascii=False).encode()
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    except UnicodeEncodeError:
        raise ValueError("it contains half of a surrogate pair") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if is_deeper_than(max_depth, document):
        raise ValueError(f"it is nested deeper than {max_depth} levels")
    return document


def is_deeper_than(levels: int, value: Any) -> bool:
    """Return whether JSON has more than *levels* levels of arrays and objects."""
    nodes: list[Any] = [value]
    for _ in range(levels):
        nodes = [child for node in nodes for child in _children(node) if isinstance(child, dict | list)]
        if not nodes:
            return False
    return True


def excerpt(value: Any) -> str:
    """Return a value as JSON, cut to 80 characters."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_SHOWN_LENGTH else f"{text[:MAX_SHOWN_LENGTH]}..."


def _children(node: Any) -> list[Any]:
    if isinstance(node, dict):
        return [*cast("dict[str, Any]", node).values()]
    return node if isinstance(node, list) else []  # pyright: ignore[reportUnknownVariableType]  # any JSON


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _finite_float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{excerpt(text)} is too large")
    return number


def _unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        repeated = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the member {excerpt(repeated)} is repeated in one object")
    return members
