# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.attachments.upload: POST /v3/organizations/{org_id}/attachments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...model import anything
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
    level=None,
    credentials=("serviceUser",),
    paginated=False,
    deprecated=False,
    beta=False,
    inferred=None,
    media_type="multipart/form-data",
    streamed=False,
    successor=None,
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
        ),
        Parameter(
            name="file",
            location="body",
            kind="file",
            required=True,
        ),
    ),
    rules=(),
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


def decode(payload: Any) -> Mapping[str, Any]:
    """Show the decoded JSON of a success as what the operation answers with."""

    answer: Mapping[str, Any] = anything(payload)
    return answer
