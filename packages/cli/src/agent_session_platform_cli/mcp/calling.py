"""Call the operation of a tool, and return the JSON that the server sent."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Final

from agent_session_platform import AgentPlatform, InvalidArgumentError, Operation, Pager, to_json

from ..suggestions import nearest
from .bounds import LONGEST, length_of
from .schemas import PAGE, argument_of, taken

# Each attempt asks for fewer items. A server that ignores the number would be asked for ever.
ATTEMPTS: Final = 3
# Items differ in length: a page that should just fit may not.
MARGIN: Final = 0.8


async def call_operation(
    platform: AgentPlatform, operation: Operation, given: Mapping[str, Any], *, names_organization: bool
) -> Any:
    """Call an operation, and return what the server sent as plain JSON types; of a list one page.

    Args:
        platform: The client.
        operation: The operation.
        given: The arguments of the tool; null is the same as leaving one out, unless the parameter accepts null.
        names_organization: True if the organization is among them.

    Raises:
        InvalidArgumentError: An argument is missing, unknown or of a wrong type; nothing was sent.
        AgentPlatformError: The call has failed.
    """
    left = dict(given)
    org_id = None
    parameters = taken(operation, names_organization=names_organization)
    values: dict[str, Any] = {}
    for each in parameters:
        name = argument_of(each)
        value = left.pop(name, None)
        if value is not None or (each.nullable and given.get(name, "") is None):
            values[name] = value
        elif each.required:
            raise InvalidArgumentError(f"{name} is missing; {operation} requires it")
    path = [values.pop(argument_of(each)) for each in parameters if each.location == "path"]
    if names_organization and operation.scope == "organization":
        org_id, *path = path
    scope = platform.organization(org_id) if operation.scope == "organization" else platform.enterprise
    method = getattr(getattr(scope, operation.resource), operation.verb)
    accepted = inspect.signature(method).parameters
    if "extra_body" in left and "extra_body" in accepted:
        values["extra_body"] = left.pop("extra_body")
    if left:
        known = [*map(argument_of, parameters), *(["extra_body"] if "extra_body" in accepted else [])]
        name = min(left)
        raise InvalidArgumentError(
            f"{name[:80]!r} is no argument of {operation}{nearest(name, known)}; it takes {', '.join(known) or 'none'}"
        )
    if operation.paginated:
        return await _read_page(method, path, values, takes_size="first" in accepted)
    return to_json(await method(*path, **values))


async def _read_page(method: Any, path: list[Any], values: dict[str, Any], *, takes_size: bool) -> Any:
    """Return one page; a smaller one if it is too long for an assistant, so that its cursor skips nothing."""
    if takes_size:
        values.setdefault("first", PAGE)
    for left in reversed(range(ATTEMPTS)):
        pager: Pager[Any] = method(*path, **values)
        page = await pager.first_page()
        found = page.to_dict()
        length, count = length_of(found), len(page.items)
        if length <= LONGEST or count <= 1 or not (takes_size and left):
            return found
        values["first"] = max(1, int(count * MARGIN * LONGEST / length))
    raise AssertionError("the last attempt returns")
