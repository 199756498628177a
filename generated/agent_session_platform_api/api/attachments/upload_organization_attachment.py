# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.attachments.upload: POST /v3/organizations/{org_id}/attachments."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="upload_organization_attachment",
    method="POST",
    path="/v3/organizations/{org_id}/attachments",
    scope="organization",
    resource="attachments",
    verb="upload",
    summary="Upload an attachment.",
    permission="UseAssistantSessions",
    credentials=("serviceUser",),
    media_type="multipart/form-data",
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
        Parameter(
            name="file",
            location="body",
            kind="file",
            required=True,
        ),
    ),
    gaps=(
        Gap(
            "attachment-upload-level",
            "#/paths/~1v3~1organizations~1{org_id}~1attachments/post",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "attachment-upload-request",
            "#/paths/~1v3~1organizations~1{org_id}~1attachments/post",
            "The media type and the names of the parts; a multipart form with a part `file` is used.",
        ),
        Gap(
            "attachment-upload-response",
            "#/paths/~1v3~1organizations~1{org_id}~1attachments/post",
            "The success status and the response payload.",
        ),
        Gap(
            "attachment-upload-errors", "#/paths/~1v3~1organizations~1{org_id}~1attachments/post", "The error statuses."
        ),
    ),
)
