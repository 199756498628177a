# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.sessions.get: GET /v3/organizations/{org_id}/sessions/{assistant_id}."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="get_organization_session",
    method="GET",
    path="/v3/organizations/{org_id}/sessions/{assistant_id}",
    scope="organization",
    resource="sessions",
    verb="get",
    summary="Get a session.",
    credentials=("serviceUser",),
    job="wait",
    shared_list="list_organization_sessions",
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
    ),
    gaps=(
        Gap(
            "session-get-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "session-get-response",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/get",
            "The success status and the response payload.",
        ),
        Gap(
            "session-get-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/get",
            "The error statuses.",
        ),
    ),
)
