# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.sessions.get_insights: GET
/v3/organizations/{org_id}/sessions/{assistant_id}/insights.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="get_organization_session_insights",
    method="GET",
    path="/v3/organizations/{org_id}/sessions/{assistant_id}/insights",
    scope="organization",
    resource="sessions",
    verb="get_insights",
    summary="Read the insights of a session.",
    credentials=("serviceUser",),
    inferred='The generation of insights refers to "the existing GET insights endpoint"; its path is that of the generation without `/generate`.',
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
            "organization-insights-method",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights/get",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "organization-insights-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "organization-insights-response",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights/get",
            "The success status and the response payload.",
        ),
        Gap(
            "organization-insights-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights/get",
            "The error statuses.",
        ),
    ),
)
