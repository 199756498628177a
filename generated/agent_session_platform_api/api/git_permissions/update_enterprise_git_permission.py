# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.git_permissions.update: PATCH
/v3/enterprise/organizations/{org_id}/git-providers/permissions/{git_permission_id}.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="update_enterprise_git_permission",
    method="PATCH",
    path="/v3/enterprise/organizations/{org_id}/git-providers/permissions/{git_permission_id}",
    scope="enterprise",
    resource="git_permissions",
    verb="update",
    summary="Update a git permission.",
    permission="ManageGitIntegrations",
    credentials=("serviceUser",),
    media_type="application/json",
    optional_body=True,
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
        Parameter(
            name="git_permission_id",
            location="path",
            kind="string",
            required=True,
        ),
        Parameter(
            name="",
            location="body",
            argument="body",
        ),
    ),
    gaps=(
        Gap(
            "git-permission-read-only",
            "#/paths/~1v3~1enterprise~1organizations~1{org_id}~1git-providers~1permissions~1{git_permission_id}/patch",
            "Whether read_only is a member or a value.",
        ),
        Gap(
            "git-permission-update-level",
            "#/paths/~1v3~1enterprise~1organizations~1{org_id}~1git-providers~1permissions~1{git_permission_id}/patch",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "git-permission-update-request",
            "#/paths/~1v3~1enterprise~1organizations~1{org_id}~1git-providers~1permissions~1{git_permission_id}/patch",
            "The request payload.",
        ),
        Gap(
            "git-permission-update-response",
            "#/paths/~1v3~1enterprise~1organizations~1{org_id}~1git-providers~1permissions~1{git_permission_id}/patch",
            "The success status and the response payload.",
        ),
        Gap(
            "git-permission-update-errors",
            "#/paths/~1v3~1enterprise~1organizations~1{org_id}~1git-providers~1permissions~1{git_permission_id}/patch",
            "The error statuses.",
        ),
    ),
)
