# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.sessions.terminate: DELETE
/v3/organizations/{org_id}/sessions/{assistant_id}.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="terminate_organization_session",
    method="DELETE",
    path="/v3/organizations/{org_id}/sessions/{assistant_id}",
    scope="organization",
    resource="sessions",
    verb="terminate",
    summary="Terminate a session.",
    credentials=("serviceUser",),
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
            name="archive",
            location="query",
        ),
    ),
    rules=(Rule("session-archive-delete-current", "Archive and delete session exist only in the current API."),),
    gaps=(
        Gap(
            "session-terminate-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/delete",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "session-terminate-archive",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/delete",
            "The type, the values and the effect of the query parameter `archive`.",
        ),
        Gap(
            "session-terminate-response",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/delete",
            "The success status, the response payload and the effect on the session's status.",
        ),
        Gap(
            "session-terminate-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/delete",
            "The error statuses.",
        ),
    ),
)
