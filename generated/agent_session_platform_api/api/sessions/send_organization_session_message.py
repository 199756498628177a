# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.sessions.send_message: POST
/v3/organizations/{org_id}/sessions/{assistant_id}/messages.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="send_organization_session_message",
    method="POST",
    path="/v3/organizations/{org_id}/sessions/{assistant_id}/messages",
    scope="organization",
    resource="sessions",
    verb="send_message",
    summary="Send a message to a session.",
    credentials=("serviceUser",),
    media_type="application/json",
    optional_body=True,
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
        Parameter(
            name="assistant_id",
            location="path",
            kind="string",
            required=True,
            prefix="assistant-",
            adds_prefix=True,
        ),
        Parameter(
            name="",
            location="body",
            argument="body",
        ),
    ),
    rules=(Rule("session-message-resumes", "A suspended session is resumed by a message."),),
    gaps=(
        Gap(
            "session-message-legacy",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/post",
            "The legacy path that messages are mapped from.",
        ),
        Gap(
            "session-message-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/post",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "session-message-request",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/post",
            "The request payload.",
        ),
        Gap(
            "session-message-response",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/post",
            "The success status and the response payload.",
        ),
        Gap(
            "session-message-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/post",
            "The error statuses.",
        ),
    ),
)
