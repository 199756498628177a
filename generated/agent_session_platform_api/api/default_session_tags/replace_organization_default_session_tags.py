# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.default_session_tags.replace: PUT
/v3/organizations/{org_id}/default-session-tags.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="replace_organization_default_session_tags",
    method="PUT",
    path="/v3/organizations/{org_id}/default-session-tags",
    scope="organization",
    resource="default_session_tags",
    verb="replace",
    summary="Replace the default session tags of an organization.",
    credentials=("serviceUser",),
    inferred='Versioning lists "organization default session tags" as promoted; neither path nor methods are stated, these follow the naming of the others.',
    media_type="application/json",
    optional_body=True,
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
        Parameter(
            name="",
            location="body",
            argument="body",
        ),
    ),
    gaps=(
        Gap(
            "default-session-tags-replace-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/put",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "default-session-tags-replace-path",
            "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/put",
            "The path and the methods.",
        ),
        Gap(
            "default-session-tags-replace-request",
            "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/put",
            "The request payload.",
        ),
        Gap(
            "default-session-tags-replace-response",
            "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/put",
            "The success status and the response payload.",
        ),
        Gap(
            "default-session-tags-replace-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/put",
            "The error statuses.",
        ),
    ),
)
