"""What can be asked of a sandbox's permissions over HTTP: what operations ask for, and which credentials are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...request.credentials import NAMES as CREDENTIALS
from ..operations import UnknownOperationError, operation_named
from ..problems import RefusedError
from ..shapes import TEXT, TEXTS, Node, check, closed
from ..state.accounts import LEVELS
from .command import Asked, Command

if TYPE_CHECKING:
    from ..platform import Sandbox

REQUIREMENT: Final = closed(
    permissions=TEXTS, level={"enum": [*LEVELS]}, kinds={"type": "array", "items": {"enum": [*CREDENTIALS]}}
)


def require(sandbox: Sandbox, asked: Asked) -> Node:
    """Let an operation ask something else of a credential."""
    check(REQUIREMENT, asked.body, "the body")
    operation = known(asked.name)
    sandbox.require(operation, **asked.body)
    return {"operation": operation, "required": asked.body}


def accept(sandbox: Sandbox, asked: Asked) -> Node:
    """Let query parameters through that the contract does not know."""
    check(closed(("parameters",), parameters=TEXTS), asked.body, "the body")
    operation = known(asked.name)
    sandbox.accept(operation, *asked.body["parameters"])
    return {"operation": operation, "accepted": asked.body["parameters"]}


def remove(sandbox: Sandbox, asked: Asked) -> Node:
    """Let a credential be known no longer."""
    check(closed(("token",), token=TEXT), asked.body, "the body", hidden=True)
    try:
        sandbox.remove_credential(asked.body["token"])
    except KeyError:
        raise RefusedError(404, "the credential is not known") from None
    return {"known": len(sandbox.accounts.by_token)}


def known(name: str) -> str:
    """The name of an operation; refuses with 404 what is none."""
    try:
        return operation_named(name).name
    except UnknownOperationError as error:
        raise RefusedError(404, str(error)) from None


PERMISSION_COMMANDS: Final = (
    Command(
        "POST",
        "/_sandbox/operations/{name}/require",
        f"lets it ask something else of a credential: {', '.join(REQUIREMENT['properties'])}",
        require,
        takes_body=True,
    ),
    Command(
        "POST",
        "/_sandbox/operations/{name}/accept",
        'lets query parameters through that the contract does not know: {"parameters": ["from"]}',
        accept,
        takes_body=True,
    ),
    Command(
        "POST", "/_sandbox/credentials/remove", 'lets one be known no longer: {"token": "..."}', remove, takes_body=True
    ),
)
