# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of org group limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions


class EnterpriseOrgGroupLimits:
    """Org group limits in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def get(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Read the limits of groups of organizations.

        Groups map organization ids to an optional maximum compute-unit limit per billing cycle.

        Permission: `ManageOrganizations` (level not shown). Credential: service user.

        `GET /v3/enterprise/org-group-limits`

        Rules:
            org-group-limits-enablement: Requires enablement by the account team.

        Not shown:
            org-group-limits-get-level: The level of the permission, and the kinds of credential.
            org-group-limits-get-response: The success status and the response payload.
            org-group-limits-get-errors: The error statuses.
        """
        from .get_enterprise_org_group_limits import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={},
        )
        return await self._client.send(request, options)

    async def set(
        self,
        *,
        body: Mapping[str, Any] | None = None,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Set the limits of groups of organizations.

        Groups map organization ids to an optional maximum compute-unit limit per billing cycle.

        Permission: `ManageOrganizations` (level not shown). Credential: service user.

        `PUT /v3/enterprise/org-group-limits`

        Arguments:
            body: The request payload, which the description does not show.

        Rules:
            org-group-limits-enablement: Requires enablement by the account team.

        Not shown:
            org-group-limits-replace-level: The level of the permission, and the kinds of credential.
            org-group-limits-replace-request: The request payload.
            org-group-limits-replace-response: The success status and the response payload.
            org-group-limits-replace-errors: The error statuses.
        """
        from .set_enterprise_org_group_limits import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={},
            body=body,
        )
        return await self._client.send(request, options)
