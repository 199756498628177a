# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.metrics.get_active_users: GET /v3/enterprise/metrics/active-users."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...model import anything
from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="get_enterprise_active_users",
    method="GET",
    path="/v3/enterprise/metrics/active-users",
    scope="enterprise",
    resource="metrics",
    verb="get_active_users",
    summary="Count the unique users of a date range.",
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
    rules=(),
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


def decode(payload: Any) -> Mapping[str, Any]:
    """Show the decoded JSON of a success as what the operation answers with."""

    answer: Mapping[str, Any] = anything(payload)
    return answer
