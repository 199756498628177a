# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of knowledge notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions


class OrganizationKnowledgeNotes:
    """Knowledge notes in the organization scope."""

    __slots__ = ("_client", "_org_id")

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self._org_id = org_id

    async def create(
        self,
        *,
        body: Mapping[str, Any] | None = None,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Create a knowledge note.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/knowledge` maps to this one; the methods follow from "update and
        delete" of a note and from the usual ones of a collection.

        Permission: not shown. Credential: service user.

        `POST /v3/organizations/{org_id}/knowledge/notes`

        Arguments:
            body: The request payload, which the description does not show.

        Not shown:
            knowledge-note-create-method: That there is such an operation is inferred, and so are its method
                and path.
            knowledge-note-create-permission: The permission, its level and the kinds of credential.
            knowledge-note-create-request: The request payload.
            knowledge-note-create-response: The success status and the response payload.
            knowledge-note-create-errors: The error statuses.
        """
        from .create_organization_knowledge_note import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
            },
            query={},
            body=body,
        )
        return await self._client.send(request, options)

    async def delete(
        self,
        note_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Delete a knowledge note.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/knowledge` maps to this one; the methods follow from "update and
        delete" of a note and from the usual ones of a collection.

        Permission: not shown. Credential: service user.

        `DELETE /v3/organizations/{org_id}/knowledge/notes/{note_id}`

        Arguments:
            note_id: Id of the note.

        Not shown:
            knowledge-note-delete-method: That there is such an operation is inferred, and so are its method
                and path.
            knowledge-note-delete-permission: The permission, its level and the kinds of credential.
            knowledge-note-delete-response: The success status and the response payload.
            knowledge-note-delete-errors: The error statuses.
        """
        from .delete_organization_knowledge_note import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
                "note_id": note_id,
            },
            query={},
        )
        return await self._client.send(request, options)

    async def list(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the knowledge notes of an organization.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/knowledge` maps to this one; the methods follow from "update and
        delete" of a note and from the usual ones of a collection.

        Permission: not shown. Credential: service user.

        `GET /v3/organizations/{org_id}/knowledge/notes`

        Not shown:
            knowledge-note-list-method: That there is such an operation is inferred, and so are its method
                and path.
            knowledge-note-list-permission: The permission, its level and the kinds of credential.
            knowledge-note-list-response: The success status and the response payload.
            knowledge-note-list-errors: The error statuses.
        """
        from .list_organization_knowledge_notes import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
            },
            query={},
        )
        return await self._client.send(request, options)

    async def update(
        self,
        note_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Update a knowledge note.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/knowledge` maps to this one; the methods follow from "update and
        delete" of a note and from the usual ones of a collection.

        Permission: not shown. Credential: service user.

        `PUT /v3/organizations/{org_id}/knowledge/notes/{note_id}`

        Arguments:
            note_id: Id of the note.
            body: The request payload, which the description does not show.

        Not shown:
            knowledge-note-update-method: That there is such an operation is inferred, and so are its method
                and path.
            knowledge-note-update-permission: The permission, its level and the kinds of credential.
            knowledge-note-update-request: The request payload.
            knowledge-note-update-response: The success status and the response payload.
            knowledge-note-update-errors: The error statuses.
        """
        from .update_organization_knowledge_note import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
                "note_id": note_id,
            },
            query={},
            body=body,
        )
        return await self._client.send(request, options)
