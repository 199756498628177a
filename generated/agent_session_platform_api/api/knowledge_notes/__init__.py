# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of knowledge notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import api
from ...catalogue import OPERATIONS
from ...encoding import UNSET
from ...interface import OpenList
from ...model import OpenModel
from ...operation import CallOptions, Refused, Request


class OrganizationKnowledgeNotes(api.OrganizationMethods):
    """The knowledge notes of the organization."""

    scope = "organization"
    resource = "knowledge_notes"

    async def create(
        self,
        /,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Create a knowledge note.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/knowledge` maps to this one; the methods follow from "update and
        delete" of a note and from the usual ones of a collection.

        Sends `POST /v3/organizations/{org_id}/knowledge/notes`.

        Not shown by the API's description: knowledge-note-create-method, knowledge-note-create-permission,
        knowledge-note-create-request, knowledge-note-create-response, knowledge-note-create-errors.

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
            await organization.knowledge_notes.create(body=payload)
        """
        request = Request(
            OPERATIONS["create_organization_knowledge_note"],
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
        note_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Delete a knowledge note.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/knowledge` maps to this one; the methods follow from "update and
        delete" of a note and from the usual ones of a collection.

        Sends `DELETE /v3/organizations/{org_id}/knowledge/notes/{note_id}`.

        Not shown by the API's description: knowledge-note-delete-method, knowledge-note-delete-permission,
        knowledge-note-delete-response, knowledge-note-delete-errors.

        Args:
            note_id: Id of the note.
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
            await organization.knowledge_notes.delete("note-1")
        """
        request = Request(
            OPERATIONS["delete_organization_knowledge_note"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "note_id": note_id},
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
        """List the knowledge notes of an organization.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/knowledge` maps to this one; the methods follow from "update and
        delete" of a note and from the usual ones of a collection.

        Sends `GET /v3/organizations/{org_id}/knowledge/notes`.

        Not shown by the API's description: knowledge-note-list-method, knowledge-note-list-permission,
        knowledge-note-list-response, knowledge-note-list-errors.

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
            async for item in organization.knowledge_notes.list():
                print(item)
        """
        request = Request(
            OPERATIONS["list_organization_knowledge_notes"],
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
        note_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Update a knowledge note.

        Neither the request nor the response is shown.

        Inferred: The legacy path `/v1/knowledge` maps to this one; the methods follow from "update and
        delete" of a note and from the usual ones of a collection.

        Sends `PUT /v3/organizations/{org_id}/knowledge/notes/{note_id}`.

        Not shown by the API's description: knowledge-note-update-method, knowledge-note-update-permission,
        knowledge-note-update-request, knowledge-note-update-response, knowledge-note-update-errors.

        Args:
            note_id: Id of the note.
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
            await organization.knowledge_notes.update("note-1", body=payload)
        """
        request = Request(
            OPERATIONS["update_organization_knowledge_note"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "note_id": note_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)
