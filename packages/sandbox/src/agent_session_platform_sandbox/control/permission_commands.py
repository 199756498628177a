"""Commands for the credentials, and for what operations require and accept."""

from __future__ import annotations

from typing import Final

from ..application import Application
from ..contract import KINDS, LEVELS, operation_named
from ..validation import TEXT, TEXTS, Node, closed_object
from .command import Command, ControlRequest

REQUIREMENT: Final = closed_object(
    permissions=TEXTS, level={"enum": [*LEVELS]}, kinds={"type": "array", "items": {"enum": [*KINDS]}}
)


def _require(app: Application, request: ControlRequest) -> Node:
    operation = operation_named(request.name).name
    app.require(operation, **request.body)
    return {"operation": operation, "required": request.body}


def _accept(app: Application, request: ControlRequest) -> Node:
    operation = operation_named(request.name).name
    app.accept(operation, *request.body["parameters"])
    return {"operation": operation, "accepted": request.body["parameters"]}


def _remove_credential(app: Application, request: ControlRequest) -> Node:
    app.remove_credential(request.body["token"])
    return {"known": len(app.accounts.by_token)}


PERMISSION_COMMANDS: Final = (
    Command(
        "POST",
        "/_sandbox/operations/{name}/require",
        f"changes the credential that it requires: {', '.join(REQUIREMENT['properties'])}",
        _require,
        body=REQUIREMENT,
    ),
    Command(
        "POST",
        "/_sandbox/operations/{name}/accept",
        'accepts query parameters that the contract does not have: {"parameters": ["from"]}',
        _accept,
        body=closed_object(("parameters",), parameters=TEXTS),
    ),
    Command(
        "POST",
        "/_sandbox/credentials/remove",
        'removes a credential: {"token": "..."}',
        _remove_credential,
        body=closed_object(("token",), token=TEXT),
        hidden=True,
    ),
)
