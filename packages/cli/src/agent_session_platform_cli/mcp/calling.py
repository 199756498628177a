"""Carry out a call of a tool, and make its answer: JSON that holds no credential, breaks nothing, and is not long."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from agent_session_platform import AgentPlatform, InvalidArgumentError, Operation, Pager, operations, to_json
from agent_session_platform.contract import is_array, is_object

from ..connect import method_of
from ..lookup import nearest, operation_named
from ..terminal_text import to_compact_text
from .operations import PAGE, Selection, describe, find, is_read, parameters_of

# Each attempt asks for fewer items. A server that ignores the number would be asked for ever.
ATTEMPTS: Final = 4

EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "find_operations": {"words": "messages of a session"},
    "describe_operation": {"name": "organization.sessions.list"},
    "read": {"operation": "organization.sessions.list", "arguments": {"first": 5}},
    "write": {"operation": "organization.sessions.create", "arguments": {"prompt": "Fix the flaky test"}},
}

# Bytes of JSON, about 6,000 tokens: an assistant reads all that it gets, and has room for little.
LONGEST: Final = 20_000
# Items differ in length: as many as should just fit may not.
MARGIN: Final = 0.8

MARK: Final = "[cut: `asp call` prints all]"


async def call_tool(
    platform: AgentPlatform, selection: Selection, tools: Collection[str], tool: str, given: Mapping[str, Any]
) -> Any:
    """Return the result of a tool, as plain JSON types.

    Args:
        platform: The client.
        selection: The operations that may be called.
        tools: The names of the tools that are offered.
        tool: The tool.
        given: Its arguments.

    Raises:
        InvalidArgumentError: There is no such tool, or it may not, or an argument is wrong; nothing was sent.
        AgentPlatformError: The call has failed.
    """
    if tool not in tools:
        raise InvalidArgumentError(f"there is no tool {tool[:80]!r}{nearest(tool, tools)}")
    names = [*EXAMPLES[tool]]
    subject = given.get(names[0])
    arguments: Any = given.get("arguments") or {}
    if not isinstance(subject, str) or not is_object(arguments) or not {*given} <= {*names}:
        raise InvalidArgumentError(f"{tool} takes {' and '.join(names)}; write {json.dumps(EXAMPLES[tool])}")
    if tool == "find_operations":
        return find(selection, subject)
    operation = operation_named(subject, "find_operations finds one by words")
    if tool == "describe_operation":
        return describe(selection, operation)
    refusal = selection.refusal(operation)
    if refusal is None and is_read(operation) != (tool == "read"):
        refusal = f"{operation} {'only reads: use read' if is_read(operation) else 'changes something: use write'}"
    if refusal is not None:
        raise InvalidArgumentError(refusal)
    return await _call(platform, operation, arguments)


async def _call(platform: AgentPlatform, operation: Operation, given: Mapping[str, Any]) -> Any:
    """Call an operation, and return what the server sent as plain JSON types; of a list one page."""
    parameters = parameters_of(operation)
    # Null is the same as leaving an argument out, unless the parameter accepts null.
    left_out = {name for name, each in parameters.items() if given.get(name) is None and not each.nullable}
    values = {name: value for name, value in given.items() if name not in left_out}
    start = "0"
    if is_read(operation) and "after" not in parameters:
        start = values.pop("after", None) or start
        if not (isinstance(start, str) and re.fullmatch(r"[0-9]{1,9}", start)):
            raise InvalidArgumentError("after must be the end_cursor of a result, such as '40'")
    if "options" in values:
        raise InvalidArgumentError(f"{operation} takes no argument 'options'")
    method = method_of(platform, operation)
    operations.check_arguments(method, values)
    if operation.paginated:
        return await _read_page(method, values, takes_size="first" in parameters)
    value = to_json(await method(**values))
    return page_of(value, int(start)) if is_read(operation) else value


async def _read_page(method: Any, values: dict[str, Any], *, takes_size: bool) -> Any:
    """Return one page; a smaller one if it is too long for an assistant, so that its cursor skips nothing."""
    if takes_size:
        values.setdefault("first", PAGE)
    found: Any = None
    for _ in range(ATTEMPTS):
        pager: Pager[Any] = method(**values)
        page = await pager.first_page()
        found = page.to_dict()
        length, count = length_of(found), len(page.items)
        if length <= LONGEST or count <= 1 or not takes_size:
            break
        values["first"] = fewer(count, length)
    return found


def length_of(value: Any) -> int:
    """Return the number of bytes of a value as JSON."""
    return len(to_compact_text(value).encode())


def fewer(count: int, length: int) -> int:
    """Return how many items should fit, where so many are too long."""
    return max(1, int(count * MARGIN * LONGEST / length))


def page_of(value: Any, start: int) -> Any:
    """Return a complete list as a page that fits, cut between its items; anything else as it is.

    Args:
        value: What an operation without pages returned: an array, or an object with one.
        start: How many items the pages before had.
    """
    members = {"items": value} if is_array(value) else value
    if not is_object(members) or not (start or length_of(value) > LONGEST):
        return value
    arrays = {name: array for name, array in members.items() if is_array(array)}
    if not arrays:
        return value
    name = max(arrays, key=lambda each: len(arrays[each]))
    kept = arrays[name][start:]
    while True:
        end = start + len(kept)
        more = end < len(arrays[name])
        page: Any = {**members, name: kept, "end_cursor": str(end) if more else None, "has_next_page": more}
        if len(kept) <= 1 or length_of(page) <= LONGEST:
            return page
        kept = kept[: fewer(len(kept), length_of(page))]


def shortened(value: Any) -> Any:
    """Return a JSON value, or the beginning of its text if it is too long.

    Example:
        >>> shortened({"items": [1, 2]})
        {'items': [1, 2]}
    """
    text = to_compact_text(value).encode()
    if len(text) <= LONGEST:
        return value
    # In the quotes that follow, each character may take two.
    return {"beginning": text[: LONGEST // 2].decode(errors="ignore"), "note": MARK}
