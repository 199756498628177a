# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of org group limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import api
from ...catalogue import OPERATIONS
from ...encoding import UNSET
from ...model import OpenModel
from ...operation import CallOptions, Refused, Request


class EnterpriseOrgGroupLimits(api.ResourceMethods):
    """The org group limits of the enterprise."""

    scope = "enterprise"
    resource = "org_group_limits"

    async def get(
        self,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Read the limits of groups of organizations.

        Groups map organization ids to an optional maximum compute-unit limit per billing cycle.

        Sends `GET /v3/enterprise/org-group-limits`.

        Not shown by the API's description: org-group-limits-get-level, org-group-limits-get-response,
        org-group-limits-get-errors.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrganizations` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await platform.enterprise.org_group_limits.get()

        Rules:
            org-group-limits-enablement: Requires enablement by the account team.
        """
        request = Request(
            OPERATIONS["get_enterprise_org_group_limits"],
            OpenModel.from_item,
            path={},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)

    async def set(
        self,
        /,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Set the limits of groups of organizations.

        Groups map organization ids to an optional maximum compute-unit limit per billing cycle.

        Sends `PUT /v3/enterprise/org-group-limits`.

        Not shown by the API's description: org-group-limits-replace-level,
        org-group-limits-replace-request, org-group-limits-replace-response,
        org-group-limits-replace-errors.

        Args:
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrganizations` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.org_group_limits.set(body=payload)

        Rules:
            org-group-limits-enablement: Requires enablement by the account team.
        """
        request = Request(
            OPERATIONS["set_enterprise_org_group_limits"],
            OpenModel.from_item,
            path={},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)
