"""Call any operation of the catalogue through its facade, with arguments that its contract allows."""

from __future__ import annotations

import inspect
from typing import Any

from agent_session_platform import AgentPlatform, Download, Operation, Parameter
from agent_session_platform.contract import schema_of
from agent_session_platform_sandbox.fitting import Fitter
from agent_session_platform_sandbox.validation import load_contract


def method_of(platform: AgentPlatform, operation: Operation) -> Any:
    """Return the method of the facade."""
    scope = platform.organization("org-acme") if operation.scope == "organization" else platform.enterprise
    return getattr(getattr(scope, operation.resource), operation.verb)


def sample(operation: Operation, parameter: Parameter) -> Any:
    """Return a value for a parameter, or for a member of the body, that the contract allows."""
    if parameter.kind == "file":
        return b"the bytes of the file"
    contract = load_contract()
    endpoint = contract.endpoints[operation.id]
    if parameter.location == "body":
        content = endpoint.request_body["content"][operation.media_type]
        schema = contract.flatten(content["schema"])
        schema = schema["properties"][parameter.name] if parameter.name else schema
    else:
        found = endpoint.parameter(parameter.location, parameter.name)
        schema = schema_of(found)
        if parameter.location == "path" and parameter.kind == "string":
            return next(iter(contract.examples(found)), "a/b" if parameter.wildcard else "anything")
    return Fitter(contract, "2099-01-01T00:00:00Z").sample(schema)


def arguments(operation: Operation, **overrides: Any) -> tuple[list[Any], dict[str, Any]]:
    """Return the path parameters in order, and the other required arguments; *overrides* replace them."""
    path = [parameter for parameter in operation.parameters if parameter.location == "path"]
    bound = 1 if operation.scope == "organization" else 0
    positional = [
        overrides.pop(each.argument_name) if each.argument_name in overrides else sample(operation, each)
        for each in path[bound:]
    ]
    required = [each for each in operation.parameters if each.required and each.location != "path" and each.name]
    return positional, {each.argument_name: sample(operation, each) for each in required} | overrides


async def call(platform: AgentPlatform, operation: Operation, **overrides: Any) -> Any:
    """Call the operation, and return its response: the first page of a list, the whole file of a download."""
    method = method_of(platform, operation)
    positional, named = arguments(operation, **overrides)
    signature = inspect.signature(method).parameters
    if "body" in signature and "body" not in named and not operation.optional_body:
        named["body"] = sample_body(operation)
    if operation.paginated:
        return await method(*positional, **named).first_page()
    response = method(*positional, **named)
    if isinstance(response, Download):
        return await response.read()
    return await response


def sample_body(operation: Operation) -> Any:
    """Return a body that is one argument as a whole."""
    media_type = operation.media_type or ""
    if media_type.endswith("json"):
        return sample(operation, Parameter("", "body")) or {}
    return "anything" if media_type.startswith("text/") else b"anything"
