# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.members.list_idp_users: GET /v3/enterprise/members/idp-users."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation

OPERATION: Final = Operation(
    id="list_enterprise_member_idp_users",
    method="GET",
    path="/v3/enterprise/members/idp-users",
    scope="enterprise",
    resource="members",
    verb="list_idp_users",
    summary="List the users that come from identity-provider groups.",
    credentials=("serviceUser",),
    inferred='The user list refers to "a separate IDP-group users endpoint"; its path follows that of the organization scope.',
    gaps=(
        Gap(
            "member-idp-users-permission",
            "#/paths/~1v3~1enterprise~1members~1idp-users/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap("member-idp-users-path", "#/paths/~1v3~1enterprise~1members~1idp-users/get", "The path."),
        Gap(
            "member-idp-users-response",
            "#/paths/~1v3~1enterprise~1members~1idp-users/get",
            "The success status, the response payload, and whether the list is paginated, as that of the organization scope is (list-pagination).",
        ),
        Gap("member-idp-users-errors", "#/paths/~1v3~1enterprise~1members~1idp-users/get", "The error statuses."),
    ),
)
