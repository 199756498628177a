# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.sessions.get_insights: GET /v3/enterprise/sessions/{assistant_id}/insights."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="get_enterprise_session_insights",
    method="GET",
    path="/v3/enterprise/sessions/{assistant_id}/insights",
    scope="enterprise",
    resource="sessions",
    verb="get_insights",
    summary="Read the insights of a session.",
    credentials=("serviceUser",),
    inferred='The generation of insights refers to "the existing GET insights endpoint"; its path is that of the generation without `/generate`.',
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
            "enterprise-insights-method",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1insights/get",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "enterprise-insights-permission",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1insights/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "enterprise-insights-response",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1insights/get",
            "The success status and the response payload.",
        ),
        Gap(
            "enterprise-insights-errors",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1insights/get",
            "The error statuses.",
        ),
    ),
)
