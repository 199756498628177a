# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.members.list_idp_users: GET /v3/enterprise/members/idp-users."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...model import anything
from ...operation import Gap, Operation

OPERATION: Final = Operation(
    id="list_enterprise_member_idp_users",
    method="GET",
    path="/v3/enterprise/members/idp-users",
    scope="enterprise",
    resource="members",
    verb="list_idp_users",
    summary="List the users that come from identity-provider groups.",
    permission=None,
    level=None,
    credentials=("serviceUser",),
    paginated=False,
    deprecated=False,
    beta=False,
    inferred='The user list refers to "a separate IDP-group users endpoint"; its path follows that of the organization scope.',
    media_type=None,
    streamed=False,
    successor=None,
    parameters=(),
    rules=(),
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
            "The success status and the response payload.",
        ),
        Gap("member-idp-users-errors", "#/paths/~1v3~1enterprise~1members~1idp-users/get", "The error statuses."),
    ),
)


def decode(payload: Any) -> Mapping[str, Any]:
    """Show the decoded JSON of a success as what the operation answers with."""

    answer: Mapping[str, Any] = anything(payload)
    return answer
