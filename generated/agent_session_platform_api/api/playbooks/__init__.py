# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of playbooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import api
from ...catalogue import OPERATIONS
from ...encoding import UNSET
from ...interface import OpenList
from ...model import OpenModel
from ...operation import CallOptions, Refused, Request


class OrganizationPlaybooks(api.OrganizationMethods):
    """The playbooks of the organization."""

    scope = "organization"
    resource = "playbooks"

    async def create(
        self,
        /,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Create a playbook.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/playbooks` maps to this one, "with `/{playbook_id}`"; the methods are
        the usual ones of a collection and of one of its things.

        Sends `POST /v3/organizations/{org_id}/playbooks`.

        Not shown by the API's description: playbook-create-method, playbook-create-permission,
        playbook-create-request, playbook-create-response, playbook-create-errors.

        Args:
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.playbooks.create(body=payload)
        """
        request = Request(
            OPERATIONS["create_organization_playbook"],
            OpenModel.from_item,
            path={"org_id": self.org_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)

    async def delete(
        self,
        playbook_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Delete a playbook.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/playbooks` maps to this one, "with `/{playbook_id}`"; the methods are
        the usual ones of a collection and of one of its things.

        Sends `DELETE /v3/organizations/{org_id}/playbooks/{playbook_id}`.

        Not shown by the API's description: playbook-delete-method, playbook-delete-permission,
        playbook-delete-response, playbook-delete-errors.

        Args:
            playbook_id: Id of the playbook.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.playbooks.delete("playbook-1")
        """
        request = Request(
            OPERATIONS["delete_organization_playbook"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "playbook_id": playbook_id},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)

    async def get(
        self,
        playbook_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Get a playbook.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/playbooks` maps to this one, "with `/{playbook_id}`"; the methods are
        the usual ones of a collection and of one of its things.

        Sends `GET /v3/organizations/{org_id}/playbooks/{playbook_id}`.

        Not shown by the API's description: playbook-get-method, playbook-get-permission,
        playbook-get-response, playbook-get-errors.

        Args:
            playbook_id: Id of the playbook.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await organization.playbooks.get("playbook-1")
        """
        request = Request(
            OPERATIONS["get_organization_playbook"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "playbook_id": playbook_id},
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
        """List the playbooks of an organization.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/playbooks` maps to this one, "with `/{playbook_id}`"; the methods are
        the usual ones of a collection and of one of its things.

        Sends `GET /v3/organizations/{org_id}/playbooks`.

        Not shown by the API's description: playbook-list-method, playbook-list-permission,
        playbook-list-response, playbook-list-errors.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A list: iterate over it for items; await it for the first response, as `OpenModel`, because the
                description does not show it.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in organization.playbooks.list():
                print(item)
        """
        request = Request(
            OPERATIONS["list_organization_playbooks"],
            OpenModel.from_item,
            path={"org_id": self.org_id},
            query={},
            members=unknown,
            options=options,
        )
        return self._client.read_list(request)

    async def update(
        self,
        /,
        playbook_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Update a playbook.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/playbooks` maps to this one, "with `/{playbook_id}`"; the methods are
        the usual ones of a collection and of one of its things.

        Sends `PUT /v3/organizations/{org_id}/playbooks/{playbook_id}`.

        Not shown by the API's description: playbook-update-method, playbook-update-permission,
        playbook-update-request, playbook-update-response, playbook-update-errors.

        Args:
            playbook_id: Id of the playbook.
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.playbooks.update("playbook-1", body=payload)
        """
        request = Request(
            OPERATIONS["update_organization_playbook"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "playbook_id": playbook_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)
