# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.sessions.list: GET /v3/enterprise/sessions."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_enterprise_sessions",
    method="GET",
    path="/v3/enterprise/sessions",
    scope="enterprise",
    resource="sessions",
    verb="list",
    summary="List the sessions of the enterprise.",
    credentials=("serviceUser",),
    paginated=True,
    parameters=(
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
            name="org_ids",
            location="query",
            kind="array",
        ),
    ),
    gaps=(
        Gap(
            "enterprise-sessions-permission",
            "#/paths/~1v3~1enterprise~1sessions/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "enterprise-sessions-org-ids",
            "#/paths/~1v3~1enterprise~1sessions/get",
            "The type of org_ids and how several are written into the query.",
        ),
        Gap(
            "enterprise-sessions-parameters",
            "#/paths/~1v3~1enterprise~1sessions/get",
            "Query parameters other than first, after and org_ids.",
        ),
        Gap(
            "enterprise-sessions-response",
            "#/paths/~1v3~1enterprise~1sessions/get",
            "The success status and the response payload.",
        ),
        Gap("enterprise-sessions-errors", "#/paths/~1v3~1enterprise~1sessions/get", "The error statuses."),
    ),
)
