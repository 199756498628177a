# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of acu limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import api
from ...catalogue import OPERATIONS
from ...encoding import UNSET
from ...model import OpenModel
from ...operation import CallOptions, Refused, Request


class EnterpriseAcuLimits(api.ResourceMethods):
    """The acu limits of the enterprise."""

    scope = "enterprise"
    resource = "acu_limits"

    async def delete(
        self,
        org_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Delete the compute-unit limit of an organization.

        The description's table writes another word in this segment; by its own naming rule the segment is
        `assistant`.

        Inferred: The description says "with PUT and DELETE per organization" and shows no path for it.

        Sends `DELETE /v3/enterprise/consumption/acu-limits/assistant-equivalent/{org_id}`.

        Not shown by the API's description: acu-limit-delete-method, acu-limit-delete-level,
        acu-limit-delete-response, acu-limit-delete-errors.

        Args:
            org_id: Id of the organization, with the prefix `org-`.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageBilling` at a level that the description does
                not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.acu_limits.delete("org-acme")
        """
        request = Request(
            OPERATIONS["delete_enterprise_acu_limit"],
            OpenModel.from_item,
            path={"org_id": org_id},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)

    async def get(
        self,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Read the compute-unit limits.

        The description's table writes another word in this segment; by its own naming rule the segment is
        `assistant`.

        Sends `GET /v3/enterprise/consumption/acu-limits/assistant-equivalent`.

        Not shown by the API's description: acu-limits-get-level, acu-limits-get-path,
        acu-limits-get-response, acu-limits-get-errors.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageBilling` at a level that the description does
                not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await platform.enterprise.acu_limits.get()
        """
        request = Request(
            OPERATIONS["get_enterprise_acu_limits"],
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
        org_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Set the compute-unit limit of an organization.

        The description's table writes another word in this segment; by its own naming rule the segment is
        `assistant`.

        Inferred: The description says "with PUT and DELETE per organization" and shows no path for it.

        Sends `PUT /v3/enterprise/consumption/acu-limits/assistant-equivalent/{org_id}`.

        Not shown by the API's description: acu-limit-replace-method, acu-limit-replace-level,
        acu-limit-replace-request, acu-limit-replace-response, acu-limit-replace-errors.

        Args:
            org_id: Id of the organization, with the prefix `org-`.
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageBilling` at a level that the description does
                not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.acu_limits.set("org-acme", body=payload)
        """
        request = Request(
            OPERATIONS["set_enterprise_acu_limit"],
            OpenModel.from_item,
            path={"org_id": org_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)
