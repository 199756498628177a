# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.sessions.get: GET /v3/organizations/{org_id}/sessions/{assistant_id}."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...operation import Gap, Operation, Parameter

if TYPE_CHECKING:
    from ...models.session import Session

OPERATION: Final = Operation(
    id="get_organization_session",
    method="GET",
    path="/v3/organizations/{org_id}/sessions/{assistant_id}",
    scope="organization",
    resource="sessions",
    verb="get",
    summary="Get a session.",
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
    ),
    rules=(),
    gaps=(
        Gap(
            "session-get-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "session-get-response",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/get",
            "The success status and the response payload.",
        ),
        Gap(
            "session-get-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/get",
            "The error statuses.",
        ),
    ),
)


def decode(payload: Any) -> Session:
    """Show the decoded JSON of a success as what the operation answers with."""
    from ...models.session import Session

    answer: Session = Session.decode(payload)
    return answer
