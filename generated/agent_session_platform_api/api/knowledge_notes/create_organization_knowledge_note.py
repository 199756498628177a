# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.knowledge_notes.create: POST /v3/organizations/{org_id}/knowledge/notes."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="create_organization_knowledge_note",
    method="POST",
    path="/v3/organizations/{org_id}/knowledge/notes",
    scope="organization",
    resource="knowledge_notes",
    verb="create",
    summary="Create a knowledge note.",
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
            name="",
            location="body",
            argument="body",
        ),
    ),
    gaps=(
        Gap(
            "knowledge-note-create-method",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/post",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "knowledge-note-create-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/post",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "knowledge-note-create-request",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/post",
            "The request payload.",
        ),
        Gap(
            "knowledge-note-create-response",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/post",
            "The success status and the response payload.",
        ),
        Gap(
            "knowledge-note-create-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/post",
            "The error statuses.",
        ),
    ),
)
