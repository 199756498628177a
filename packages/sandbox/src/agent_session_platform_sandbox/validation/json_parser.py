"""A strict JSON parser: refuses documents that two parsers could read differently."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final, NoReturn, cast

# Deeper JSON can be parsed, but copying and comparing it would exceed the recursion limit.
MAX_DEPTH: Final = 100
MAX_SHOWN_LENGTH: Final = 80
# More values than this take seconds to validate, in which the sandbox responds to nothing else.
MAX_VALUES: Final = 200_000


def parse_json(content: bytes | str, max_depth: int = 2 * MAX_DEPTH, max_values: int = MAX_VALUES) -> Any:
    """Parse JSON.

    Args:
        content: The text; bytes must be UTF-8.
        max_depth: Maximum number of levels of arrays and objects. The default leaves room for a saved state, which
            wraps the JSON of requests.
        max_values: Maximum number of values, members and items included.

    Raises:
        ValueError: It is not JSON, is nested too deeply, has too many values, repeats a member of an object, or has a
            number or a character that JSON cannot express.
    """
    try:
        text = content if isinstance(content, str) else content.decode()
        if _has_more_values(max_values, text):
            raise ValueError(f"it has more than {max_values} values")
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


def _has_more_values(most: int, text: str) -> bool:
    """Return whether JSON has about more values than *most*, without parsing it."""
    if _separators(text) <= most:
        return False
    # Strings may contain commas, too. Each value has at most two strings: its own and its name.
    bare = text.replace("\\\\", "").replace('\\"', "")
    return bare.count('"') > 4 * most or sum(map(_separators, bare.split('"')[::2])) > most


def _separators(text: str) -> int:
    """Return the number of commas and opening brackets: JSON has at most one value more than these."""
    return text.count(",") + text.count("[") + text.count("{")


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
