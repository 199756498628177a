# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.knowledge_notes.update: PUT
/v3/organizations/{org_id}/knowledge/notes/{note_id}.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="update_organization_knowledge_note",
    method="PUT",
    path="/v3/organizations/{org_id}/knowledge/notes/{note_id}",
    scope="organization",
    resource="knowledge_notes",
    verb="update",
    summary="Update a knowledge note.",
    credentials=("serviceUser",),
    inferred='The legacy path `/v1/knowledge` maps to this one; the methods follow from "update and delete" of a note and from the usual ones of a collection.',
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
            name="note_id",
            location="path",
            kind="string",
            required=True,
        ),
        Parameter(
            name="",
            location="body",
            argument="body",
        ),
    ),
    gaps=(
        Gap(
            "knowledge-note-update-method",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/put",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "knowledge-note-update-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/put",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "knowledge-note-update-request",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/put",
            "The request payload.",
        ),
        Gap(
            "knowledge-note-update-response",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/put",
            "The success status and the response payload.",
        ),
        Gap(
            "knowledge-note-update-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/put",
            "The error statuses.",
        ),
    ),
)
