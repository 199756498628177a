# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of acu limits."""

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


class EnterpriseAcuLimits:
    """The acu limits of the enterprise."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def delete(
        self,
        org_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Delete the compute-unit limit of an organization.

        The description's table writes another word in this segment; by its own naming rule the segment is
        `assistant`.

        Inferred: The description says "with PUT and DELETE per organization" and shows no path for it.

        Sends `DELETE /v3/enterprise/consumption/acu-limits/assistant-equivalent/{org_id}`.

        Args:
            org_id: Id of the organization, with the prefix `org-`.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageBilling` at a level that the description does
                not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.acu_limits.delete("org-acme")

        Not shown by the API's description:
            acu-limit-delete-method: That there is such an operation is inferred, and so are its method and
                path.
            acu-limit-delete-level: The level of the permission, and the kinds of credential.
            acu-limit-delete-response: The success status and the response payload.
            acu-limit-delete-errors: The error statuses.
        """
        OPERATION = _delete_enterprise_acu_limit()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": org_id,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)

    async def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Read the compute-unit limits.

        The description's table writes another word in this segment; by its own naming rule the segment is
        `assistant`.

        Sends `GET /v3/enterprise/consumption/acu-limits/assistant-equivalent`.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageBilling` at a level that the description does
                not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await platform.enterprise.acu_limits.get()

        Not shown by the API's description:
            acu-limits-get-level: The level of the permission, and the kinds of credential.
            acu-limits-get-path: Whether the segment ends here: the description says "endpoints".
            acu-limits-get-response: The success status and the response payload.
            acu-limits-get-errors: The error statuses.
        """
        OPERATION = _get_enterprise_acu_limits()
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
        org_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Set the compute-unit limit of an organization.

        The description's table writes another word in this segment; by its own naming rule the segment is
        `assistant`.

        Inferred: The description says "with PUT and DELETE per organization" and shows no path for it.

        Sends `PUT /v3/enterprise/consumption/acu-limits/assistant-equivalent/{org_id}`.

        Args:
            org_id: Id of the organization, with the prefix `org-`.
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageBilling` at a level that the description does
                not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.acu_limits.set("org-acme", body=payload)

        Not shown by the API's description:
            acu-limit-replace-method: That there is such an operation is inferred, and so are its method and
                path.
            acu-limit-replace-level: The level of the permission, and the kinds of credential.
            acu-limit-replace-request: The request payload.
            acu-limit-replace-response: The success status and the response payload.
            acu-limit-replace-errors: The error statuses.
        """
        OPERATION = _set_enterprise_acu_limit()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": org_id,
            },
            query={},
            body=UNSET if body is None else body,
            options=options,
        )
        return await self._client.send(request)


# What a method needs is imported at its first call, because it would add to the start-up of every program; once, because
# an import takes longer than it looks, even of what is there.


@cache
def _delete_enterprise_acu_limit() -> Operation:
    from .delete_enterprise_acu_limit import OPERATION

    return OPERATION


@cache
def _get_enterprise_acu_limits() -> Operation:
    from .get_enterprise_acu_limits import OPERATION

    return OPERATION


@cache
def _set_enterprise_acu_limit() -> Operation:
    from .set_enterprise_acu_limit import OPERATION

    return OPERATION
