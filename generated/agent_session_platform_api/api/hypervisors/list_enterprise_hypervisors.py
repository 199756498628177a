# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.hypervisors.list: GET /v3/enterprise/hypervisors."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="list_enterprise_hypervisors",
    method="GET",
    path="/v3/enterprise/hypervisors",
    scope="enterprise",
    resource="hypervisors",
    verb="list",
    summary="List the hypervisors.",
    credentials=("serviceUser",),
    parameters=(
        Parameter(
            name="status",
            location="query",
            kind="string",
        ),
    ),
    rules=(
        Rule("hypervisors-status-filter", "The default status filter is `available`; `status=all` returns all."),
        Rule("hypervisors-utilization", "The response carries utilization_percentage."),
    ),
    gaps=(
        Gap(
            "hypervisors-utilization-place",
            "#/paths/~1v3~1enterprise~1hypervisors/get",
            "Where in the response utilization_percentage stands, and its type.",
        ),
        Gap(
            "hypervisors-permission",
            "#/paths/~1v3~1enterprise~1hypervisors/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "hypervisors-response",
            "#/paths/~1v3~1enterprise~1hypervisors/get",
            "The success status, the response payload, and whether the list is paginated (list-pagination).",
        ),
        Gap("hypervisors-errors", "#/paths/~1v3~1enterprise~1hypervisors/get", "The error statuses."),
        Gap(
            "hypervisors-status-values",
            "#/paths/~1v3~1enterprise~1hypervisors/get/parameters/0/schema",
            "Values other than `available` and `all`.",
        ),
    ),
)
