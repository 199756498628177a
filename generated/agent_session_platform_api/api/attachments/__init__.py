# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of attachments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import api
from ...catalogue import OPERATIONS
from ...decoding import decode_nothing
from ...interface import Download, FileSource
from ...model import OpenModel
from ...operation import CallOptions, Refused, Request


class OrganizationAttachments(api.OrganizationMethods):
    """The attachments of the organization."""

    scope = "organization"
    resource = "attachments"

    def download(
        self,
        uuid: str,
        name: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> Download:
        """Download an attachment.

        The file.

        Sends `GET /v3/organizations/{org_id}/attachments/{uuid}/{name}`.

        Not shown by the API's description: attachment-download-level, attachment-download-response,
        attachment-download-errors.

        Args:
            uuid: UUID of the attachment.
            name: Name of the attachment; the description says no more of it.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A download: iterate over it for chunks of bytes, or await its `save(path)` or `read()`.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgSessions` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.attachments.download("0b7a6a1e-5f0c-4d57-9a0c-0f8f5b1f6d10", "report.pdf").save("downloaded")
        """
        request = Request(
            OPERATIONS["download_organization_attachment"],
            decode_nothing,
            path={"org_id": self.org_id, "uuid": uuid, "name": name},
            query={},
            members=unknown,
            options=options,
        )
        return self._client.download(request)

    async def upload(
        self,
        /,
        *,
        file: FileSource,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Upload an attachment.

        The form in which a file is sent is not shown; a multipart form is used.

        Sends `POST /v3/organizations/{org_id}/attachments`.

        Not shown by the API's description: attachment-upload-level, attachment-upload-request,
        attachment-upload-response, attachment-upload-errors.

        Args:
            file: The file to upload.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `UseAssistantSessions` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.attachments.upload(file="report.txt")
        """
        request = Request(
            OPERATIONS["upload_organization_attachment"],
            OpenModel.from_item,
            path={"org_id": self.org_id},
            query={},
            extra_body=extra_body,
            members=members,
            files={"file": file},
            options=options,
        )
        return await self._client.send(request)
