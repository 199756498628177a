"""Arguments with the columns of a row in them: `{column}` in a text, and nothing else that would be evaluated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

import click

from ..terminal_text import to_text

PART: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
LITERAL: Final = {"{{": "{", "}}": "}"}


def columns_in(value: Any, place: str) -> Iterator[str]:
    """Yield the columns that the texts of a value name.

    Args:
        value: A value of JSON.
        place: Where it was given, for messages.

    Raises:
        click.UsageError: A brace stands alone.
    """
    if isinstance(value, str):
        for part in PART.finditer(value):
            if part[0] in ("{", "}", "{}"):
                raise click.UsageError(
                    f"{place}: a text has {part[0]!r}; write {{column}} for a column, and {{{{ or }}}} for a brace"
                )
            if part[1] is not None:
                yield part[1]
    elif isinstance(value, Mapping):
        for each in cast("Mapping[str, Any]", value).values():
            yield from columns_in(each, place)
    elif isinstance(value, list):
        for each in cast("list[object]", value):
            yield from columns_in(each, place)


def fill(value: Any, row: Mapping[str, Any]) -> Any:
    """Return a value with the columns of a row in its texts; a text that is only `{column}` becomes the value of it.

    Args:
        value: A value of JSON, whose columns the row has.
        row: The row.

    Example:
        >>> fill({"prompt": "Fix {what}", "tags": ["{team}"], "size": "{n}"}, {"what": "it", "team": "core", "n": 3})
        {'prompt': 'Fix it', 'tags': ['core'], 'size': 3}
    """
    if isinstance(value, str):
        whole = PART.fullmatch(value)
        if whole is not None and whole[1] is not None:
            return row[whole[1]]
        return PART.sub(lambda part: LITERAL.get(part[0]) or _text(row[part[1]]), value)
    if isinstance(value, Mapping):
        return {name: fill(each, row) for name, each in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list):
        return [fill(each, row) for each in cast("list[object]", value)]
    return value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else to_text(value)
