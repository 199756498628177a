# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of members."""

from __future__ import annotations

from functools import partial

from ... import api, models
from ...catalogue import OPERATIONS
from ...decoding import read_payload
from ...interface import OpenList, Pager
from ...model import OpenModel
from ...models.enterprise_user import EnterpriseUser
from ...operation import CallOptions, QueryValue, Refused, Request


class OrganizationMembers(api.OrganizationMethods):
    """The members of the organization."""

    scope = "organization"
    resource = "members"

    async def get_user(
        self,
        user_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Get a user of an organization.

        Organization member reads are still beta, although members in general are promoted: the more
        specific statement wins.

        Beta.

        Sends `GET /v3beta1/organizations/{org_id}/members/users/{user_id}`.

        Not shown by the API's description: organization-member-user-level,
        organization-member-user-response, organization-member-user-errors.

        Args:
            user_id: Id of the user.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgMembership` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await organization.members.get_user("user-1")
        """
        request = Request(
            OPERATIONS["get_organization_member_user"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "user_id": user_id},
            query={},
            members=unknown,
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
        **unknown: Refused,
    ) -> Pager[OpenModel]:
        """List the users of an organization that come from identity-provider groups.

        Organization member reads are still beta, although members in general are promoted: the more
        specific statement wins.

        Beta.

        Sends `GET /v3beta1/organizations/{org_id}/members/idp-users`.

        Not shown by the API's description: organization-member-idp-users-level,
        organization-member-idp-users-email, organization-member-idp-users-response,
        organization-member-idp-users-errors.

        Args:
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            email: Filter by email address; whether it matches exactly is not shown.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A pager: iterate over it for items, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgMembership` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in organization.members.list_idp_users():
                print(item)
        """
        request = Request(
            OPERATIONS["list_organization_member_idp_users"],
            partial(read_payload, models.NotShownPage.from_item, ["an object"]),
            path={"org_id": self.org_id},
            query={"first": first, "after": after, "email": email},
            members=unknown,
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
        **unknown: Refused,
    ) -> Pager[OpenModel]:
        """List the users of an organization.

        Organization member reads are still beta, although members in general are promoted: the more
        specific statement wins.

        Beta.

        Sends `GET /v3beta1/organizations/{org_id}/members/users`.

        Not shown by the API's description: organization-member-users-level,
        organization-member-users-email, organization-member-users-response,
        organization-member-users-errors.

        Args:
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            email: Filter by email address; whether it matches exactly is not shown.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A pager: iterate over it for items, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgMembership` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in organization.members.list_users():
                print(item)
        """
        request = Request(
            OPERATIONS["list_organization_member_users"],
            partial(read_payload, models.NotShownPage.from_item, ["an object"]),
            path={"org_id": self.org_id},
            query={"first": first, "after": after, "email": email},
            members=unknown,
            options=options,
        )
        return self._client.paginate(request)


class EnterpriseMembers(api.ResourceMethods):
    """The members of the enterprise."""

    scope = "enterprise"
    resource = "members"

    def list_idp_users(
        self,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenList[OpenModel]:
        """List the users that come from identity-provider groups.

        Neither the request nor the response is shown.

        Inferred: The user list refers to "a separate IDP-group users endpoint"; its path follows that of
        the organization scope.

        Sends `GET /v3/enterprise/members/idp-users`.

        Not shown by the API's description: member-idp-users-permission, member-idp-users-path,
        member-idp-users-response, member-idp-users-errors.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A list: iterate over it for items; await it for the first response, as `OpenModel`, because the
                description does not show it.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in platform.enterprise.members.list_idp_users():
                print(item)
        """
        request = Request(
            OPERATIONS["list_enterprise_member_idp_users"],
            OpenModel.from_item,
            path={},
            query={},
            members=unknown,
            options=options,
        )
        return self._client.read_list(request)

    def list_users(
        self,
        *,
        after: str | None = None,
        first: int | None = None,
        email: str | None = None,
        options: CallOptions | None = None,
        **unknown: Refused,
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
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A pager: iterate over it for enterprise users, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks `ViewAccountMembership` at enterprise level.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for user in platform.enterprise.members.list_users():
                print(user)

        Rules:
            member-users-direct: Only users that have direct role assignments are listed.
            member-users-email-exact: The `email` filter is an exact match.
        """
        request = Request(
            OPERATIONS["list_enterprise_member_users"],
            partial(read_payload, models.EnterpriseUserPage.from_item, ["an object"]),
            path={},
            query={"after": after, "first": first, "email": email},
            members=unknown,
            options=options,
        )
        return self._client.paginate(request)
