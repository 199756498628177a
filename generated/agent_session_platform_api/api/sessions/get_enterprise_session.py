# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.sessions.get: GET /v3/enterprise/sessions/{assistant_id}."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="get_enterprise_session",
    method="GET",
    path="/v3/enterprise/sessions/{assistant_id}",
    scope="enterprise",
    resource="sessions",
    verb="get",
    summary="Get a session.",
    credentials=("serviceUser",),
    inferred="Versioning lists sessions (create, list, get, messages, archive, terminate, tags, insights) as promoted at both scopes; method and path mirror those of the organization scope.",
    job="wait",
    shared_list="list_enterprise_sessions",
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
            "enterprise-session-get-method",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/get",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "enterprise-session-get-permission",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "enterprise-session-get-response",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/get",
            "The success status and the response payload.",
        ),
        Gap(
            "enterprise-session-get-errors",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/get",
            "The error statuses.",
        ),
    ),
)
