# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.sessions.archive: POST
/v3/organizations/{org_id}/sessions/{assistant_id}/archive.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="archive_organization_session",
    method="POST",
    path="/v3/organizations/{org_id}/sessions/{assistant_id}/archive",
    scope="organization",
    resource="sessions",
    verb="archive",
    summary="Archive a session.",
    credentials=("serviceUser",),
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
            name="assistant_id",
            location="path",
            kind="string",
            required=True,
            prefix="assistant-",
            adds_prefix=True,
        ),
        Parameter(
            name="",
            location="body",
            argument="body",
        ),
    ),
    rules=(Rule("session-archive-delete-current", "Archive and delete session exist only in the current API."),),
    gaps=(
        Gap(
            "session-archive-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1archive/post",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "session-archive-request",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1archive/post",
            "Whether a request payload is taken.",
        ),
        Gap(
            "session-archive-response",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1archive/post",
            "The success status, the response payload and the effect on the session's status.",
        ),
        Gap(
            "session-archive-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1archive/post",
            "The error statuses.",
        ),
    ),
)
