# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of git permissions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import api
from ...catalogue import OPERATIONS
from ...encoding import UNSET
from ...model import OpenModel
from ...operation import CallOptions, Request


class EnterpriseGitPermissions(api.ResourceMethods):
    """The git permissions of the enterprise."""

    scope = "enterprise"
    resource = "git_permissions"

    async def update(
        self,
        /,
        org_id: str,
        git_permission_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Update a git permission.

        For example read_only.

        Sends `PATCH /v3/enterprise/organizations/{org_id}/git-providers/permissions/{git_permission_id}`.

        Not shown by the API's description: git-permission-read-only, git-permission-update-level,
        git-permission-update-request, git-permission-update-response, git-permission-update-errors.

        Args:
            org_id: Id of the organization, with the prefix `org-`.
            git_permission_id: Id of the git permission.
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageGitIntegrations` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.git_permissions.update("org-acme", "permission-1", body=payload)
        """
        request = Request(
            OPERATIONS["update_enterprise_git_permission"],
            OpenModel.from_item,
            path={"org_id": org_id, "git_permission_id": git_permission_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)
