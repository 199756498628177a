# Generated from openapi.yaml by codegen/generate.py: change those, not this file.
"""The methods of automations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions


class OrganizationAutomations:
    """Automations in the organization scope."""

    __slots__ = ("_client", "_org_id")

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self._org_id = org_id

    async def update(
        self,
        automation_id: str,
        *,
        body: Mapping[str, Any],
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Update an automation.

        The body is merged into the automation member by member.

        Permission: `ManageOrgAutomations` (level not shown). Credential: service user.

        `PATCH /v3/organizations/{org_id}/automations/{automation_id}`

        Arguments:
            automation_id: Id of the automation.
            body: The request payload, which the description does not show.

        Rules:
            automation-update-merge: An update is a member-wise merge.
            automation-enablement: Automations must be enabled for an organization before its endpoints can
                be used.

        Not shown:
            automation-update-level: The level of the permission, and the kinds of credential.
            automation-update-media-type: The media type of the request body (a member-wise merge; merge-
                patch, RFC 7396, is used).
            automation-update-request: The request payload.
            automation-update-response: The success status and the response payload.
            automation-update-errors: The error statuses, that of an organization without automations among
                them.
        """
        from .update_organization_automation import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
                "automation_id": automation_id,
            },
            query={},
            body=body,
        )
        return await self._client.send(request, options)
