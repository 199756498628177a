# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.sessions.terminate: DELETE
/v3/organizations/{org_id}/sessions/{assistant_id}.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...model import anything
from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="terminate_organization_session",
    method="DELETE",
    path="/v3/organizations/{org_id}/sessions/{assistant_id}",
    scope="organization",
    resource="sessions",
    verb="terminate",
    summary="Terminate a session.",
    permission=None,
    level=None,
    credentials=("serviceUser",),
    paginated=False,
    deprecated=False,
    beta=False,
    inferred=None,
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
        Parameter(
            name="assistant_id",
            location="path",
            kind="string",
            required=True,
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


def decode(payload: Any) -> Mapping[str, Any]:
    """Show the decoded JSON of a success as what the operation answers with."""

    answer: Mapping[str, Any] = anything(payload)
    return answer
