# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of members."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from ...decoding import decode_any
from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client
    from ...models.enterprise_user import EnterpriseUser
    from ...models.enterprise_user_page import EnterpriseUserPage
    from ...models.not_shown_page import NotShownPage
    from ...operation import CallOptions, Operation, QueryValue
    from ...pages import Pager


class OrganizationMembers:
    """The members of the organization."""

    __slots__ = ("_client", "org_id")

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self.org_id = org_id

    async def get_user(
        self,
        user_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Get a user of an organization.

        Organization member reads are still beta, although members in general are promoted: the more
        specific statement wins.

        Beta.

        Sends `GET /v3beta1/organizations/{org_id}/members/users/{user_id}`.

        Args:
            user_id: Id of the user.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgMembership` at a level that the description
                does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await organization.members.get_user("user-1")

        Not shown by the API's description:
            organization-member-user-level: The level of the permission, and the kinds of credential.
            organization-member-user-response: The success status and the response payload.
            organization-member-user-errors: The error statuses.
        """
        OPERATION = _get_organization_member_user()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
                "user_id": user_id,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)

    def list_idp_users(
        self,
        *,
        first: int | None = None,
        after: str | None = None,
        email: QueryValue | None = None,
        options: CallOptions | None = None,
    ) -> Pager[Any]:
        """List the users of an organization that come from identity-provider groups.

        Organization member reads are still beta, although members in general are promoted: the more
        specific statement wins.

        Beta.

        Sends `GET /v3beta1/organizations/{org_id}/members/idp-users`.

        Args:
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            email: Filter by email address; whether it matches exactly is not shown.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            A pager: iterate over it for items, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgMembership` at a level that the description
                does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in organization.members.list_idp_users():
                print(item)

        Not shown by the API's description:
            organization-member-idp-users-level: The level of the permission, and the kinds of credential.
            organization-member-idp-users-email: The type of the email filter, and whether it is exact.
            organization-member-idp-users-response: The success status and the response payload.
            organization-member-idp-users-errors: The error statuses.
        """
        OPERATION, NotShownPage = _list_organization_member_idp_users()
        request = Request(
            OPERATION,
            NotShownPage.decode,
            path={
                "org_id": self.org_id,
            },
            query={
                "first": first,
                "after": after,
                "email": email,
            },
            options=options,
        )
        return self._client.paginate(request)

    def list_users(
        self,
        *,
        first: int | None = None,
        after: str | None = None,
        email: QueryValue | None = None,
        options: CallOptions | None = None,
    ) -> Pager[Any]:
        """List the users of an organization.

        Organization member reads are still beta, although members in general are promoted: the more
        specific statement wins.

        Beta.

        Sends `GET /v3beta1/organizations/{org_id}/members/users`.

        Args:
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            email: Filter by email address; whether it matches exactly is not shown.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            A pager: iterate over it for items, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgMembership` at a level that the description
                does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in organization.members.list_users():
                print(item)

        Not shown by the API's description:
            organization-member-users-level: The level of the permission, and the kinds of credential.
            organization-member-users-email: The type of the email filter, and whether it is exact.
            organization-member-users-response: The success status and the response payload.
            organization-member-users-errors: The error statuses.
        """
        OPERATION, NotShownPage = _list_organization_member_users()
        request = Request(
            OPERATION,
            NotShownPage.decode,
            path={
                "org_id": self.org_id,
            },
            query={
                "first": first,
                "after": after,
                "email": email,
            },
            options=options,
        )
        return self._client.paginate(request)


class EnterpriseMembers:
    """The members of the enterprise."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def list_idp_users(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the users that come from identity-provider groups.

        Neither the request nor the response is shown.

        Inferred: The user list refers to "a separate IDP-group users endpoint"; its path follows that of
        the organization scope.

        Sends `GET /v3/enterprise/members/idp-users`.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await platform.enterprise.members.list_idp_users()

        Not shown by the API's description:
            member-idp-users-permission: The permission, its level and the kinds of credential.
            member-idp-users-path: The path.
            member-idp-users-response: The success status, the response payload, and whether the list is
                paginated, as that of the organization scope is (list-pagination).
            member-idp-users-errors: The error statuses.
        """
        OPERATION = _list_enterprise_member_idp_users()
        request = Request(
            OPERATION,
            decode_any,
            path={},
            query={},
            options=options,
        )
        return await self._client.send(request)

    def list_users(
        self,
        *,
        after: str | None = None,
        first: int | None = None,
        email: str | None = None,
        options: CallOptions | None = None,
    ) -> Pager[EnterpriseUser]:
        """List the users that have direct role assignments.

        Users whose membership derives from identity-provider group assignment are listed by a separate
        IDP-group users endpoint.

        Sends `GET /v3/enterprise/members/users`.

        Args:
            after: Cursor to resume from, as given by `Pager.cursor`.
            first: Page size, from 1 to 200; the server's default is 100.
            email: Only the user with exactly this email address.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            A pager: iterate over it for enterprise users, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks `ViewAccountMembership` at enterprise level.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for user in platform.enterprise.members.list_users():
                print(user.user_id)

        Rules:
            member-users-direct: Only users that have direct role assignments are listed.
            member-users-email-exact: The `email` filter is an exact match.
        """
        OPERATION, EnterpriseUserPage = _list_enterprise_member_users()
        request = Request(
            OPERATION,
            EnterpriseUserPage.decode,
            path={},
            query={
                "after": after,
                "first": first,
                "email": email,
            },
            options=options,
        )
        return self._client.paginate(request)


# What a method needs is imported at its first call, because it would add to the start-up of every program; once, because
# an import takes longer than it looks, even of what is there.


@cache
def _get_organization_member_user() -> Operation:
    from .get_organization_member_user import OPERATION

    return OPERATION


@cache
def _list_organization_member_idp_users() -> tuple[Operation, type[NotShownPage]]:
    from ...models.not_shown_page import NotShownPage
    from .list_organization_member_idp_users import OPERATION

    return OPERATION, NotShownPage


@cache
def _list_organization_member_users() -> tuple[Operation, type[NotShownPage]]:
    from ...models.not_shown_page import NotShownPage
    from .list_organization_member_users import OPERATION

    return OPERATION, NotShownPage


@cache
def _list_enterprise_member_idp_users() -> Operation:
    from .list_enterprise_member_idp_users import OPERATION

    return OPERATION


@cache
def _list_enterprise_member_users() -> tuple[Operation, type[EnterpriseUserPage]]:
    from ...models.enterprise_user_page import EnterpriseUserPage
    from .list_enterprise_member_users import OPERATION

    return OPERATION, EnterpriseUserPage
