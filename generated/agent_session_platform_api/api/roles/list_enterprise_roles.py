# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.roles.list: GET /v3/enterprise/roles."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation

OPERATION: Final = Operation(
    id="list_enterprise_roles",
    method="GET",
    path="/v3/enterprise/roles",
    scope="enterprise",
    resource="roles",
    verb="list",
    summary="List the roles.",
    credentials=("serviceUser",),
    gaps=(
        Gap(
            "role-list-permission",
            "#/paths/~1v3~1enterprise~1roles/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "role-list-response",
            "#/paths/~1v3~1enterprise~1roles/get",
            "The success status, the response payload, and whether the list is paginated (list-pagination).",
        ),
        Gap("role-list-errors", "#/paths/~1v3~1enterprise~1roles/get", "The error statuses."),
    ),
)
