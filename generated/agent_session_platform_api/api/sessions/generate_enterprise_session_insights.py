# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.sessions.generate_insights: POST
/v3/enterprise/sessions/{assistant_id}/insights/generate.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="generate_enterprise_session_insights",
    method="POST",
    path="/v3/enterprise/sessions/{assistant_id}/insights/generate",
    scope="enterprise",
    resource="sessions",
    verb="generate_insights",
    summary="Generate insights of a session.",
    permission="ManageOrgSessions",
    credentials=("serviceUser",),
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
    rules=(
        Rule(
            "insights-generate-status",
            "The response has a status: `started` when generation begins, or `already_exists` when insights exist or are in progress; results are read from the existing GET insights endpoint.",
        ),
    ),
    gaps=(
        Gap(
            "enterprise-insights-generate-level",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1insights~1generate/post",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "enterprise-insights-generate-request",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1insights~1generate/post",
            "Whether a request payload is taken.",
        ),
        Gap(
            "enterprise-insights-generate-response",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1insights~1generate/post",
            "The success status.",
        ),
        Gap(
            "enterprise-insights-generate-errors",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1insights~1generate/post",
            "The error statuses.",
        ),
    ),
)
