# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.automations.update: PATCH
/v3/organizations/{org_id}/automations/{automation_id}.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="update_organization_automation",
    method="PATCH",
    path="/v3/organizations/{org_id}/automations/{automation_id}",
    scope="organization",
    resource="automations",
    verb="update",
    summary="Update an automation.",
    permission="ManageOrgAutomations",
    credentials=("serviceUser",),
    media_type="application/merge-patch+json",
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
        Parameter(
            name="",
            location="body",
            required=True,
            argument="body",
        ),
    ),
    rules=(
        Rule("automation-update-merge", "An update is a member-wise merge."),
        Rule(
            "automation-enablement", "Automations must be enabled for an organization before its endpoints can be used."
        ),
    ),
    gaps=(
        Gap(
            "automation-update-level",
            "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/patch",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "automation-update-media-type",
            "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/patch",
            "The media type of the request body (a member-wise merge; merge-patch, RFC 7396, is used).",
        ),
        Gap(
            "automation-update-request",
            "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/patch",
            "The request payload.",
        ),
        Gap(
            "automation-update-response",
            "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/patch",
            "The success status and the response payload.",
        ),
        Gap(
            "automation-update-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/patch",
            "The error statuses, that of an organization without automations among them.",
        ),
    ),
)
