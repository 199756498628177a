# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.queue.get: GET /v3/enterprise/queue."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation

OPERATION: Final = Operation(
    id="get_enterprise_queue",
    method="GET",
    path="/v3/enterprise/queue",
    scope="enterprise",
    resource="queue",
    verb="get",
    summary="Read how many sessions are queued.",
    permission="ViewAccountMetrics",
    credentials=("serviceUser",),
    gaps=(
        Gap(
            "queue-level",
            "#/paths/~1v3~1enterprise~1queue/get",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "queue-total-name",
            "#/paths/~1v3~1enterprise~1queue/get",
            "The name of the field that has the total of queued sessions.",
        ),
        Gap("queue-response", "#/paths/~1v3~1enterprise~1queue/get", "The success status."),
        Gap("queue-errors", "#/paths/~1v3~1enterprise~1queue/get", "The error statuses."),
    ),
)
