# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.members.list_users: GET /v3/enterprise/members/users."""

from __future__ import annotations

from typing import Final

from ...operation import Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="list_enterprise_member_users",
    method="GET",
    path="/v3/enterprise/members/users",
    scope="enterprise",
    resource="members",
    verb="list_users",
    summary="List the users that have direct role assignments.",
    permission="ViewAccountMembership",
    level="enterprise",
    credentials=("serviceUser",),
    paginated=True,
    parameters=(
        Parameter(
            name="after",
            location="query",
            kind="string",
            nullable=True,
        ),
        Parameter(
            name="first",
            location="query",
            kind="integer",
            minimum=1,
            maximum=200,
        ),
        Parameter(
            name="email",
            location="query",
            kind="string",
            nullable=True,
        ),
    ),
    rules=(
        Rule("member-users-direct", "Only users that have direct role assignments are listed."),
        Rule("member-users-email-exact", "The `email` filter is an exact match."),
    ),
)
