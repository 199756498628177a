# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.automations.get: GET
/v3/organizations/{org_id}/automations/{automation_id}.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="get_organization_automation",
    method="GET",
    path="/v3/organizations/{org_id}/automations/{automation_id}",
    scope="organization",
    resource="automations",
    verb="get",
    summary="Get an automation.",
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
    ),
    gaps=(
        Gap(
            "automation-get-level",
            "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/get",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "automation-get-response",
            "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/get",
            "The success status and the response payload.",
        ),
        Gap(
            "automation-get-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/get",
            "The error statuses.",
        ),
    ),
)
