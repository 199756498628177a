# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.automations.delete: DELETE
/v3/organizations/{org_id}/automations/{automation_id}.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="delete_organization_automation",
    method="DELETE",
    path="/v3/organizations/{org_id}/automations/{automation_id}",
    scope="organization",
    resource="automations",
    verb="delete",
    summary="Soft-delete an automation.",
    permission="ManageOrgAutomations",
    credentials=("serviceUser",),
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
        Parameter(
            name="automation_id",
            location="path",
            kind="string",
            required=True,
        ),
    ),
    rules=(
        Rule(
            "automation-enablement", "Automations must be enabled for an organization before its endpoints can be used."
        ),
        Rule("automation-soft-delete", "Deletion is a soft delete."),
    ),
    gaps=(
        Gap(
            "automation-delete-level",
            "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/delete",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "automation-delete-response",
            "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/delete",
            "The success status and the response payload.",
        ),
        Gap(
            "automation-delete-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/delete",
            "The error statuses.",
        ),
    ),
)
