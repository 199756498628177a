# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of searches."""

from __future__ import annotations

from functools import partial

from ... import api, models
from ...catalogue import OPERATIONS
from ...decoding import read_payload
from ...interface import Pager
from ...model import OpenModel
from ...operation import CallOptions, Refused, Request


class OrganizationSearches(api.OrganizationMethods):
    """The searches of the organization."""

    scope = "organization"
    resource = "searches"

    def list(
        self,
        *,
        first: int | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> Pager[OpenModel]:
        """List the searches of an organization.

        With pagination and filtering; in neither list of Versioning, so the stated prefix stays, and that
        is a beta one.

        Beta.

        Sends `GET /v3beta1/organizations/{org_id}/searches`.

        Not shown by the API's description: organization-searches-permission,
        organization-searches-parameters, organization-searches-response, organization-searches-errors.

        Args:
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A pager: iterate over it for items, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in organization.searches.list():
                print(item)
        """
        request = Request(
            OPERATIONS["list_organization_searches"],
            partial(read_payload, models.NotShownPage.from_item, ["an object"]),
            path={"org_id": self.org_id},
            query={"first": first, "after": after},
            members=unknown,
            options=options,
        )
        return self._client.paginate(request)


class EnterpriseSearches(api.ResourceMethods):
    """The searches of the enterprise."""

    scope = "enterprise"
    resource = "searches"

    def list(
        self,
        *,
        first: int | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> Pager[OpenModel]:
        """List the searches of the enterprise.

        With pagination and filtering; in neither list of Versioning, so the stated prefix stays, and that
        is a beta one.

        Beta.

        Sends `GET /v3beta1/enterprise/searches`.

        Not shown by the API's description: enterprise-searches-permission, enterprise-searches-parameters,
        enterprise-searches-response, enterprise-searches-errors.

        Args:
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A pager: iterate over it for items, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in platform.enterprise.searches.list():
                print(item)
        """
        request = Request(
            OPERATIONS["list_enterprise_searches"],
            partial(read_payload, models.NotShownPage.from_item, ["an object"]),
            path={},
            query={"first": first, "after": after},
            members=unknown,
            options=options,
        )
        return self._client.paginate(request)
