# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.org_group_limits.set: PUT /v3/enterprise/org-group-limits."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="set_enterprise_org_group_limits",
    method="PUT",
    path="/v3/enterprise/org-group-limits",
    scope="enterprise",
    resource="org_group_limits",
    verb="set",
    summary="Set the limits of groups of organizations.",
    permission="ManageOrganizations",
    credentials=("serviceUser",),
    media_type="application/json",
    optional_body=True,
    parameters=(
        Parameter(
            name="",
            location="body",
            argument="body",
        ),
    ),
    rules=(Rule("org-group-limits-enablement", "Requires enablement by the account team."),),
    gaps=(
        Gap(
            "org-group-limits-replace-level",
            "#/paths/~1v3~1enterprise~1org-group-limits/put",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "org-group-limits-replace-request", "#/paths/~1v3~1enterprise~1org-group-limits/put", "The request payload."
        ),
        Gap(
            "org-group-limits-replace-response",
            "#/paths/~1v3~1enterprise~1org-group-limits/put",
            "The success status and the response payload.",
        ),
        Gap("org-group-limits-replace-errors", "#/paths/~1v3~1enterprise~1org-group-limits/put", "The error statuses."),
    ),
)
