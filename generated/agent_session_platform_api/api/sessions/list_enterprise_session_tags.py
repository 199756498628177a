# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.sessions.list_tags: GET /v3/enterprise/sessions/{assistant_id}/tags."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_enterprise_session_tags",
    method="GET",
    path="/v3/enterprise/sessions/{assistant_id}/tags",
    scope="enterprise",
    resource="sessions",
    verb="list_tags",
    summary="List the tags of a session.",
    credentials=("serviceUser",),
    inferred="Versioning lists tags of sessions at both scopes; path and methods follow the pattern of the other parts of a session.",
    parameters=(
        Parameter(
            name="assistant_id",
            location="path",
            kind="string",
            required=True,
            prefix="assistant-",
            adds_prefix=True,
        ),
    ),
    gaps=(
        Gap(
            "enterprise-session-tags-list-method",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/get",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "enterprise-session-tags-list-permission",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "enterprise-session-tags-list-response",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/get",
            "The success status, the response payload, and whether the list is paginated (list-pagination).",
        ),
        Gap(
            "enterprise-session-tags-list-errors",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/get",
            "The error statuses.",
        ),
    ),
)
