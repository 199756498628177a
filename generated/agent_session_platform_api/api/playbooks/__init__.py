# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of playbooks."""

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


class OrganizationPlaybooks:
    """The playbooks of the organization."""

    __slots__ = ("_client", "org_id")

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self.org_id = org_id

    async def create(
        self,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Create a playbook.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/playbooks` maps to this one, "with `/{playbook_id}`"; the methods are
        the usual ones of a collection and of one of its things.

        Sends `POST /v3/organizations/{org_id}/playbooks`.

        Args:
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.playbooks.create(body=payload)

        Not shown by the API's description:
            playbook-create-method: That there is such an operation is inferred, and so are its method and
                path.
            playbook-create-permission: The permission, its level and the kinds of credential.
            playbook-create-request: The request payload.
            playbook-create-response: The success status and the response payload.
            playbook-create-errors: The error statuses.
        """
        OPERATION = _create_organization_playbook()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
            },
            query={},
            body=UNSET if body is None else body,
            options=options,
        )
        return await self._client.send(request)

    async def delete(
        self,
        playbook_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Delete a playbook.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/playbooks` maps to this one, "with `/{playbook_id}`"; the methods are
        the usual ones of a collection and of one of its things.

        Sends `DELETE /v3/organizations/{org_id}/playbooks/{playbook_id}`.

        Args:
            playbook_id: Id of the playbook.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.playbooks.delete("playbook-1")

        Not shown by the API's description:
            playbook-delete-method: That there is such an operation is inferred, and so are its method and
                path.
            playbook-delete-permission: The permission, its level and the kinds of credential.
            playbook-delete-response: The success status and the response payload.
            playbook-delete-errors: The error statuses.
        """
        OPERATION = _delete_organization_playbook()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
                "playbook_id": playbook_id,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)

    async def get(
        self,
        playbook_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Get a playbook.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/playbooks` maps to this one, "with `/{playbook_id}`"; the methods are
        the usual ones of a collection and of one of its things.

        Sends `GET /v3/organizations/{org_id}/playbooks/{playbook_id}`.

        Args:
            playbook_id: Id of the playbook.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await organization.playbooks.get("playbook-1")

        Not shown by the API's description:
            playbook-get-method: That there is such an operation is inferred, and so are its method and
                path.
            playbook-get-permission: The permission, its level and the kinds of credential.
            playbook-get-response: The success status and the response payload.
            playbook-get-errors: The error statuses.
        """
        OPERATION = _get_organization_playbook()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
                "playbook_id": playbook_id,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)

    async def list(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the playbooks of an organization.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/playbooks` maps to this one, "with `/{playbook_id}`"; the methods are
        the usual ones of a collection and of one of its things.

        Sends `GET /v3/organizations/{org_id}/playbooks`.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await organization.playbooks.list()

        Not shown by the API's description:
            playbook-list-method: That there is such an operation is inferred, and so are its method and
                path.
            playbook-list-permission: The permission, its level and the kinds of credential.
            playbook-list-response: The success status, the response payload, and whether the list is
                paginated (list-pagination).
            playbook-list-errors: The error statuses.
        """
        OPERATION = _list_organization_playbooks()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)

    async def update(
        self,
        playbook_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Update a playbook.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/playbooks` maps to this one, "with `/{playbook_id}`"; the methods are
        the usual ones of a collection and of one of its things.

        Sends `PUT /v3/organizations/{org_id}/playbooks/{playbook_id}`.

        Args:
            playbook_id: Id of the playbook.
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.playbooks.update("playbook-1", body=payload)

        Not shown by the API's description:
            playbook-update-method: That there is such an operation is inferred, and so are its method and
                path.
            playbook-update-permission: The permission, its level and the kinds of credential.
            playbook-update-request: The request payload.
            playbook-update-response: The success status and the response payload.
            playbook-update-errors: The error statuses.
        """
        OPERATION = _update_organization_playbook()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
                "playbook_id": playbook_id,
            },
            query={},
            body=UNSET if body is None else body,
            options=options,
        )
        return await self._client.send(request)


# What a method needs is imported at its first call, because it would add to the start-up of every program; once, because
# an import takes longer than it looks, even of what is there.


@cache
def _create_organization_playbook() -> Operation:
    from .create_organization_playbook import OPERATION

    return OPERATION


@cache
def _delete_organization_playbook() -> Operation:
    from .delete_organization_playbook import OPERATION

    return OPERATION


@cache
def _get_organization_playbook() -> Operation:
    from .get_organization_playbook import OPERATION

    return OPERATION


@cache
def _list_organization_playbooks() -> Operation:
    from .list_organization_playbooks import OPERATION

    return OPERATION


@cache
def _update_organization_playbook() -> Operation:
    from .update_organization_playbook import OPERATION

    return OPERATION
