# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.sessions.list: GET /v3/organizations/{org_id}/sessions."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="list_organization_sessions",
    method="GET",
    path="/v3/organizations/{org_id}/sessions",
    scope="organization",
    resource="sessions",
    verb="list",
    summary="List the sessions of an organization.",
    permission="ViewOrgSessions",
    level="organization",
    credentials=("serviceUser", "personalAccessToken"),
    paginated=True,
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
        Parameter(
            name="first",
            location="query",
            kind="integer",
            minimum=1,
            maximum=200,
        ),
        Parameter(
            name="after",
            location="query",
            kind="string",
            nullable=True,
        ),
        Parameter(
            name="origins",
            location="query",
            kind="array",
        ),
    ),
    rules=(Rule("session-list-no-order", "Clients must not send the query parameter `order`."),),
    gaps=(
        Gap(
            "session-list-parameters",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions/get",
            "Query parameters other than first, after and origins.",
        ),
        Gap(
            "session-list-error-statuses",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions/get",
            "The statuses of the problem-detail bodies.",
        ),
        Gap(
            "session-list-origins-encoding",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions/get/parameters/2/schema",
            "How several origins are written into the query (repeated here, the OpenAPI default).",
        ),
    ),
)
