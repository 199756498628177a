# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of org group limits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from ...decoding import decode_any
from ...operation import Request
from ...unset import UNSET

if TYPE_CHECKING:
    from ...client import Client
    from ...operation import CallOptions, Operation


class EnterpriseOrgGroupLimits:
    """The org group limits of the enterprise."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Read the limits of groups of organizations.

        Groups map organization ids to an optional maximum compute-unit limit per billing cycle.

        Sends `GET /v3/enterprise/org-group-limits`.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrganizations` at a level that the
                description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await platform.enterprise.org_group_limits.get()

        Rules:
            org-group-limits-enablement: Requires enablement by the account team.

        Not shown by the API's description:
            org-group-limits-get-level: The level of the permission, and the kinds of credential.
            org-group-limits-get-response: The success status and the response payload.
            org-group-limits-get-errors: The error statuses.
        """
        OPERATION = _get_enterprise_org_group_limits()
        request = Request(
            OPERATION,
            decode_any,
            path={},
            query={},
            options=options,
        )
        return await self._client.send(request)

    async def set(
        self,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Set the limits of groups of organizations.

        Groups map organization ids to an optional maximum compute-unit limit per billing cycle.

        Sends `PUT /v3/enterprise/org-group-limits`.

        Args:
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrganizations` at a level that the
                description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.org_group_limits.set(body=payload)

        Rules:
            org-group-limits-enablement: Requires enablement by the account team.

        Not shown by the API's description:
            org-group-limits-replace-level: The level of the permission, and the kinds of credential.
            org-group-limits-replace-request: The request payload.
            org-group-limits-replace-response: The success status and the response payload.
            org-group-limits-replace-errors: The error statuses.
        """
        OPERATION = _set_enterprise_org_group_limits()
        request = Request(
            OPERATION,
            decode_any,
            path={},
            query={},
            body=UNSET if body is None else body,
            options=options,
        )
        return await self._client.send(request)


# What a method needs is imported at its first call, because it would add to the start-up of every program; once, because
# an import takes longer than it looks, even of what is there.


@cache
def _get_enterprise_org_group_limits() -> Operation:
    from .get_enterprise_org_group_limits import OPERATION

    return OPERATION


@cache
def _set_enterprise_org_group_limits() -> Operation:
    from .set_enterprise_org_group_limits import OPERATION

    return OPERATION
