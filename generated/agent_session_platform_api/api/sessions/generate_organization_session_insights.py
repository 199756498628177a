# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.sessions.generate_insights: POST
/v3/organizations/{org_id}/sessions/{assistant_id}/insights/generate.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="generate_organization_session_insights",
    method="POST",
    path="/v3/organizations/{org_id}/sessions/{assistant_id}/insights/generate",
    scope="organization",
    resource="sessions",
    verb="generate_insights",
    summary="Generate insights of a session.",
    permission="ManageOrgSessions",
    credentials=("serviceUser",),
    media_type="application/json",
    optional_body=True,
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
            "organization-insights-generate-level",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights~1generate/post",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "organization-insights-generate-request",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights~1generate/post",
            "Whether a request payload is taken.",
        ),
        Gap(
            "organization-insights-generate-response",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights~1generate/post",
            "The success status.",
        ),
        Gap(
            "organization-insights-generate-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights~1generate/post",
            "The error statuses.",
        ),
    ),
)
