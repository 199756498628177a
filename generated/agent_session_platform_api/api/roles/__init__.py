# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of roles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions


class EnterpriseRoles:
    """Roles in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def list(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the roles.

        Neither the request nor the response is shown.

        Permission: not shown. Credential: service user.

        `GET /v3/enterprise/roles`

        Not shown:
            role-list-permission: The permission, its level and the kinds of credential.
            role-list-response: The success status and the response payload.
            role-list-errors: The error statuses.
        """
        from .list_enterprise_roles import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={},
        )
        return await self._client.send(request, options)
