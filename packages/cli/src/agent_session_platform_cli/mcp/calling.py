"""Carry out a call of a tool, and make its answer: JSON that holds no credential, breaks nothing, and is not long."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from typing import Any, Final, cast

from agent_session_platform import AgentPlatform, InvalidArgumentError, Operation, Pager, operations, to_json
from agent_session_platform.contract import load

from ..lookup import nearest
from ..terminal_text import to_compact_text
from .operations import PAGE, Selection, argument_of, describe, find, is_read, operation_named, taken

# Each attempt asks for fewer items. A server that ignores the number would be asked for ever.
ATTEMPTS: Final = 4
# A name so near to that of an argument is a mistake, and no member of a body.
ALIKE: Final = 0.85

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

# Of something long only so many characters of a text and items of an array are kept; the next if that is too long.
STEPS: Final = (8_000, 1_000, 200, 50, 10)

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
    if names[0] not in given or not isinstance(given[names[0]], str) or not {*given} <= {*names}:
        raise InvalidArgumentError(f"{tool} takes {' and '.join(names)}; write {json.dumps(EXAMPLES[tool])}")
    if tool == "find_operations":
        return find(selection, given["words"])
    operation = operation_named(given[names[0]])
    if tool == "describe_operation":
        return describe(platform, selection, operation)
    refusal = selection.refusal(operation)
    if refusal is None and is_read(operation) != (tool == "read"):
        refusal = f"{operation} {'only reads: use read' if is_read(operation) else 'changes something: use write'}"
    if refusal is not None:
        raise InvalidArgumentError(refusal)
    arguments: Any = given.get("arguments") or {}
    if not isinstance(arguments, Mapping):
        raise InvalidArgumentError(f"arguments must be an object, such as {json.dumps(EXAMPLES[tool]['arguments'])}")
    return await _call(platform, operation, arguments)  # pyright: ignore[reportUnknownArgumentType]  # JSON


async def _call(platform: AgentPlatform, operation: Operation, given: Mapping[str, Any]) -> Any:
    """Call an operation, and return what the server sent as plain JSON types; of a list one page."""
    parameters = {argument_of(each): each for each in taken(platform, operation)}
    # Null is the same as leaving an argument out, unless the parameter accepts null.
    values = {
        name: value
        for name, value in given.items()
        if value is not None or name not in parameters or parameters[name].nullable
    }
    start = 0
    if is_read(operation) and "after" not in parameters:
        after = values.pop("after", None) or "0"
        if not (isinstance(after, str) and re.fullmatch(r"[0-9]{1,9}", after)):
            raise InvalidArgumentError("after must be the end_cursor of a result, such as '40'")
        start = int(after)
    scope: Any = platform.enterprise
    if operation.scope == "organization":
        own = argument_of(next(each for each in operation.parameters if each.location == "path"))
        if (own in parameters) != (own in values):
            advice = f"{own} is missing; {operation} requires it"
            if own in values:
                advice = f"leave {own} out: whoever started this server has set the organization"
            raise InvalidArgumentError(advice)
        scope = platform.organization(values.pop(own, None))
    method = getattr(getattr(scope, operation.resource), operation.verb)
    members = {name: values.pop(name) for name in [*values] if name not in parameters}
    _check_members(operation, members, parameters)
    values |= members if not operation.takes_members else {"extra_body": members} if members else {}
    operations.check_arguments(method, values)
    if operation.paginated:
        return await _read_page(method, values, takes_size="first" in parameters)
    value = to_json(await method(**values))
    return page_of(value, start) if is_read(operation) else value


def _check_members(operation: Operation, members: Mapping[str, Any], parameters: Collection[str]) -> None:
    """Refuse names that are no arguments, with what to write instead.

    Args:
        operation: The operation.
        members: What was given besides its parameters: members of its body, if it takes such.
        parameters: The names of its parameters.
    """
    for name in members:
        if name in ("extra_body", "options"):
            advice = 'write the members of the body beside the other arguments, such as {"prompt": "Fix it"}'
        elif operation.takes_members and (close := get_close_matches(name, parameters, n=1, cutoff=ALIKE)):
            advice = f"did you mean {close[0]!r}?"
        else:
            continue
        raise InvalidArgumentError(f"{operation} takes no argument {name!r}; {advice}")


async def _read_page(method: Any, values: dict[str, Any], *, takes_size: bool) -> Any:
    """Return one page; a smaller one if it is too long for an assistant, so that its cursor skips nothing."""
    if takes_size:
        values.setdefault("first", PAGE)
    for left in reversed(range(ATTEMPTS)):
        pager: Pager[Any] = method(**values)
        page = await pager.first_page()
        found = page.to_dict()
        length, count = length_of(found), len(page.items)
        if length <= LONGEST or count <= 1 or not (takes_size and left):
            return found
        values["first"] = fewer(count, length)
    raise AssertionError("the last attempt returns")


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
    if not isinstance(value, list | dict) or not (start or length_of(value) > LONGEST):  # pyright: ignore[reportUnknownArgumentType]
        return value  # pyright: ignore[reportUnknownVariableType]
    members = cast("dict[str, Any]", {"items": value} if isinstance(value, list) else value)
    arrays = {name: len(array) for name, array in members.items() if isinstance(array, list)}  # pyright: ignore[reportUnknownArgumentType]
    if not arrays:
        return members
    name = max(arrays, key=lambda each: arrays[each])
    kept: Any = members[name][start:]
    while True:
        end = start + len(kept)
        more = end < arrays[name]
        page: Any = {**members, name: kept, "end_cursor": str(end) if more else None, "has_next_page": more}
        if len(kept) <= 1 or length_of(page) <= LONGEST:
            return page
        kept = kept[: fewer(len(kept), length_of(page))]


def fewer(count: int, length: int) -> int:
    """Return how many items should fit, where so many are too long."""
    return max(1, int(count * MARGIN * LONGEST / length))
