# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of git permissions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions


class EnterpriseGitPermissions:
    """Git permissions in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def update(
        self,
        org_id: str,
        git_permission_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Update a git permission.

        For example read_only.

        Permission: `ManageGitIntegrations` (level not shown). Credential: service user.

        `PATCH /v3/enterprise/organizations/{org_id}/git-providers/permissions/{git_permission_id}`

        Arguments:
            org_id: Id of the organization, with the prefix `org-`.
            git_permission_id: Id of the git permission.
            body: The request payload, which the description does not show.

        Not shown:
            git-permission-read-only: Whether read_only is a member or a value.
            git-permission-update-level: The level of the permission, and the kinds of credential.
            git-permission-update-request: The request payload.
            git-permission-update-response: The success status and the response payload.
            git-permission-update-errors: The error statuses.
        """
        from .update_enterprise_git_permission import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": org_id,
                "git_permission_id": git_permission_id,
            },
            query={},
            body=body,
        )
        return await self._client.send(request, options)
