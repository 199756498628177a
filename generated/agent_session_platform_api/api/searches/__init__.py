# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of searches."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client
    from ...models.not_shown_page import NotShownPage
    from ...operation import CallOptions, Operation
    from ...pages import Pager


class OrganizationSearches:
    """The searches of the organization."""

    __slots__ = ("_client", "org_id")

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self.org_id = org_id

    def list(
        self,
        *,
        first: int | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> Pager[Any]:
        """List the searches of an organization.

        With pagination and filtering; in neither list of Versioning, so the stated prefix stays, and that
        is a beta one.

        Beta.

        Sends `GET /v3beta1/organizations/{org_id}/searches`.

        Args:
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            A pager: iterate over it for items, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in organization.searches.list():
                print(item)

        Not shown by the API's description:
            organization-searches-permission: The permission, its level and the kinds of credential.
            organization-searches-parameters: The filters and their names.
            organization-searches-response: The success status and the response payload.
            organization-searches-errors: The error statuses.
        """
        OPERATION, NotShownPage = _list_organization_searches()
        request = Request(
            OPERATION,
            NotShownPage.decode,
            path={
                "org_id": self.org_id,
            },
            query={
                "first": first,
                "after": after,
            },
            options=options,
        )
        return self._client.paginate(request)


class EnterpriseSearches:
    """The searches of the enterprise."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    def list(
        self,
        *,
        first: int | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> Pager[Any]:
        """List the searches of the enterprise.

        With pagination and filtering; in neither list of Versioning, so the stated prefix stays, and that
        is a beta one.

        Beta.

        Sends `GET /v3beta1/enterprise/searches`.

        Args:
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            A pager: iterate over it for items, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in platform.enterprise.searches.list():
                print(item)

        Not shown by the API's description:
            enterprise-searches-permission: The permission, its level and the kinds of credential.
            enterprise-searches-parameters: The filters and their names.
            enterprise-searches-response: The success status and the response payload.
            enterprise-searches-errors: The error statuses.
        """
        OPERATION, NotShownPage = _list_enterprise_searches()
        request = Request(
            OPERATION,
            NotShownPage.decode,
            path={},
            query={
                "first": first,
                "after": after,
            },
            options=options,
        )
        return self._client.paginate(request)


# What a method needs is imported at its first call, because it would add to the start-up of every program; once, because
# an import takes longer than it looks, even of what is there.


@cache
def _list_organization_searches() -> tuple[Operation, type[NotShownPage]]:
    from ...models.not_shown_page import NotShownPage
    from .list_organization_searches import OPERATION

    return OPERATION, NotShownPage


@cache
def _list_enterprise_searches() -> tuple[Operation, type[NotShownPage]]:
    from ...models.not_shown_page import NotShownPage
    from .list_enterprise_searches import OPERATION

    return OPERATION, NotShownPage
