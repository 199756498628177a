# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.metrics.get: GET /v3/enterprise/metrics/{tail}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...model import anything
from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="get_enterprise_metrics",
    method="GET",
    path="/v3/enterprise/metrics/{tail}",
    scope="enterprise",
    resource="metrics",
    verb="get",
    summary="Read usage metrics.",
    permission=None,
    level=None,
    credentials=("serviceUser",),
    paginated=False,
    deprecated=False,
    beta=False,
    inferred=None,
    media_type=None,
    streamed=False,
    successor=None,
    parameters=(
        Parameter(
            name="tail",
            location="path",
            kind="string",
            required=True,
            wildcard=True,
        ),
    ),
    rules=(),
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


def decode(payload: Any) -> Mapping[str, Any]:
    """Show the decoded JSON of a success as what the operation answers with."""

    answer: Mapping[str, Any] = anything(payload)
    return answer
