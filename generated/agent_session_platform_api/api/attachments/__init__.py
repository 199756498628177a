# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of attachments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, Download, FileSource, RequestOptions


class OrganizationAttachments:
    """Attachments in the organization scope."""

    __slots__ = ("_client", "_org_id")

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self._org_id = org_id

    def download(
        self,
        uuid: str,
        name: str,
        *,
        options: RequestOptions | None = None,
    ) -> Download:
        """Download an attachment.

        The file.

        Permission: `ViewOrgSessions` (level not shown). Credential: service user.

        `GET /v3/organizations/{org_id}/attachments/{uuid}/{name}`

        Arguments:
            uuid: UUID of the attachment.
            name: Name of the attachment's file.

        Not shown:
            attachment-download-level: The level of the permission (of the session list, organization), and
                the kinds of credential.
            attachment-download-response: The success status and the response payload.
            attachment-download-errors: The error statuses.
        """
        from .download_organization_attachment import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
                "uuid": uuid,
                "name": name,
            },
            query={},
        )
        return self._client.download(request, options)

    async def upload(
        self,
        *,
        file: FileSource,
        extra_body: Mapping[str, Any] | None = None,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Upload an attachment.

        The form in which a file is sent is not shown; a multipart form is used.

        Permission: `UseAssistantSessions` (level not shown). Credential: service user.

        `POST /v3/organizations/{org_id}/attachments`

        Arguments:
            file: The file.
            extra_body: Members of the payload that the description does not name.

        Not shown:
            attachment-upload-level: The level of the permission, and the kinds of credential.
            attachment-upload-request: The media type and the names of the parts; a multipart form with a
                part `file` is used.
            attachment-upload-response: The success status and the response payload.
            attachment-upload-errors: The error statuses.
        """
        from .upload_organization_attachment import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
            },
            query={},
            extra_body=extra_body,
            files={
                "file": file,
            },
        )
        return await self._client.send(request, options)
