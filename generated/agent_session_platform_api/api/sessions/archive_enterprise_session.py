# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.sessions.archive: POST /v3/enterprise/sessions/{assistant_id}/archive."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="archive_enterprise_session",
    method="POST",
    path="/v3/enterprise/sessions/{assistant_id}/archive",
    scope="enterprise",
    resource="sessions",
    verb="archive",
    summary="Archive a session.",
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
            "enterprise-session-archive-method",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1archive/post",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "enterprise-session-archive-permission",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1archive/post",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "enterprise-session-archive-request",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1archive/post",
            "Whether a request payload is taken.",
        ),
        Gap(
            "enterprise-session-archive-response",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1archive/post",
            "The success status and the response payload.",
        ),
        Gap(
            "enterprise-session-archive-errors",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1archive/post",
            "The error statuses.",
        ),
    ),
)
