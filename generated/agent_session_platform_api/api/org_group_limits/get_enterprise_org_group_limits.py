# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.org_group_limits.get: GET /v3/enterprise/org-group-limits."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Rule

OPERATION: Final = Operation(
    id="get_enterprise_org_group_limits",
    method="GET",
    path="/v3/enterprise/org-group-limits",
    scope="enterprise",
    resource="org_group_limits",
    verb="get",
    summary="Read the limits of groups of organizations.",
    permission="ManageOrganizations",
    credentials=("serviceUser",),
    rules=(Rule("org-group-limits-enablement", "Requires enablement by the account team."),),
    gaps=(
        Gap(
            "org-group-limits-get-level",
            "#/paths/~1v3~1enterprise~1org-group-limits/get",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "org-group-limits-get-response",
            "#/paths/~1v3~1enterprise~1org-group-limits/get",
            "The success status and the response payload.",
        ),
        Gap("org-group-limits-get-errors", "#/paths/~1v3~1enterprise~1org-group-limits/get", "The error statuses."),
    ),
)
