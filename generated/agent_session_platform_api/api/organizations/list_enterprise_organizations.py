# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.organizations.list: GET /v3/enterprise/organizations."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation

OPERATION: Final = Operation(
    id="list_enterprise_organizations",
    method="GET",
    path="/v3/enterprise/organizations",
    scope="enterprise",
    resource="organizations",
    verb="list",
    summary="List the organizations of the enterprise.",
    credentials=("serviceUser",),
    gaps=(
        Gap(
            "organization-list-permission",
            "#/paths/~1v3~1enterprise~1organizations/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "organization-list-response",
            "#/paths/~1v3~1enterprise~1organizations/get",
            "The success status, the response payload, and whether the list is paginated (list-pagination).",
        ),
        Gap("organization-list-errors", "#/paths/~1v3~1enterprise~1organizations/get", "The error statuses."),
    ),
)
