# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.members.list_users: GET /v3/enterprise/members/users."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...operation import Operation, Parameter, Rule

if TYPE_CHECKING:
    from ...models.enterprise_user_page import EnterpriseUserPage

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
    deprecated=False,
    beta=False,
    inferred=None,
    media_type=None,
    streamed=False,
    successor=None,
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
    gaps=(),
)


def decode(payload: Any) -> EnterpriseUserPage:
    """Show the decoded JSON of a success as what the operation answers with."""
    from ...models.enterprise_user_page import EnterpriseUserPage

    answer: EnterpriseUserPage = EnterpriseUserPage.decode(payload)
    return answer
