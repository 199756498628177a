# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.knowledge_notes.list: GET /v3/organizations/{org_id}/knowledge/notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...model import anything
from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_organization_knowledge_notes",
    method="GET",
    path="/v3/organizations/{org_id}/knowledge/notes",
    scope="organization",
    resource="knowledge_notes",
    verb="list",
    summary="List the knowledge notes of an organization.",
    permission=None,
    level=None,
    credentials=("serviceUser",),
    paginated=False,
    deprecated=False,
    beta=False,
    inferred='The legacy path `/v1/knowledge` maps to this one; the methods follow from "update and delete" of a note and from the usual ones of a collection.',
    media_type=None,
    streamed=False,
    successor=None,
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
        ),
    ),
    rules=(),
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
            "The success status and the response payload.",
        ),
        Gap(
            "knowledge-note-list-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/get",
            "The error statuses.",
        ),
    ),
)


def decode(payload: Any) -> Mapping[str, Any]:
    """Show the decoded JSON of a success as what the operation answers with."""

    answer: Mapping[str, Any] = anything(payload)
    return answer
