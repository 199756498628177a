"""Carry out a call of a tool, and make its answer: JSON that holds no credential, breaks nothing, and is not long."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from agent_session_platform import AgentPlatform, InvalidArgumentError, Operation, Page, operations, to_json
from agent_session_platform.contract import is_array, is_object, load

from ..connect import method_of
from ..lookup import nearest, operation_named
from ..terminal_text import to_compact_text
from .operations import PAGE, Selection, describe, find, is_read, parameters_of

EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "find_operations": {"words": "messages of a session"},
    "describe_operation": {"name": "organization.sessions.list"},
    "read": {"operation": "organization.sessions.list", "arguments": {"first": 5}},
    "write": {"operation": "organization.sessions.create", "arguments": {"prompt": "Fix the flaky test"}},
}

# Bytes of JSON, about 6,000 tokens: an assistant reads all that it gets, and has room for little.
LONGEST: Final = 20_000
# The items of a page, which has other members as well.
LONGEST_ITEMS: Final = 18_000

MARK: Final = "[cut: `asp call` prints all]"
HIDDEN: Final = "[a credential, which asp mcp does not show]"
PREFIXES: Final = "|".join(filter(None, load().credential_kinds.values()))
# Also in a sentence, a URL or a log; what is shorter is no credential that works.
CREDENTIAL: Final = re.compile(rf"(?:{PREFIXES})[A-Za-z0-9._~+/=-]{{8,}}", re.IGNORECASE)


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
    page: Page[Any] = await method(**values).first_page()
    count = fitting([to_json(item) for item in page.items])
    if takes_size and count < len(page.items):
        values["first"] = count
        page = await method(**values).first_page()
    return page.to_dict()


def length_of(value: Any) -> int:
    """Return the number of bytes of a value as JSON."""
    return len(to_compact_text(value).encode())


def fitting(items: Sequence[Any]) -> int:
    """Return how many of some items, from the first on, are not too long together; at least one."""
    left = LONGEST_ITEMS
    for index, item in enumerate(items):
        left -= length_of(item) + 1
        if left < 0:
            return max(1, index)
    return len(items)


def page_of(value: Any, start: int) -> Any:
    """Return a complete list as a page that fits, cut between its items; anything else as it is.

    Args:
        value: What an operation without pages returned: an array, or an object with one.
        start: The number of items of the pages before.
    """
    members = {"items": value} if is_array(value) else value
    if not is_object(members) or not (start or length_of(value) > LONGEST):
        return value
    arrays = {name: array for name, array in members.items() if is_array(array)}
    if not arrays:
        return value
    name = max(arrays, key=lambda each: len(arrays[each]))
    kept = arrays[name][start:]
    kept = kept[: fitting(kept)]
    end = start + len(kept)
    more = end < len(arrays[name])
    return {**members, name: kept, "end_cursor": str(end) if more else None, "has_next_page": more}


def redacted(value: Any, redact: Callable[[str], str]) -> Any:
    """Return a JSON value without credentials in its texts and in the names of its members.

    Args:
        value: The value.
        redact: Replaces the client's own credential in a text.
    """
    if isinstance(value, str):
        return CREDENTIAL.sub(HIDDEN, redact(value))
    if is_array(value):
        return [redacted(item, redact) for item in value]
    if is_object(value):
        return {redacted(name, redact): redacted(member, redact) for name, member in value.items()}
    return value


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
