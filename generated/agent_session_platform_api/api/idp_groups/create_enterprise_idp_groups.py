# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.idp_groups.create: POST /v3/enterprise/idp-groups."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="create_enterprise_idp_groups",
    method="POST",
    path="/v3/enterprise/idp-groups",
    scope="enterprise",
    resource="idp_groups",
    verb="create",
    summary="Register identity-provider groups, up to 100 per call.",
    permission="ManageAccountMembership",
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
    rules=(Rule("idp-groups-bulk-limit", "Up to 100 groups are registered per call."),),
    gaps=(
        Gap(
            "idp-group-create-level",
            "#/paths/~1v3~1enterprise~1idp-groups/post",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap("idp-group-create-request", "#/paths/~1v3~1enterprise~1idp-groups/post", "The request payload."),
        Gap(
            "idp-group-create-response",
            "#/paths/~1v3~1enterprise~1idp-groups/post",
            "The success status and the response payload.",
        ),
        Gap("idp-group-create-errors", "#/paths/~1v3~1enterprise~1idp-groups/post", "The error statuses."),
    ),
)
