# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.organizations.list: GET /v3/enterprise/organizations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...model import anything
from ...operation import Gap, Operation

OPERATION: Final = Operation(
    id="list_enterprise_organizations",
    method="GET",
    path="/v3/enterprise/organizations",
    scope="enterprise",
    resource="organizations",
    verb="list",
    summary="List the organizations of the enterprise.",
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
    parameters=(),
    rules=(),
    gaps=(
        Gap(
            "organization-list-permission",
            "#/paths/~1v3~1enterprise~1organizations/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "organization-list-response",
            "#/paths/~1v3~1enterprise~1organizations/get",
            "The success status and the response payload.",
        ),
        Gap("organization-list-errors", "#/paths/~1v3~1enterprise~1organizations/get", "The error statuses."),
    ),
)


def decode(payload: Any) -> Mapping[str, Any]:
    """Show the decoded JSON of a success as what the operation answers with."""

    answer: Mapping[str, Any] = anything(payload)
    return answer
