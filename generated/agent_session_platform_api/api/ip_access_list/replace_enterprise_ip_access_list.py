# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.ip_access_list.replace: PUT /v3/enterprise/ip-access-list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...model import anything
from ...operation import Gap, Operation, Rule

OPERATION: Final = Operation(
    id="replace_enterprise_ip_access_list",
    method="PUT",
    path="/v3/enterprise/ip-access-list",
    scope="enterprise",
    resource="ip_access_list",
    verb="replace",
    summary="Replace the whole IP access list.",
    permission="ManageEnterpriseSettings",
    level=None,
    credentials=("serviceUser",),
    paginated=False,
    deprecated=False,
    beta=False,
    inferred=None,
    media_type="application/json",
    streamed=False,
    successor=None,
    parameters=(),
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


def decode(payload: Any) -> Mapping[str, Any]:
    """Show the decoded JSON of a success as what the operation answers with."""

    answer: Mapping[str, Any] = anything(payload)
    return answer
