# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.members.get_user: GET
/v3beta1/organizations/{org_id}/members/users/{user_id}.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="get_organization_member_user",
    method="GET",
    path="/v3beta1/organizations/{org_id}/members/users/{user_id}",
    scope="organization",
    resource="members",
    verb="get_user",
    summary="Get a user of an organization.",
    permission="ViewOrgMembership",
    credentials=("serviceUser",),
    beta=True,
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
        Parameter(
            name="user_id",
            location="path",
            kind="string",
            required=True,
        ),
    ),
    gaps=(
        Gap(
            "organization-member-user-level",
            "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1users~1{user_id}/get",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "organization-member-user-response",
            "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1users~1{user_id}/get",
            "The success status and the response payload.",
        ),
        Gap(
            "organization-member-user-errors",
            "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1users~1{user_id}/get",
            "The error statuses.",
        ),
    ),
)
