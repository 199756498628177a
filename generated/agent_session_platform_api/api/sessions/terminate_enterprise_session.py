# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.sessions.terminate: DELETE /v3/enterprise/sessions/{assistant_id}."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="terminate_enterprise_session",
    method="DELETE",
    path="/v3/enterprise/sessions/{assistant_id}",
    scope="enterprise",
    resource="sessions",
    verb="terminate",
    summary="Terminate a session.",
    credentials=("serviceUser",),
    inferred="Versioning lists sessions (create, list, get, messages, archive, terminate, tags, insights) as promoted at both scopes; method and path mirror those of the organization scope.",
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
            "enterprise-session-terminate-method",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/delete",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "enterprise-session-terminate-archive",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/delete",
            "Whether the query parameter `archive` is taken here.",
        ),
        Gap(
            "enterprise-session-terminate-permission",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/delete",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "enterprise-session-terminate-response",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/delete",
            "The success status and the response payload.",
        ),
        Gap(
            "enterprise-session-terminate-errors",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/delete",
            "The error statuses.",
        ),
    ),
)
