# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, Pager, RequestOptions


class OrganizationSearches:
    """Searches in the organization scope."""

    __slots__ = ("_client", "_org_id")

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self._org_id = org_id

    def list(
        self,
        *,
        first: int | None = None,
        after: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pager[Any]:
        """List the searches of an organization.

        With pagination and filtering; in neither list of Versioning, so the stated prefix stays, and that
        is a beta one.

        Beta.

        Permission: not shown. Credential: service user.

        `GET /v3beta1/organizations/{org_id}/searches`

        Arguments:
            first: Page size.
            after: Cursor from the `end_cursor` of the page before.

        Not shown:
            organization-searches-permission: The permission, its level and the kinds of credential.
            organization-searches-parameters: The filters and their names.
            organization-searches-response: The success status and the response payload.
            organization-searches-errors: The error statuses.
        """
        from .list_organization_searches import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
            },
            query={
                "first": first,
                "after": after,
            },
        )
        return self._client.paginate(request, options)


class EnterpriseSearches:
    """Searches in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    def list(
        self,
        *,
        first: int | None = None,
        after: str | None = None,
        options: RequestOptions | None = None,
    ) -> Pager[Any]:
        """List the searches of the enterprise.

        With pagination and filtering; in neither list of Versioning, so the stated prefix stays, and that
        is a beta one.

        Beta.

        Permission: not shown. Credential: service user.

        `GET /v3beta1/enterprise/searches`

        Arguments:
            first: Page size.
            after: Cursor from the `end_cursor` of the page before.

        Not shown:
            enterprise-searches-permission: The permission, its level and the kinds of credential.
            enterprise-searches-parameters: The filters and their names.
            enterprise-searches-response: The success status and the response payload.
            enterprise-searches-errors: The error statuses.
        """
        from .list_enterprise_searches import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={
                "first": first,
                "after": after,
            },
        )
        return self._client.paginate(request, options)
