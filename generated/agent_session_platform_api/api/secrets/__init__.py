# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions


class OrganizationSecrets:
    """Secrets in the organization scope."""

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
        """Create a secret.

        The payload is not shown but for the types of a secret.

        Permission: `ManageOrgSecrets` (level not shown). Credential: service user.

        `POST /v3/organizations/{org_id}/secrets`

        Arguments:
            body: The request payload, which the description does not show.

        Rules:
            secret-type-dictionary: The `dictionary` secret type is recognized but deprecated for creation;
                use `cookie`, `key-value` or `totp`.

        Not shown:
            secret-create-type: The name of the member that has the type, and further types.
            secret-create-level: The level of the permission, and the kinds of credential.
            secret-create-request: The request payload.
            secret-create-response: The success status and the response payload.
            secret-create-errors: The error statuses.
        """
        from .create_organization_secret import OPERATION, decode

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

    async def delete(
        self,
        secret_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Delete a secret.

        The secret that the path names.

        Permission: `ManageOrgSecrets` (level not shown). Credential: service user.

        `DELETE /v3/organizations/{org_id}/secrets/{secret_id}`

        Arguments:
            secret_id: Id of the secret.

        Not shown:
            secret-delete-level: The level of the permission, and the kinds of credential.
            secret-delete-response: The success status and the response payload.
            secret-delete-errors: The error statuses.
        """
        from .delete_organization_secret import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
                "secret_id": secret_id,
            },
            query={},
        )
        return await self._client.send(request, options)

    async def list(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the secrets of an organization.

        Neither the request nor the response is shown.

        Permission: `ManageOrgSecrets` (level not shown). Credential: service user.

        `GET /v3/organizations/{org_id}/secrets`

        Not shown:
            secret-list-level: The level of the permission, and the kinds of credential.
            secret-list-response: The success status and the response payload.
            secret-list-errors: The error statuses.
        """
        from .list_organization_secrets import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
            },
            query={},
        )
        return await self._client.send(request, options)
