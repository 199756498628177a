# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.attachments.download: GET
/v3/organizations/{org_id}/attachments/{uuid}/{name}.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="download_organization_attachment",
    method="GET",
    path="/v3/organizations/{org_id}/attachments/{uuid}/{name}",
    scope="organization",
    resource="attachments",
    verb="download",
    summary="Download an attachment.",
    permission="ViewOrgSessions",
    credentials=("serviceUser",),
    accept="application/octet-stream",
    streamed=True,
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
        Parameter(
            name="uuid",
            location="path",
            kind="string",
            required=True,
        ),
        Parameter(
            name="name",
            location="path",
            kind="string",
            required=True,
        ),
    ),
    gaps=(
        Gap(
            "attachment-download-level",
            "#/paths/~1v3~1organizations~1{org_id}~1attachments~1{uuid}~1{name}/get",
            "The level of the permission (of the session list, organization), and the kinds of credential.",
        ),
        Gap(
            "attachment-download-response",
            "#/paths/~1v3~1organizations~1{org_id}~1attachments~1{uuid}~1{name}/get",
            "The success status and the response payload.",
        ),
        Gap(
            "attachment-download-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1attachments~1{uuid}~1{name}/get",
            "The error statuses.",
        ),
    ),
)
