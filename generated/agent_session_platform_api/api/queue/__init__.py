# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions
    from ...models.queue import Queue


class EnterpriseQueue:
    """Queue in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def get(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Queue:
        """Read how many sessions are queued.

        Total queued sessions and a status of `normal`, `elevated` or `high`.

        Permission: `ViewAccountMetrics` (level not shown). Credential: service user.

        `GET /v3/enterprise/queue`

        Not shown:
            queue-level: The level of the permission, and the kinds of credential.
            queue-total-name: The name of the field that has the total of queued sessions.
            queue-response: The success status.
            queue-errors: The error statuses.
        """
        from .get_enterprise_queue import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={},
        )
        return await self._client.send(request, options)
