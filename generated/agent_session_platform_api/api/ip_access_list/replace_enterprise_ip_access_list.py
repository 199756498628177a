# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.ip_access_list.replace: PUT /v3/enterprise/ip-access-list."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="replace_enterprise_ip_access_list",
    method="PUT",
    path="/v3/enterprise/ip-access-list",
    scope="enterprise",
    resource="ip_access_list",
    verb="replace",
    summary="Replace the whole IP access list.",
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
    rules=(Rule("ip-access-list-replace", "PUT replaces the whole list (CIDR supported)."),),
    gaps=(
        Gap(
            "ip-access-list-replace-level",
            "#/paths/~1v3~1enterprise~1ip-access-list/put",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap("ip-access-list-replace-request", "#/paths/~1v3~1enterprise~1ip-access-list/put", "The request payload."),
        Gap(
            "ip-access-list-replace-response",
            "#/paths/~1v3~1enterprise~1ip-access-list/put",
            "The success status and the response payload.",
        ),
        Gap("ip-access-list-replace-errors", "#/paths/~1v3~1enterprise~1ip-access-list/put", "The error statuses."),
    ),
)
