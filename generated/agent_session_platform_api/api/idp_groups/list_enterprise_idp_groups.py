# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.idp_groups.list: GET /v3/enterprise/idp-groups."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation

OPERATION: Final = Operation(
    id="list_enterprise_idp_groups",
    method="GET",
    path="/v3/enterprise/idp-groups",
    scope="enterprise",
    resource="idp_groups",
    verb="list",
    summary="List the registered identity-provider groups.",
    permission="ManageAccountMembership",
    credentials=("serviceUser",),
    gaps=(
        Gap(
            "idp-group-list-level",
            "#/paths/~1v3~1enterprise~1idp-groups/get",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "idp-group-list-response",
            "#/paths/~1v3~1enterprise~1idp-groups/get",
            "The success status, the response payload, and whether the list is paginated (list-pagination).",
        ),
        Gap("idp-group-list-errors", "#/paths/~1v3~1enterprise~1idp-groups/get", "The error statuses."),
    ),
)
