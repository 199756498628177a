# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of idp groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions


class EnterpriseIdpGroups:
    """Idp groups in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def create(
        self,
        *,
        body: Mapping[str, Any] | None = None,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Register identity-provider groups, up to 100 per call.

        A bulk registration.

        Permission: `ManageAccountMembership` (level not shown). Credential: service user.

        `POST /v3/enterprise/idp-groups`

        Arguments:
            body: The request payload, which the description does not show.

        Rules:
            idp-groups-bulk-limit: Up to 100 groups are registered per call.

        Not shown:
            idp-group-create-level: The level of the permission, and the kinds of credential.
            idp-group-create-request: The request payload.
            idp-group-create-response: The success status and the response payload.
            idp-group-create-errors: The error statuses.
        """
        from .create_enterprise_idp_groups import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={},
            body=body,
        )
        return await self._client.send(request, options)

    async def delete(
        self,
        idp_group_name: str,
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Delete a registered identity-provider group.

        Refused when the group has role assignments or user memberships.

        Permission: `ManageAccountMembership` (level not shown). Credential: service user.

        `DELETE /v3/enterprise/idp-groups/{idp_group_name}`

        Arguments:
            idp_group_name: Name of the group at the identity provider.

        Rules:
            idp-group-delete-refused: Deletion is refused when the group has role assignments or user
                memberships.

        Not shown:
            idp-group-delete-level: The level of the permission, and the kinds of credential.
            idp-group-delete-refusal: The status of the refusal.
            idp-group-delete-response: The success status and the response payload.
            idp-group-delete-errors: The error statuses.
        """
        from .delete_enterprise_idp_group import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "idp_group_name": idp_group_name,
            },
            query={},
        )
        return await self._client.send(request, options)

    async def list(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the registered identity-provider groups.

        Neither the request nor the response is shown.

        Permission: `ManageAccountMembership` (level not shown). Credential: service user.

        `GET /v3/enterprise/idp-groups`

        Not shown:
            idp-group-list-level: The level of the permission, and the kinds of credential.
            idp-group-list-response: The success status and the response payload.
            idp-group-list-errors: The error statuses.
        """
        from .list_enterprise_idp_groups import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={},
        )
        return await self._client.send(request, options)
