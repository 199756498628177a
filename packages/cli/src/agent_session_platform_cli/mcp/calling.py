"""Carry out a call of a tool: check its arguments, call the operation, and return what the platform sent."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Any, Final, cast

from agent_session_platform import AgentPlatform, InvalidArgumentError, Operation, Pager, operations, to_json

from ..suggestions import nearest
from .answers import LONGEST, fewer, length_of, page_of
from .describing import PAGE, argument_of, describe, find, operation_named, taken
from .selection import Selection, is_read

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
    arguments = given.get("arguments") or {}
    if not isinstance(arguments, dict):
        raise InvalidArgumentError(f"arguments must be an object, such as {json.dumps(EXAMPLES[tool]['arguments'])}")
    return await _call(platform, operation, cast("dict[str, Any]", arguments))


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
    operations.check_arguments(method, values | ({"extra_body": members} if members else {}))
    if members:
        values["extra_body"] = members
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
            advice = '; write the members of the body beside the other arguments, such as {"prompt": "Fix it"}'
        elif close := get_close_matches(name, parameters, n=1, cutoff=ALIKE if operation.takes_members else 0.6):
            advice = f"; did you mean {close[0]!r}?"
        elif not operation.takes_members:
            advice = f"; it takes {', '.join(parameters) or 'none'}"
        else:
            continue
        raise InvalidArgumentError(f"{operation} takes no argument {name[:80]!r}{advice}")


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
