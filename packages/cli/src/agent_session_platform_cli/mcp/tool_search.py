"""The tool that finds operations: also those that may not be called, and what to do about that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from agent_session_platform import InvalidArgumentError
from agent_session_platform.text import type_name
from mcp.types import Tool, ToolAnnotations

from ..lookup import operations_with
from .selection import Selection
from .tools import tool_name

NAME: Final = "find_operations"

SEARCH: Final = Tool(
    name=NAME,
    title="Find operations",
    description="Find operations of the Agent Session Platform by a word, such as sessions, delete or the name of a "
    "permission; also those that are no tools here, with what a person has to do to allow them. Calls nothing.",
    input_schema={
        "type": "object",
        "properties": {
            "word": {
                "type": "string",
                "description": "A part of the name, the path, the permission or the summary; empty for all.",
            }
        },
        "required": ["word"],
        "additionalProperties": False,
    },
    annotations=ToolAnnotations(title="Find operations", read_only_hint=True, open_world_hint=False),
)


def search(selection: Selection, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the operations that have a word, each with its tool or with what to do.

    Args:
        selection: The operations that may be called.
        given: The arguments of the tool.

    Raises:
        InvalidArgumentError: `word` is no text, or something else is given.
    """
    word = given.get("word")
    if not isinstance(word, str) or len(given) > 1:
        names = ", ".join(repr(each[:40]) for each in sorted(given)) or "nothing"
        raise InvalidArgumentError(
            f"{NAME} takes one argument, word, which is text and may be empty; it was called with {names}"
            + (f", and word is {type_name(word)}" if "word" in given and not isinstance(word, str) else "")
        )
    rows: list[dict[str, Any]] = []
    for operation in operations_with(word):
        refusal = selection.refusal(operation)
        rows.append(
            {
                "operation": operation.name,
                "summary": operation.summary,
                "permission": operation.permission,
                **({"tool": tool_name(operation)} if refusal is None else {"not_a_tool": refusal}),
            }
        )
    return {"operations": rows}
