# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of hypervisors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions


class EnterpriseHypervisors:
    """Hypervisors in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def list(
        self,
        *,
        status: str | None = None,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the hypervisors.

        The response carries utilization_percentage.

        Permission: not shown. Credential: service user.

        `GET /v3/enterprise/hypervisors`

        Arguments:
            status: Default status filter is `available`; `status=all` returns all.

        Rules:
            hypervisors-status-filter: The default status filter is `available`; `status=all` returns all.
            hypervisors-utilization: The response carries utilization_percentage.

        Not shown:
            hypervisors-utilization-place: Where in the response utilization_percentage stands, and its
                type.
            hypervisors-permission: The permission, its level and the kinds of credential.
            hypervisors-response: The success status and the response payload.
            hypervisors-errors: The error statuses.
            hypervisors-status-values: Values other than `available` and `all`.
        """
        from .list_enterprise_hypervisors import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={
                "status": status,
            },
        )
        return await self._client.send(request, options)
