# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of queue."""

from __future__ import annotations

from functools import partial

from ... import api, models
from ...catalogue import OPERATIONS
from ...decoding import read_payload
from ...models.queue import Queue
from ...operation import CallOptions, Refused, Request


class EnterpriseQueue(api.ResourceMethods):
    """The queue of the enterprise."""

    scope = "enterprise"
    resource = "queue"

    async def get(
        self,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> Queue:
        """Read how many sessions are queued.

        Total queued sessions and a status of `normal`, `elevated` or `high`.

        Sends `GET /v3/enterprise/queue`.

        Not shown by the API's description: queue-level, queue-total-name, queue-response, queue-errors.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The `Queue`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks `ViewAccountMetrics` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            queue = await platform.enterprise.queue.get()
        """
        request = Request(
            OPERATIONS["get_enterprise_queue"],
            partial(read_payload, models.Queue.from_item, ["an object"]),
            path={},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)
