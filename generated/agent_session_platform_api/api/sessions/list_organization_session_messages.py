# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.sessions.list_messages: GET
/v3/organizations/{org_id}/sessions/{assistant_id}/messages.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_organization_session_messages",
    method="GET",
    path="/v3/organizations/{org_id}/sessions/{assistant_id}/messages",
    scope="organization",
    resource="sessions",
    verb="list_messages",
    summary="List all messages of a session.",
    credentials=("serviceUser",),
    paginated=True,
    inferred="Versioning lists session messages as promoted at both scopes; the path is stated for sending a message.",
    job="follow_messages",
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
        Parameter(
            name="first",
            location="query",
            kind="integer",
            minimum=1,
            maximum=200,
        ),
        Parameter(
            name="after",
            location="query",
            kind="string",
            nullable=True,
        ),
    ),
    gaps=(
        Gap(
            "organization-messages-method",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/get",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "organization-messages-legacy",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/get",
            "The legacy path that messages are mapped from.",
        ),
        Gap(
            "organization-messages-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "organization-messages-response",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/get",
            "The success status and the response payload.",
        ),
        Gap(
            "organization-messages-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/get",
            "The error statuses.",
        ),
    ),
)
