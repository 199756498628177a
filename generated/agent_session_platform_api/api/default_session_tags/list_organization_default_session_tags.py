# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.default_session_tags.list: GET
/v3/organizations/{org_id}/default-session-tags.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_organization_default_session_tags",
    method="GET",
    path="/v3/organizations/{org_id}/default-session-tags",
    scope="organization",
    resource="default_session_tags",
    verb="list",
    summary="List the default session tags of an organization.",
    credentials=("serviceUser",),
    inferred='Versioning lists "organization default session tags" as promoted; neither path nor methods are stated, these follow the naming of the others.',
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
    ),
    gaps=(
        Gap(
            "default-session-tags-list-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "default-session-tags-list-path",
            "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/get",
            "The path and the methods.",
        ),
        Gap(
            "default-session-tags-list-response",
            "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/get",
            "The success status, the response payload, and whether the list is paginated (list-pagination).",
        ),
        Gap(
            "default-session-tags-list-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/get",
            "The error statuses.",
        ),
    ),
)
