# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of consumption."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions


class EnterpriseConsumption:
    """Consumption in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def get(
        self,
        tail: str,
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Read usage and billing data.

        The description writes `consumption/*`; no sub-path is invented here.

        Permission: not shown. Credential: service user.

        `GET /v3/enterprise/consumption/{tail}`

        Arguments:
            tail: The rest of the path; the description writes a wildcard and shows no sub-path but those
                stated.

        Not shown:
            consumption-permission: The permission, its level and the kinds of credential.
            consumption-paths: The sub-paths and their parameters.
            consumption-response: The success status and the response payload.
            consumption-errors: The error statuses.
        """
        from .get_enterprise_consumption import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "tail": tail,
            },
            query={},
        )
        return await self._client.send(request, options)
