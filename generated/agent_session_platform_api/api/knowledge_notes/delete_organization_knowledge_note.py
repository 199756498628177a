# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.knowledge_notes.delete: DELETE
/v3/organizations/{org_id}/knowledge/notes/{note_id}.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="delete_organization_knowledge_note",
    method="DELETE",
    path="/v3/organizations/{org_id}/knowledge/notes/{note_id}",
    scope="organization",
    resource="knowledge_notes",
    verb="delete",
    summary="Delete a knowledge note.",
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
        Parameter(
            name="note_id",
            location="path",
            kind="string",
            required=True,
        ),
    ),
    gaps=(
        Gap(
            "knowledge-note-delete-method",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/delete",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "knowledge-note-delete-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/delete",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "knowledge-note-delete-response",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/delete",
            "The success status and the response payload.",
        ),
        Gap(
            "knowledge-note-delete-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/delete",
            "The error statuses.",
        ),
    ),
)
