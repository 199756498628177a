# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of ip access list."""

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


class EnterpriseIpAccessList:
    """The ip access list of the enterprise."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def append(
        self,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Append ranges to the IP access list.

        PUT replaces the whole list.

        Sends `POST /v3/enterprise/ip-access-list`.

        Args:
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageEnterpriseSettings` at a level that the
                description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.ip_access_list.append(body=payload)

        Rules:
            ip-access-list-append: POST appends ranges to the list (CIDR supported).

        Not shown by the API's description:
            ip-access-list-append-level: The level of the permission, and the kinds of credential.
            ip-access-list-append-request: The request payload.
            ip-access-list-append-response: The success status and the response payload.
            ip-access-list-append-errors: The error statuses.
        """
        OPERATION = _append_enterprise_ip_access_list()
        request = Request(
            OPERATION,
            decode_any,
            path={},
            query={},
            body=UNSET if body is None else body,
            options=options,
        )
        return await self._client.send(request)

    async def delete(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Delete the IP access list, or a part of it.

        Only that DELETE exists is stated.

        Sends `DELETE /v3/enterprise/ip-access-list`.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageEnterpriseSettings` at a level that the
                description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.ip_access_list.delete()

        Not shown by the API's description:
            ip-access-list-delete-effect: What exactly is deleted.
            ip-access-list-delete-level: The level of the permission, and the kinds of credential.
            ip-access-list-delete-response: The success status and the response payload.
            ip-access-list-delete-errors: The error statuses.
        """
        OPERATION = _delete_enterprise_ip_access_list()
        request = Request(
            OPERATION,
            decode_any,
            path={},
            query={},
            options=options,
        )
        return await self._client.send(request)

    async def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Read the IP access list.

        Neither the request nor the response is shown.

        Sends `GET /v3/enterprise/ip-access-list`.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageEnterpriseSettings` at a level that the
                description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await platform.enterprise.ip_access_list.get()

        Not shown by the API's description:
            ip-access-list-get-level: The level of the permission, and the kinds of credential.
            ip-access-list-get-response: The success status and the response payload.
            ip-access-list-get-errors: The error statuses.
        """
        OPERATION = _get_enterprise_ip_access_list()
        request = Request(
            OPERATION,
            decode_any,
            path={},
            query={},
            options=options,
        )
        return await self._client.send(request)

    async def replace(
        self,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Replace the whole IP access list.

        POST appends to it.

        Sends `PUT /v3/enterprise/ip-access-list`.

        Args:
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageEnterpriseSettings` at a level that the
                description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.ip_access_list.replace(body=payload)

        Rules:
            ip-access-list-replace: PUT replaces the whole list (CIDR supported).

        Not shown by the API's description:
            ip-access-list-replace-level: The level of the permission, and the kinds of credential.
            ip-access-list-replace-request: The request payload.
            ip-access-list-replace-response: The success status and the response payload.
            ip-access-list-replace-errors: The error statuses.
        """
        OPERATION = _replace_enterprise_ip_access_list()
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
def _append_enterprise_ip_access_list() -> Operation:
    from .append_enterprise_ip_access_list import OPERATION

    return OPERATION


@cache
def _delete_enterprise_ip_access_list() -> Operation:
    from .delete_enterprise_ip_access_list import OPERATION

    return OPERATION


@cache
def _get_enterprise_ip_access_list() -> Operation:
    from .get_enterprise_ip_access_list import OPERATION

    return OPERATION


@cache
def _replace_enterprise_ip_access_list() -> Operation:
    from .replace_enterprise_ip_access_list import OPERATION

    return OPERATION
