# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.schedules.get: GET /v3/organizations/{org_id}/schedules/{schedule_id}."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="get_organization_schedule",
    method="GET",
    path="/v3/organizations/{org_id}/schedules/{schedule_id}",
    scope="organization",
    resource="schedules",
    verb="get",
    summary="Get a schedule.",
    permission="ManageOrgSchedules",
    credentials=("serviceUser",),
    job="wait",
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
    ),
    rules=(
        Rule(
            "schedule-existing-keep-working",
            "Read, update and delete keep working for existing schedules, which are to be converted later.",
        ),
        Rule("schedule-converted", "A converted schedule's GET response points to the replacement automation."),
    ),
    gaps=(
        Gap(
            "schedule-get-level",
            "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/get",
            "The level of the permission (at creation, organization), and the kinds of credential.",
        ),
        Gap(
            "schedule-get-replacement",
            "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/get",
            "How the response points to the replacement automation.",
        ),
        Gap(
            "schedule-get-response",
            "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/get",
            "The success status and the response payload.",
        ),
        Gap(
            "schedule-get-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/get",
            "The error statuses.",
        ),
    ),
)
