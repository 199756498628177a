# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.sessions.list_messages: GET
/v3/enterprise/sessions/{assistant_id}/messages.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="list_enterprise_session_messages",
    method="GET",
    path="/v3/enterprise/sessions/{assistant_id}/messages",
    scope="enterprise",
    resource="sessions",
    verb="list_messages",
    summary="List all messages of a session.",
    permission="ViewAccountSessions",
    level="enterprise",
    credentials=("serviceUser",),
    paginated=True,
    job="follow_messages",
    parameters=(
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
    rules=(Rule("messages-chronological", "Messages are listed in chronological order."),),
    gaps=(
        Gap(
            "messages-error-statuses",
            "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1messages/get",
            "The statuses of the six problem-detail bodies.",
        ),
    ),
)
