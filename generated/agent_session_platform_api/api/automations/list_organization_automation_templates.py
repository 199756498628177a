# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.automations.list_templates: GET
/v3/organizations/{org_id}/automations/templates.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="list_organization_automation_templates",
    method="GET",
    path="/v3/organizations/{org_id}/automations/templates",
    scope="organization",
    resource="automations",
    verb="list_templates",
    summary="List the built-in templates.",
    permission="ViewOrgAutomations",
    credentials=("serviceUser",),
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
    ),
    rules=(
        Rule(
            "automation-enablement", "Automations must be enabled for an organization before its endpoints can be used."
        ),
    ),
    gaps=(
        Gap(
            "automation-templates-level",
            "#/paths/~1v3~1organizations~1{org_id}~1automations~1templates/get",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "automation-templates-response",
            "#/paths/~1v3~1organizations~1{org_id}~1automations~1templates/get",
            "The success status, the response payload, and whether the list is paginated (list-pagination).",
        ),
        Gap(
            "automation-templates-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1automations~1templates/get",
            "The error statuses.",
        ),
    ),
)
