# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of organizations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions


class EnterpriseOrganizations:
    """Organizations in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def list(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the organizations of the enterprise.

        Neither the request nor the response is shown.

        Permission: not shown. Credential: service user.

        `GET /v3/enterprise/organizations`

        Not shown:
            organization-list-permission: The permission, its level and the kinds of credential.
            organization-list-response: The success status and the response payload.
            organization-list-errors: The error statuses.
        """
        from .list_enterprise_organizations import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={},
        )
        return await self._client.send(request, options)
