# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.sessions.get_insights: GET
/v3/organizations/{org_id}/sessions/{assistant_id}/insights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...model import anything
from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="get_organization_session_insights",
    method="GET",
    path="/v3/organizations/{org_id}/sessions/{assistant_id}/insights",
    scope="organization",
    resource="sessions",
    verb="get_insights",
    summary="Read the insights of a session.",
    permission=None,
    level=None,
    credentials=("serviceUser",),
    paginated=False,
    deprecated=False,
    beta=False,
    inferred='The generation of insights refers to "the existing GET insights endpoint"; its path is that of the generation without `/generate`.',
    media_type=None,
    streamed=False,
    successor=None,
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
        ),
        Parameter(
            name="assistant_id",
            location="path",
            kind="string",
            required=True,
        ),
    ),
    rules=(),
    gaps=(
        Gap(
            "organization-insights-method",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights/get",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "organization-insights-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "organization-insights-response",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights/get",
            "The success status and the response payload.",
        ),
        Gap(
            "organization-insights-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights/get",
            "The error statuses.",
        ),
    ),
)


def decode(payload: Any) -> Mapping[str, Any]:
    """Show the decoded JSON of a success as what the operation answers with."""

    answer: Mapping[str, Any] = anything(payload)
    return answer
