# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.members.list_users: GET /v3beta1/organizations/{org_id}/members/users."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_organization_member_users",
    method="GET",
    path="/v3beta1/organizations/{org_id}/members/users",
    scope="organization",
    resource="members",
    verb="list_users",
    summary="List the users of an organization.",
    permission="ViewOrgMembership",
    credentials=("serviceUser",),
    paginated=True,
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
            name="first",
            location="query",
            kind="integer",
            minimum=1,
            maximum=200,
        ),
        Parameter(
            name="after",
            location="query",
            kind="string",
            nullable=True,
        ),
        Parameter(
            name="email",
            location="query",
        ),
    ),
    gaps=(
        Gap(
            "organization-member-users-level",
            "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1users/get",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "organization-member-users-email",
            "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1users/get",
            "The type of the email filter, and whether it is exact.",
        ),
        Gap(
            "organization-member-users-response",
            "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1users/get",
            "The success status and the response payload.",
        ),
        Gap(
            "organization-member-users-errors",
            "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1users/get",
            "The error statuses.",
        ),
    ),
)
