# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.ip_access_list.append: POST /v3/enterprise/ip-access-list."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="append_enterprise_ip_access_list",
    method="POST",
    path="/v3/enterprise/ip-access-list",
    scope="enterprise",
    resource="ip_access_list",
    verb="append",
    summary="Append ranges to the IP access list.",
    permission="ManageEnterpriseSettings",
    credentials=("serviceUser",),
    media_type="application/json",
    optional_body=True,
    parameters=(
        Parameter(
            name="",
            location="body",
            argument="body",
        ),
    ),
    rules=(Rule("ip-access-list-append", "POST appends ranges to the list (CIDR supported)."),),
    gaps=(
        Gap(
            "ip-access-list-append-level",
            "#/paths/~1v3~1enterprise~1ip-access-list/post",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap("ip-access-list-append-request", "#/paths/~1v3~1enterprise~1ip-access-list/post", "The request payload."),
        Gap(
            "ip-access-list-append-response",
            "#/paths/~1v3~1enterprise~1ip-access-list/post",
            "The success status and the response payload.",
        ),
        Gap("ip-access-list-append-errors", "#/paths/~1v3~1enterprise~1ip-access-list/post", "The error statuses."),
    ),
)
