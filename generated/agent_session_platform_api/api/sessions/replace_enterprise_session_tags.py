# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.sessions.replace_tags: PUT /v3/enterprise/sessions/{assistant_id}/tags."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="replace_enterprise_session_tags",
    method="PUT",
    path="/v3/enterprise/sessions/{assistant_id}/tags",
    scope="enterprise",
    resource="sessions",
    verb="replace_tags",
    summary="Replace the tags of a session.",
    credentials=("serviceUser",),
    inferred="Versioning lists tags of sessions at both scopes; path and methods follow the pattern of the other parts of a session.",
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
            "enterprise-session-tags-replace-method",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/put",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "enterprise-session-tags-replace-permission",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/put",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "enterprise-session-tags-replace-request",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/put",
            "The request payload.",
        ),
        Gap(
            "enterprise-session-tags-replace-response",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/put",
            "The success status and the response payload.",
        ),
        Gap(
            "enterprise-session-tags-replace-errors",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/put",
            "The error statuses.",
        ),
    ),
)
