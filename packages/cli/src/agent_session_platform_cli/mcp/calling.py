"""Call a tool, and prepare its result: without credentials, and not too long for an assistant."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Self

import attrs
from agent_session_platform import (
    AgentPlatform,
    InvalidArgumentError,
    Operation,
    Page,
    RequestOptions,
    operations,
    to_json,
)
from agent_session_platform.contract import is_array, is_object

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

# The most bytes of JSON in a result, about 6,000 tokens. A longer result would fill the context of an assistant.
LONGEST: Final = 20_000
# The most bytes that the items of a page may have. The rest is for the other members of the page.
LONGEST_ITEMS: Final = 18_000

# A cursor of ours: the number of items of a page that were returned, and the server's cursor of this page.
OWN_CURSOR: Final = re.compile(r"cut:([0-9]{1,9}):(.*)", re.DOTALL)

MARK: Final = "[cut: `asp call` prints all]"


@attrs.frozen
class Place:
    """A place in a list whose form the description does not show, so that the server may cut it, or we.

    Attributes:
        cursor: The server's cursor of the page; None is the first page.
        start: The number of items of this page before the place.
    """

    cursor: str | None = None
    start: int = 0

    @classmethod
    def parse(cls, after: Any) -> Self:
        """Return the place that `after` names: the end_cursor of an earlier result, which is ours or the server's.

        Raises:
            InvalidArgumentError: It is not text.
        """
        if after is None or after == "":
            return cls()
        if not isinstance(after, str):
            raise InvalidArgumentError("after must be the end_cursor of a result, which is text")
        own = OWN_CURSOR.fullmatch(after)
        if own is None:
            return cls(after)
        return cls(own[2] or None, int(own[1]))

    def __str__(self) -> str:
        return f"cut:{self.start}:{self.cursor or ''}"


async def call_tool(
    platform: AgentPlatform, selection: Selection, tools: Collection[str], tool: str, given: Mapping[str, Any]
) -> Any:
    """Return the result of a tool, as plain JSON types.

    Args:
        platform: The client.
        selection: The allowed operations.
        tools: The names of all tools of the server.
        tool: The name of the tool to call.
        given: The arguments.

    Raises:
        InvalidArgumentError: There is no such tool, an argument is wrong, or the operation is not allowed.
        AgentPlatformError: The call failed.
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
    operation = operation_named(subject, "find_operations finds names by words")
    if tool == "describe_operation":
        return describe(selection, operation)
    refusal = selection.refusal(operation)
    if refusal is None and is_read(operation) != (tool == "read"):
        refusal = f"{operation} {'only reads: use read' if is_read(operation) else 'changes something: use write'}"
    if refusal is not None:
        raise InvalidArgumentError(refusal)
    return await _call(platform, operation, arguments)


async def _call(platform: AgentPlatform, operation: Operation, given: Mapping[str, Any]) -> Any:
    """Call an operation, and return its result as plain JSON types. A list returns one page."""
    parameters = parameters_of(operation)
    # Assistants write null for an argument that they do not use.
    left_out = {name for name, each in parameters.items() if given.get(name) is None and not each.nullable}
    values = {name: value for name, value in given.items() if name not in left_out}
    place = Place()
    if is_read(operation) and "after" not in parameters:
        place = Place.parse(values.pop("after", None))
    if "options" in values:
        raise InvalidArgumentError(f"{operation} takes no argument 'options'")
    method = method_of(platform, operation)
    operations.check_arguments(method, values)
    if operation.paginated:
        return await _read_page(method, values, takes_size="first" in parameters)
    if place.cursor is not None:
        values["options"] = RequestOptions(extra_query={operation.cursor: place.cursor})
    called = method(**values)
    if hasattr(called, "first_page"):
        # A list: the page as it came, with the server's cursor.
        page: Page[Any] = await called.first_page()
        return page_of(page.to_dict(), place)
    value = to_json(await called)
    return page_of(value, place) if is_read(operation) else value


async def _read_page(method: Any, values: dict[str, Any], *, takes_size: bool) -> Any:
    """Return one page. If the page is too long for an assistant, request a smaller page instead of cutting it.

    The cursor of a page that was cut would skip items.
    """
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
    """Return how many items, counted from the first, fit into one page; at least 1."""
    left = LONGEST_ITEMS
    for index, item in enumerate(items):
        left -= length_of(item) + 1
        if left < 0:
            return max(1, index)
    return len(items)


def page_of(value: Any, place: Place) -> Any:
    """Return a part of a list that is too long. Return any other value unchanged.

    Args:
        value: The result of an operation whose form is not shown: an array, or an object with an array. It may be a
            page that has a cursor of the server.
        place: The place at which the part begins.
    """
    members = {"items": value} if is_array(value) else value
    if not is_object(members) or not (place.start or length_of(value) > LONGEST):
        return value
    arrays = {name: array for name, array in members.items() if is_array(array)}
    if not arrays:
        return value
    name = max(arrays, key=lambda each: len(arrays[each]))
    kept = arrays[name][place.start :]
    kept = kept[: fitting(kept)]
    end = place.start + len(kept)
    if end < len(arrays[name]):
        return {**members, name: kept, "end_cursor": str(Place(place.cursor, end)), "has_next_page": True}
    # What follows this page is the server's to say.
    cursor = members.get("end_cursor")
    return {"end_cursor": cursor, "has_next_page": cursor is not None, **members, name: kept}


def shortened(value: Any) -> Any:
    """Return a JSON value. If it is too long, return the beginning of its text.

    Example:
        >>> shortened({"items": [1, 2]})
        {'items': [1, 2]}
    """
    text = to_compact_text(value).encode()
    if len(text) <= LONGEST:
        return value
    # Escaping may double the length of the text.
    return {"beginning": text[: LONGEST // 2].decode(errors="ignore"), "note": MARK}
