# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.idp_groups.delete: DELETE /v3/enterprise/idp-groups/{idp_group_name}."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="delete_enterprise_idp_group",
    method="DELETE",
    path="/v3/enterprise/idp-groups/{idp_group_name}",
    scope="enterprise",
    resource="idp_groups",
    verb="delete",
    summary="Delete a registered identity-provider group.",
    permission="ManageAccountMembership",
    credentials=("serviceUser",),
    parameters=(
        Parameter(
            name="idp_group_name",
            location="path",
            kind="string",
            required=True,
        ),
    ),
    rules=(
        Rule(
            "idp-group-delete-refused", "Deletion is refused when the group has role assignments or user memberships."
        ),
    ),
    gaps=(
        Gap(
            "idp-group-delete-level",
            "#/paths/~1v3~1enterprise~1idp-groups~1{idp_group_name}/delete",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "idp-group-delete-refusal",
            "#/paths/~1v3~1enterprise~1idp-groups~1{idp_group_name}/delete",
            "The status of the refusal.",
        ),
        Gap(
            "idp-group-delete-response",
            "#/paths/~1v3~1enterprise~1idp-groups~1{idp_group_name}/delete",
            "The success status and the response payload.",
        ),
        Gap(
            "idp-group-delete-errors",
            "#/paths/~1v3~1enterprise~1idp-groups~1{idp_group_name}/delete",
            "The error statuses.",
        ),
    ),
)
