# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.schedules.list: GET /v3/organizations/{org_id}/schedules."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="list_organization_schedules",
    method="GET",
    path="/v3/organizations/{org_id}/schedules",
    scope="organization",
    resource="schedules",
    verb="list",
    summary="List the schedules of an organization.",
    permission="ManageOrgSchedules",
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
            "schedule-existing-keep-working",
            "Read, update and delete keep working for existing schedules, which are to be converted later.",
        ),
    ),
    gaps=(
        Gap(
            "schedule-list-level",
            "#/paths/~1v3~1organizations~1{org_id}~1schedules/get",
            "The level of the permission (at creation, organization), and the kinds of credential.",
        ),
        Gap(
            "schedule-list-response",
            "#/paths/~1v3~1organizations~1{org_id}~1schedules/get",
            "The success status, the response payload, and whether the list is paginated (list-pagination).",
        ),
        Gap("schedule-list-errors", "#/paths/~1v3~1organizations~1{org_id}~1schedules/get", "The error statuses."),
    ),
)
