# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of ip access list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions


class EnterpriseIpAccessList:
    """Ip access list in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def append(
        self,
        *,
        body: Mapping[str, Any] | None = None,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Append ranges to the IP access list.

        PUT replaces the whole list.

        Permission: `ManageEnterpriseSettings` (level not shown). Credential: service user.

        `POST /v3/enterprise/ip-access-list`

        Arguments:
            body: The request payload, which the description does not show.

        Rules:
            ip-access-list-append: POST appends ranges to the list (CIDR supported).

        Not shown:
            ip-access-list-append-level: The level of the permission, and the kinds of credential.
            ip-access-list-append-request: The request payload.
            ip-access-list-append-response: The success status and the response payload.
            ip-access-list-append-errors: The error statuses.
        """
        from .append_enterprise_ip_access_list import OPERATION, decode

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
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Delete the IP access list, or of it.

        Only that DELETE exists is stated.

        Permission: `ManageEnterpriseSettings` (level not shown). Credential: service user.

        `DELETE /v3/enterprise/ip-access-list`

        Not shown:
            ip-access-list-delete-effect: What exactly is deleted.
            ip-access-list-delete-level: The level of the permission, and the kinds of credential.
            ip-access-list-delete-response: The success status and the response payload.
            ip-access-list-delete-errors: The error statuses.
        """
        from .delete_enterprise_ip_access_list import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={},
        )
        return await self._client.send(request, options)

    async def get(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Read the IP access list.

        Neither the request nor the response is shown.

        Permission: `ManageEnterpriseSettings` (level not shown). Credential: service user.

        `GET /v3/enterprise/ip-access-list`

        Not shown:
            ip-access-list-get-level: The level of the permission, and the kinds of credential.
            ip-access-list-get-response: The success status and the response payload.
            ip-access-list-get-errors: The error statuses.
        """
        from .get_enterprise_ip_access_list import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={},
        )
        return await self._client.send(request, options)

    async def replace(
        self,
        *,
        body: Mapping[str, Any] | None = None,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Replace the whole IP access list.

        POST appends to it.

        Permission: `ManageEnterpriseSettings` (level not shown). Credential: service user.

        `PUT /v3/enterprise/ip-access-list`

        Arguments:
            body: The request payload, which the description does not show.

        Rules:
            ip-access-list-replace: PUT replaces the whole list (CIDR supported).

        Not shown:
            ip-access-list-replace-level: The level of the permission, and the kinds of credential.
            ip-access-list-replace-request: The request payload.
            ip-access-list-replace-response: The success status and the response payload.
            ip-access-list-replace-errors: The error statuses.
        """
        from .replace_enterprise_ip_access_list import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={},
            body=body,
        )
        return await self._client.send(request, options)
