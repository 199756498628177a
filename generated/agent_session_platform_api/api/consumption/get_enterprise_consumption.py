# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.consumption.get: GET /v3/enterprise/consumption/{tail}."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="get_enterprise_consumption",
    method="GET",
    path="/v3/enterprise/consumption/{tail}",
    scope="enterprise",
    resource="consumption",
    verb="get",
    summary="Read usage and billing data.",
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
            "consumption-permission",
            "#/paths/~1v3~1enterprise~1consumption~1{tail}/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "consumption-paths",
            "#/paths/~1v3~1enterprise~1consumption~1{tail}/get",
            "The sub-paths and their parameters.",
        ),
        Gap(
            "consumption-response",
            "#/paths/~1v3~1enterprise~1consumption~1{tail}/get",
            "The success status and the response payload.",
        ),
        Gap("consumption-errors", "#/paths/~1v3~1enterprise~1consumption~1{tail}/get", "The error statuses."),
    ),
)
