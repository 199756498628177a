# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.metrics.get_active_users: GET /v3/enterprise/metrics/active-users."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="get_enterprise_active_users",
    method="GET",
    path="/v3/enterprise/metrics/active-users",
    scope="enterprise",
    resource="metrics",
    verb="get_active_users",
    summary="Count the unique users of a date range.",
    credentials=("serviceUser",),
    parameters=(
        Parameter(
            name="min_sessions",
            location="query",
        ),
        Parameter(
            name="min_searches",
            location="query",
        ),
        Parameter(
            name="org_ids",
            location="query",
            kind="array",
        ),
    ),
    gaps=(
        Gap(
            "active-users-permission",
            "#/paths/~1v3~1enterprise~1metrics~1active-users/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "active-users-parameters",
            "#/paths/~1v3~1enterprise~1metrics~1active-users/get",
            "The names of the date range's parameters, and the names and types of the others.",
        ),
        Gap(
            "active-users-response",
            "#/paths/~1v3~1enterprise~1metrics~1active-users/get",
            "The success status and the response payload.",
        ),
        Gap("active-users-errors", "#/paths/~1v3~1enterprise~1metrics~1active-users/get", "The error statuses."),
    ),
)
