"""Call any operation of the catalogue through its facade, with arguments that its contract allows."""

from __future__ import annotations

import inspect
from typing import Any

from agent_session_platform import AgentPlatform, Operation
from agent_session_platform._api import Parameter

SAMPLES: dict[str, Any] = {
    "": "anything",
    "string": "anything",
    "integer": 1,
    "number": 1.0,
    "boolean": True,
    "array": ["anything"],
    "object": {"any": "thing"},
    "date-time": "2099-01-01T00:00:00Z",
    "file": b"the bytes of the file",
}


def method_of(platform: AgentPlatform, operation: Operation) -> Any:
    """Return the method of the facade."""
    scope = platform.organization("org-acme") if operation.scope == "organization" else platform.enterprise
    return getattr(getattr(scope, operation.resource), operation.verb)


def sample_id(parameter: Parameter) -> str:
    """Return a path parameter: an organization, several segments for a wildcard, or any id."""
    return "org-acme" if parameter.name == "org_id" else "a/b" if parameter.wildcard else "anything"


def arguments(operation: Operation, **overrides: Any) -> tuple[list[Any], dict[str, Any]]:
    """Return the path parameters in order, and the other required arguments; *overrides* replace them."""
    path = [parameter for parameter in operation.parameters if parameter.location == "path"]
    bound = 1 if operation.scope == "organization" else 0
    positional = [overrides.pop(each.argument_name, sample_id(each)) for each in path[bound:]]
    required = [each for each in operation.parameters if each.required and each.location != "path"]
    return positional, {each.argument_name: SAMPLES[each.kind] for each in required if each.name} | overrides


async def call(platform: AgentPlatform, operation: Operation, **overrides: Any) -> Any:
    """Call the operation, and return its response: the first page of a list, the whole file of a download."""
    method = method_of(platform, operation)
    positional, named = arguments(operation, **overrides)
    signature = inspect.signature(method).parameters
    if "body" in signature and "body" not in named and signature["body"].default is inspect.Parameter.empty:
        named["body"] = {}
    if operation.paginated:
        return await method(*positional, **named).first_page()
    if operation.streamed:
        return await method(*positional, **named).read()
    return await method(*positional, **named)
