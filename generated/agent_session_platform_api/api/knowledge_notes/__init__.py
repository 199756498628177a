# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of knowledge notes."""

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


class OrganizationKnowledgeNotes:
    """The knowledge notes of the organization."""

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
        """Create a knowledge note.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/knowledge` maps to this one; the methods follow from "update and
        delete" of a note and from the usual ones of a collection.

        Sends `POST /v3/organizations/{org_id}/knowledge/notes`.

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
            await organization.knowledge_notes.create(body=payload)

        Not shown by the API's description:
            knowledge-note-create-method: That there is such an operation is inferred, and so are its method
                and path.
            knowledge-note-create-permission: The permission, its level and the kinds of credential.
            knowledge-note-create-request: The request payload.
            knowledge-note-create-response: The success status and the response payload.
            knowledge-note-create-errors: The error statuses.
        """
        OPERATION = _create_organization_knowledge_note()
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
        note_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Delete a knowledge note.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/knowledge` maps to this one; the methods follow from "update and
        delete" of a note and from the usual ones of a collection.

        Sends `DELETE /v3/organizations/{org_id}/knowledge/notes/{note_id}`.

        Args:
            note_id: Id of the note.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.knowledge_notes.delete("note-1")

        Not shown by the API's description:
            knowledge-note-delete-method: That there is such an operation is inferred, and so are its method
                and path.
            knowledge-note-delete-permission: The permission, its level and the kinds of credential.
            knowledge-note-delete-response: The success status and the response payload.
            knowledge-note-delete-errors: The error statuses.
        """
        OPERATION = _delete_organization_knowledge_note()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
                "note_id": note_id,
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
        """List the knowledge notes of an organization.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/knowledge` maps to this one; the methods follow from "update and
        delete" of a note and from the usual ones of a collection.

        Sends `GET /v3/organizations/{org_id}/knowledge/notes`.

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
            response = await organization.knowledge_notes.list()

        Not shown by the API's description:
            knowledge-note-list-method: That there is such an operation is inferred, and so are its method
                and path.
            knowledge-note-list-permission: The permission, its level and the kinds of credential.
            knowledge-note-list-response: The success status, the response payload, and whether the list is
                paginated (list-pagination).
            knowledge-note-list-errors: The error statuses.
        """
        OPERATION = _list_organization_knowledge_notes()
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
        note_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Update a knowledge note.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/knowledge` maps to this one; the methods follow from "update and
        delete" of a note and from the usual ones of a collection.

        Sends `PUT /v3/organizations/{org_id}/knowledge/notes/{note_id}`.

        Args:
            note_id: Id of the note.
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
            await organization.knowledge_notes.update("note-1", body=payload)

        Not shown by the API's description:
            knowledge-note-update-method: That there is such an operation is inferred, and so are its method
                and path.
            knowledge-note-update-permission: The permission, its level and the kinds of credential.
            knowledge-note-update-request: The request payload.
            knowledge-note-update-response: The success status and the response payload.
            knowledge-note-update-errors: The error statuses.
        """
        OPERATION = _update_organization_knowledge_note()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
                "note_id": note_id,
            },
            query={},
            body=UNSET if body is None else body,
            options=options,
        )
        return await self._client.send(request)


# What a method needs is imported at its first call, because it would add to the start-up of every program; once, because
# an import takes longer than it looks, even of what is there.


@cache
def _create_organization_knowledge_note() -> Operation:
    from .create_organization_knowledge_note import OPERATION

    return OPERATION


@cache
def _delete_organization_knowledge_note() -> Operation:
    from .delete_organization_knowledge_note import OPERATION

    return OPERATION


@cache
def _list_organization_knowledge_notes() -> Operation:
    from .list_organization_knowledge_notes import OPERATION

    return OPERATION


@cache
def _update_organization_knowledge_note() -> Operation:
    from .update_organization_knowledge_note import OPERATION

    return OPERATION
