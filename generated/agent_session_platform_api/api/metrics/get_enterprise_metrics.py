# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.metrics.get: GET /v3/enterprise/metrics/{tail}."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="get_enterprise_metrics",
    method="GET",
    path="/v3/enterprise/metrics/{tail}",
    scope="enterprise",
    resource="metrics",
    verb="get",
    summary="Read usage metrics.",
    credentials=("serviceUser",),
    parameters=(
        Parameter(
            name="tail",
            location="path",
            kind="string",
            required=True,
            wildcard=True,
        ),
    ),
    gaps=(
        Gap(
            "metrics-permission",
            "#/paths/~1v3~1enterprise~1metrics~1{tail}/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap("metrics-paths", "#/paths/~1v3~1enterprise~1metrics~1{tail}/get", "The sub-paths and their parameters."),
        Gap(
            "metrics-response",
            "#/paths/~1v3~1enterprise~1metrics~1{tail}/get",
            "The success status and the response payload.",
        ),
        Gap("metrics-errors", "#/paths/~1v3~1enterprise~1metrics~1{tail}/get", "The error statuses."),
    ),
)
