# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, Pager, RequestOptions
    from ...models.enterprise_user import EnterpriseUser
    from ...operation import QueryValue


class OrganizationMembers:
    """Members in the organization scope."""

    __slots__ = ("_client", "_org_id")

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self._org_id = org_id

    async def get_user(
        self,
        user_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Get a user of an organization.

        Organization member reads are still beta, although members in general are promoted: the more
        specific statement wins.

        Beta.

        Permission: `ViewOrgMembership` (level not shown). Credential: service user.

        `GET /v3beta1/organizations/{org_id}/members/users/{user_id}`

        Arguments:
            user_id: Id of the user.

        Not shown:
            organization-member-user-level: The level of the permission, and the kinds of credential.
            organization-member-user-response: The success status and the response payload.
            organization-member-user-errors: The error statuses.
        """
        from .get_organization_member_user import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
                "user_id": user_id,
            },
            query={},
        )
        return await self._client.send(request, options)

    def list_idp_users(
        self,
        *,
        first: int | None = None,
        after: str | None = None,
        email: QueryValue | None = None,
        options: RequestOptions | None = None,
    ) -> Pager[Any]:
        """List the users of an organization that come from identity-provider groups.

        Organization member reads are still beta, although members in general are promoted: the more
        specific statement wins.

        Beta.

        Permission: `ViewOrgMembership` (level not shown). Credential: service user.

        `GET /v3beta1/organizations/{org_id}/members/idp-users`

        Arguments:
            first: Page size.
            after: Cursor from the `end_cursor` of the page before.
            email: Filter by address.

        Not shown:
            organization-member-idp-users-level: The level of the permission, and the kinds of credential.
            organization-member-idp-users-email: The type of the email filter, and whether it is exact.
            organization-member-idp-users-response: The success status and the response payload.
            organization-member-idp-users-errors: The error statuses.
        """
        from .list_organization_member_idp_users import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
            },
            query={
                "first": first,
                "after": after,
                "email": email,
            },
        )
        return self._client.paginate(request, options)

    def list_users(
        self,
        *,
        first: int | None = None,
        after: str | None = None,
        email: QueryValue | None = None,
        options: RequestOptions | None = None,
    ) -> Pager[Any]:
        """List the users of an organization.

        Organization member reads are still beta, although members in general are promoted: the more
        specific statement wins.

        Beta.

        Permission: `ViewOrgMembership` (level not shown). Credential: service user.

        `GET /v3beta1/organizations/{org_id}/members/users`

        Arguments:
            first: Page size.
            after: Cursor from the `end_cursor` of the page before.
            email: Filter by address.

        Not shown:
            organization-member-users-level: The level of the permission, and the kinds of credential.
            organization-member-users-email: The type of the email filter, and whether it is exact.
            organization-member-users-response: The success status and the response payload.
            organization-member-users-errors: The error statuses.
        """
        from .list_organization_member_users import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
            },
            query={
                "first": first,
                "after": after,
                "email": email,
            },
        )
        return self._client.paginate(request, options)


class EnterpriseMembers:
    """Members in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def list_idp_users(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the users that come from identity-provider groups.

        Neither the request nor the response is shown.

        Inferred: The user list refers to "a separate IDP-group users endpoint"; its path follows that of
        the organization scope.

        Permission: not shown. Credential: service user.

        `GET /v3/enterprise/members/idp-users`

        Not shown:
            member-idp-users-permission: The permission, its level and the kinds of credential.
            member-idp-users-path: The path.
            member-idp-users-response: The success status and the response payload.
            member-idp-users-errors: The error statuses.
        """
        from .list_enterprise_member_idp_users import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={},
        )
        return await self._client.send(request, options)

    def list_users(
        self,
        *,
        after: str | None = None,
        first: int | None = None,
        email: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pager[EnterpriseUser]:
        """List the users that have direct role assignments.

        Users whose membership derives from identity-provider group assignment are listed by a separate
        IDP-group users endpoint.

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
