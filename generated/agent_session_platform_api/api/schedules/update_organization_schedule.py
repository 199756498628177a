# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.schedules.update: PATCH
/v3/organizations/{org_id}/schedules/{schedule_id}.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="update_organization_schedule",
    method="PATCH",
    path="/v3/organizations/{org_id}/schedules/{schedule_id}",
    scope="organization",
    resource="schedules",
    verb="update",
    summary="Update a schedule.",
    permission="ManageOrgSchedules",
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
            name="schedule_id",
            location="path",
            kind="string",
            required=True,
        ),
        Parameter(
            name="",
            location="body",
            argument="body",
        ),
    ),
    rules=(
        Rule(
            "schedule-existing-keep-working",
            "Read, update and delete keep working for existing schedules, which are to be converted later.",
        ),
    ),
    gaps=(
        Gap(
            "schedule-update-level",
            "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/patch",
            "The level of the permission (at creation, organization), and the kinds of credential.",
        ),
        Gap(
            "schedule-update-request",
            "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/patch",
            "The request payload.",
        ),
        Gap(
            "schedule-update-response",
            "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/patch",
            "The success status and the response payload.",
        ),
        Gap(
            "schedule-update-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/patch",
            "The error statuses.",
        ),
    ),
)
