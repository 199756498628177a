# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.sessions.send_message: POST
/v3/enterprise/sessions/{assistant_id}/messages.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="send_enterprise_session_message",
    method="POST",
    path="/v3/enterprise/sessions/{assistant_id}/messages",
    scope="enterprise",
    resource="sessions",
    verb="send_message",
    summary="Send a message to a session.",
    credentials=("serviceUser",),
    inferred="Versioning lists sessions (create, list, get, messages, archive, terminate, tags, insights) as promoted at both scopes; method and path mirror those of the organization scope.",
    media_type="application/json",
    optional_body=True,
    parameters=(
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
    gaps=(
        Gap(
            "enterprise-session-message-method",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1messages/post",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "enterprise-session-message-permission",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1messages/post",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "enterprise-session-message-request",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1messages/post",
            "The request payload.",
        ),
        Gap(
            "enterprise-session-message-response",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1messages/post",
            "The success status and the response payload.",
        ),
        Gap(
            "enterprise-session-message-errors",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1messages/post",
            "The error statuses.",
        ),
    ),
)
