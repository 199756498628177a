# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of queue."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client
    from ...models.queue import Queue
    from ...operation import CallOptions, Operation


class EnterpriseQueue:
    """The queue of the enterprise."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def get(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Queue:
        """Read how many sessions are queued.

        Total queued sessions and a status of `normal`, `elevated` or `high`.

        Sends `GET /v3/enterprise/queue`.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The `Queue`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks `ViewAccountMetrics` at a level that the description
                does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            queue = await platform.enterprise.queue.get()

        Not shown by the API's description:
            queue-level: The level of the permission, and the kinds of credential.
            queue-total-name: The name of the field that has the total of queued sessions.
            queue-response: The success status.
            queue-errors: The error statuses.
        """
        OPERATION, Queue = _get_enterprise_queue()
        request = Request(
            OPERATION,
            Queue.decode,
            path={},
            query={},
            options=options,
        )
        return await self._client.send(request)


# What a method needs is imported at its first call, because it would add to the start-up of every program; once, because
# an import takes longer than it looks, even of what is there.


@cache
def _get_enterprise_queue() -> tuple[Operation, type[Queue]]:
    from ...models.queue import Queue
    from .get_enterprise_queue import OPERATION

    return OPERATION, Queue
