# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of idp groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import api
from ...catalogue import OPERATIONS
from ...encoding import UNSET
from ...interface import OpenList
from ...model import OpenModel
from ...operation import CallOptions, Refused, Request


class EnterpriseIdpGroups(api.ResourceMethods):
    """The idp groups of the enterprise."""

    scope = "enterprise"
    resource = "idp_groups"

    async def create(
        self,
        /,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Register identity-provider groups, up to 100 per call.

        A bulk registration.

        Sends `POST /v3/enterprise/idp-groups`.

        Not shown by the API's description: idp-group-create-level, idp-group-create-request,
        idp-group-create-response, idp-group-create-errors.

        Args:
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageAccountMembership` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.idp_groups.create(body=payload)

        Rules:
            idp-groups-bulk-limit: Up to 100 groups are registered per call.
        """
        request = Request(
            OPERATIONS["create_enterprise_idp_groups"],
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
        idp_group_name: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Delete a registered identity-provider group.

        Refused when the group has role assignments or user memberships.

        Sends `DELETE /v3/enterprise/idp-groups/{idp_group_name}`.

        Not shown by the API's description: idp-group-delete-level, idp-group-delete-refusal,
        idp-group-delete-response, idp-group-delete-errors.

        Args:
            idp_group_name: Name of the registered identity-provider group.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageAccountMembership` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.idp_groups.delete("engineering")

        Rules:
            idp-group-delete-refused: Deletion is refused when the group has role assignments or user
                memberships.
        """
        request = Request(
            OPERATIONS["delete_enterprise_idp_group"],
            OpenModel.from_item,
            path={"idp_group_name": idp_group_name},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)

    def list(
        self,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenList[OpenModel]:
        """List the registered identity-provider groups.

        Neither the request nor the response is shown.

        Sends `GET /v3/enterprise/idp-groups`.

        Not shown by the API's description: idp-group-list-level, idp-group-list-response,
        idp-group-list-errors.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A list: iterate over it for items; await it for the first response, as `OpenModel`, because the
                description does not show it.

        Raises:
            PermissionDeniedError: The credential lacks `ManageAccountMembership` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in platform.enterprise.idp_groups.list():
                print(item)
        """
        request = Request(
            OPERATIONS["list_enterprise_idp_groups"],
            OpenModel.from_item,
            path={},
            query={},
            members=unknown,
            options=options,
        )
        return self._client.read_list(request)
