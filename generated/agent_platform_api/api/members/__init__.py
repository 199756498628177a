# Generated from openapi.yaml by codegen/generate.py: change those, not this file.
"""The methods of members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, Pager, RequestOptions
    from ...models.enterprise_user import EnterpriseUser


class EnterpriseMembers:
    """Members in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    def list_users(
        self,
        *,
        after: str | None = None,
        first: int | None = None,
        email: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pager[EnterpriseUser]:
        """List the users that have direct role assignments.

        Users whose membership derives from identity-provider group assignment are listed by a separate IDP-
        group users endpoint.

        Permission: `ViewAccountMembership` (enterprise level). Credential: service user.

        `GET /v3/enterprise/members/users`

        Arguments:
            after: Cursor from the `end_cursor` of the page before.
            first: Page size.
            email: Only the user with exactly this address.

        Rules:
            member-users-direct: Only users that have direct role assignments are listed.
            member-users-email-exact: The `email` filter is an exact match.
        """
        from .list_enterprise_member_users import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={
                "after": after,
                "first": first,
                "email": email,
            },
        )
        return self._client.paginate(request, options)
