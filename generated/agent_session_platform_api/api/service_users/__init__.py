# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of service users."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions


class OrganizationServiceUsers:
    """Service users in the organization scope."""

    __slots__ = ("_client", "_org_id")

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self._org_id = org_id

    async def create(
        self,
        *,
        body: Mapping[str, Any] | None = None,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Provision a service user of an organization.

        Still beta; the rule of the enterprise scope applies (service-user-role-subset).

        Beta.

        Permission: `ManageOrgServiceUsers` (level not shown). Credential: service user.

        `POST /v3beta1/organizations/{org_id}/service-users`

        Arguments:
            body: The request payload, which the description does not show.

        Rules:
            service-user-role-subset: The target role's permissions must be a subset of the caller's
                permissions, and ManageServiceUsers permissions can never be granted.

        Not shown:
            organization-service-user-create-level: The level of the permission, and the kinds of
                credential.
            organization-service-user-create-request: The request payload.
            organization-service-user-create-response: The success status and the response payload.
            organization-service-user-create-errors: The error statuses.
        """
        from .create_organization_service_user import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
            },
            query={},
            body=body,
        )
        return await self._client.send(request, options)


class EnterpriseServiceUsers:
    """Service users in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def create(
        self,
        *,
        body: Mapping[str, Any] | None = None,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Provision a service user.

        Still beta.

        Beta.

        Permission: `ManageAccountServiceUsers` (level not shown). Credential: service user.

        `POST /v3beta1/enterprise/service-users`

        Arguments:
            body: The request payload, which the description does not show.

        Rules:
            service-user-role-subset: The target role's permissions must be a subset of the caller's
                permissions, and ManageServiceUsers permissions can never be granted.

        Not shown:
            enterprise-service-user-create-level: The level of the permission, and the kinds of credential.
            enterprise-service-user-create-request: The request payload.
            enterprise-service-user-create-response: The success status and the response payload.
            enterprise-service-user-create-errors: The error statuses.
        """
        from .create_enterprise_service_user import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={},
            body=body,
        )
        return await self._client.send(request, options)
