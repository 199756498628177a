# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.ip_access_list.get: GET /v3/enterprise/ip-access-list."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation

OPERATION: Final = Operation(
    id="get_enterprise_ip_access_list",
    method="GET",
    path="/v3/enterprise/ip-access-list",
    scope="enterprise",
    resource="ip_access_list",
    verb="get",
    summary="Read the IP access list.",
    permission="ManageEnterpriseSettings",
    credentials=("serviceUser",),
    gaps=(
        Gap(
            "ip-access-list-get-level",
            "#/paths/~1v3~1enterprise~1ip-access-list/get",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "ip-access-list-get-response",
            "#/paths/~1v3~1enterprise~1ip-access-list/get",
            "The success status and the response payload.",
        ),
        Gap("ip-access-list-get-errors", "#/paths/~1v3~1enterprise~1ip-access-list/get", "The error statuses."),
    ),
)
