"""A sandbox in which any operation of the catalogue succeeds."""

from __future__ import annotations

from typing import Any

from agent_session_platform import Operation
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.contract import Kind
from agent_session_platform_sandbox.fitting import Fitter
from agent_session_platform_sandbox.handlers import Call, Reply
from agent_session_platform_sandbox.validation import load_contract

from tests.contract.every_operation import sample, sample_body


async def given(sandbox: Sandbox, operation: Operation) -> dict[str, Any]:
    """Let the operation respond with what the contract shows, and return its path arguments."""
    sandbox.handle(operation.id, respond)
    path = [each for each in operation.parameters if each.location == "path" and each.name != "org_id"]
    return {each.argument_name: sample(operation, each) for each in path}


def respond(call: Call) -> Reply:
    """Return an example of the response, with one more member in an object, and one item in a page."""
    if call.content is None or call.content.kind is not Kind.JSON:
        return Reply(None if call.content is None else b"a line\n")
    value = Fitter(load_contract(), "2099-01-01T00:00:00Z").sample(call.content.shape.schema)
    if isinstance(value, dict):
        value = {**value, "not_shown": [1, None]}
        if "items" in value:
            value |= {"items": [*value["items"], {"not_shown": "ü"}], "has_next_page": False}
    return Reply(value)


def bodies(operation: Operation) -> dict[str, Any]:
    """Return the arguments that make the body. If the body is one argument, it is never left out."""
    is_one = any(each.location == "body" and not each.name for each in operation.parameters)
    return {"body": sample_body(operation) or {"not_shown": "ü"}} if is_one else {}


def token_for(sandbox: Sandbox, operation: Operation) -> str:
    """Return a credential that the operation accepts."""
    return sandbox.admin_key if operation.credentials == ("enterpriseAdminApiKey",) else sandbox.token
