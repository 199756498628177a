# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.automations.create: POST /v3/organizations/{org_id}/automations."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="create_organization_automation",
    method="POST",
    path="/v3/organizations/{org_id}/automations",
    scope="organization",
    resource="automations",
    verb="create",
    summary="Create an automation.",
    permission="ManageOrgAutomations",
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
            name="",
            location="body",
            argument="body",
        ),
    ),
    rules=(
        Rule(
            "automation-enablement", "Automations must be enabled for an organization before its endpoints can be used."
        ),
        Rule(
            "automation-recurring",
            "Automations use a `schedule:recurring` trigger (an iCalendar RRULE evaluated in UTC) and a `start_session` action in the place of schedules.",
        ),
    ),
    gaps=(
        Gap(
            "automation-create-level",
            "#/paths/~1v3~1organizations~1{org_id}~1automations/post",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "automation-create-request",
            "#/paths/~1v3~1organizations~1{org_id}~1automations/post",
            "The request payload.",
        ),
        Gap(
            "automation-create-response",
            "#/paths/~1v3~1organizations~1{org_id}~1automations/post",
            "The success status and the response payload.",
        ),
        Gap(
            "automation-create-errors", "#/paths/~1v3~1organizations~1{org_id}~1automations/post", "The error statuses."
        ),
    ),
)
