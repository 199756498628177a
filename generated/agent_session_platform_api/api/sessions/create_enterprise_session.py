# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.sessions.create: POST /v3/enterprise/sessions."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="create_enterprise_session",
    method="POST",
    path="/v3/enterprise/sessions",
    scope="enterprise",
    resource="sessions",
    verb="create",
    summary="Create a session.",
    credentials=("serviceUser",),
    inferred="Versioning lists sessions (create, list, get, messages, archive, terminate, tags, insights) as promoted at both scopes; method and path mirror those of the organization scope.",
    media_type="application/json",
    optional_body=True,
    parameters=(
        Parameter(
            name="",
            location="body",
            argument="body",
        ),
    ),
    gaps=(
        Gap(
            "enterprise-session-create-method",
            "#/paths/~1v3~1enterprise~1sessions/post",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "enterprise-session-create-permission",
            "#/paths/~1v3~1enterprise~1sessions/post",
            "The permission, its level and the kinds of credential.",
        ),
        Gap("enterprise-session-create-request", "#/paths/~1v3~1enterprise~1sessions/post", "The request payload."),
        Gap(
            "enterprise-session-create-response",
            "#/paths/~1v3~1enterprise~1sessions/post",
            "The success status and the response payload.",
        ),
        Gap("enterprise-session-create-errors", "#/paths/~1v3~1enterprise~1sessions/post", "The error statuses."),
    ),
)
