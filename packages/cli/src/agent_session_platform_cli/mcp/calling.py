"""Call the operation of a tool, and return the JSON that the server sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from agent_session_platform import AgentPlatform, InvalidArgumentError, Operation, Pager, operations, to_json

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
    parameters = taken(operation, names_organization=names_organization)
    left_out = {argument_of(each) for each in parameters if not each.nullable}
    values = {name: value for name, value in given.items() if value is not None or name not in left_out}
    scope: Any = platform.enterprise
    if operation.scope == "organization":
        name = argument_of(parameters[0])
        if names_organization and name not in values:
            raise InvalidArgumentError(f"{name} is missing; {operation} requires it")
        scope = platform.organization(values.pop(name) if names_organization else None)
    method = getattr(getattr(scope, operation.resource), operation.verb)
    operations.check_arguments(method, values)
    if operation.paginated:
        takes_size = any(argument_of(each) == "first" for each in parameters)
        return await _read_page(method, values, takes_size=takes_size)
    return to_json(await method(**values))


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
        values["first"] = max(1, int(count * MARGIN * LONGEST / length))
    raise AssertionError("the last attempt returns")
