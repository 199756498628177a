# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.ip_access_list.delete: DELETE /v3/enterprise/ip-access-list."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation

OPERATION: Final = Operation(
    id="delete_enterprise_ip_access_list",
    method="DELETE",
    path="/v3/enterprise/ip-access-list",
    scope="enterprise",
    resource="ip_access_list",
    verb="delete",
    summary="Delete the IP access list, or a part of it.",
    permission="ManageEnterpriseSettings",
    credentials=("serviceUser",),
    gaps=(
        Gap(
            "ip-access-list-delete-effect",
            "#/paths/~1v3~1enterprise~1ip-access-list/delete",
            "What exactly is deleted.",
        ),
        Gap(
            "ip-access-list-delete-level",
            "#/paths/~1v3~1enterprise~1ip-access-list/delete",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "ip-access-list-delete-response",
            "#/paths/~1v3~1enterprise~1ip-access-list/delete",
            "The success status and the response payload.",
        ),
        Gap("ip-access-list-delete-errors", "#/paths/~1v3~1enterprise~1ip-access-list/delete", "The error statuses."),
    ),
)
