# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.sessions.list_tags: GET
/v3/organizations/{org_id}/sessions/{assistant_id}/tags.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_organization_session_tags",
    method="GET",
    path="/v3/organizations/{org_id}/sessions/{assistant_id}/tags",
    scope="organization",
    resource="sessions",
    verb="list_tags",
    summary="List the tags of a session.",
    credentials=("serviceUser",),
    inferred="Versioning lists tags of sessions at both scopes; path and methods follow the pattern of the other parts of a session.",
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
        Parameter(
            name="assistant_id",
            location="path",
            kind="string",
            required=True,
            prefix="assistant-",
            adds_prefix=True,
        ),
    ),
    gaps=(
        Gap(
            "organization-session-tags-list-method",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1tags/get",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "organization-session-tags-list-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1tags/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "organization-session-tags-list-response",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1tags/get",
            "The success status, the response payload, and whether the list is paginated (list-pagination).",
        ),
        Gap(
            "organization-session-tags-list-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1tags/get",
            "The error statuses.",
        ),
    ),
)
