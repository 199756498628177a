# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of ip access list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import api
from ...catalogue import OPERATIONS
from ...encoding import UNSET
from ...model import OpenModel
from ...operation import CallOptions, Refused, Request


class EnterpriseIpAccessList(api.ResourceMethods):
    """The ip access list of the enterprise."""

    scope = "enterprise"
    resource = "ip_access_list"

    async def append(
        self,
        /,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Append ranges to the IP access list.

        PUT replaces the whole list.

        Sends `POST /v3/enterprise/ip-access-list`.

        Not shown by the API's description: ip-access-list-append-level, ip-access-list-append-request,
        ip-access-list-append-response, ip-access-list-append-errors.

        Args:
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageEnterpriseSettings` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.ip_access_list.append(body=payload)

        Rules:
            ip-access-list-append: POST appends ranges to the list (CIDR supported).
        """
        request = Request(
            OPERATIONS["append_enterprise_ip_access_list"],
            OpenModel.from_item,
            path={},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)

    async def delete(
        self,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Delete the IP access list, or a part of it.

        Only that DELETE exists is stated.

        Sends `DELETE /v3/enterprise/ip-access-list`.

        Not shown by the API's description: ip-access-list-delete-effect, ip-access-list-delete-level,
        ip-access-list-delete-response, ip-access-list-delete-errors.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageEnterpriseSettings` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.ip_access_list.delete()
        """
        request = Request(
            OPERATIONS["delete_enterprise_ip_access_list"],
            OpenModel.from_item,
            path={},
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
        """Read the IP access list.

        Neither the request nor the response is shown.

        Sends `GET /v3/enterprise/ip-access-list`.

        Not shown by the API's description: ip-access-list-get-level, ip-access-list-get-response,
        ip-access-list-get-errors.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageEnterpriseSettings` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await platform.enterprise.ip_access_list.get()
        """
        request = Request(
            OPERATIONS["get_enterprise_ip_access_list"],
            OpenModel.from_item,
            path={},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)

    async def replace(
        self,
        /,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Replace the whole IP access list.

        POST appends to it.

        Sends `PUT /v3/enterprise/ip-access-list`.

        Not shown by the API's description: ip-access-list-replace-level, ip-access-list-replace-request,
        ip-access-list-replace-response, ip-access-list-replace-errors.

        Args:
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageEnterpriseSettings` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.ip_access_list.replace(body=payload)

        Rules:
            ip-access-list-replace: PUT replaces the whole list (CIDR supported).
        """
        request = Request(
            OPERATIONS["replace_enterprise_ip_access_list"],
            OpenModel.from_item,
            path={},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)
