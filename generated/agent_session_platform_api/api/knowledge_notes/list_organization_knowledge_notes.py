# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.knowledge_notes.list: GET /v3/organizations/{org_id}/knowledge/notes."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_organization_knowledge_notes",
    method="GET",
    path="/v3/organizations/{org_id}/knowledge/notes",
    scope="organization",
    resource="knowledge_notes",
    verb="list",
    summary="List the knowledge notes of an organization.",
    credentials=("serviceUser",),
    inferred='The legacy path `/v1/knowledge` maps to this one; the methods follow from "update and delete" of a note and from the usual ones of a collection.',
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
            "knowledge-note-list-method",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/get",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "knowledge-note-list-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "knowledge-note-list-response",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/get",
            "The success status, the response payload, and whether the list is paginated (list-pagination).",
        ),
        Gap(
            "knowledge-note-list-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/get",
            "The error statuses.",
        ),
    ),
)
