# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of consumption."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from ...decoding import decode_any
from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client
    from ...operation import CallOptions, Operation


class EnterpriseConsumption:
    """The consumption of the enterprise."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def get(
        self,
        tail: str,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Read usage and billing data.

        The description writes `consumption/*`; no sub-path is invented here.

        Sends `GET /v3/enterprise/consumption/{tail}`.

        Args:
            tail: The rest of the path; the description writes a wildcard and shows no sub-path but those
                stated.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await platform.enterprise.consumption.get("anything")

        Not shown by the API's description:
            consumption-permission: The permission, its level and the kinds of credential.
            consumption-paths: The sub-paths and their parameters.
            consumption-response: The success status and the response payload.
            consumption-errors: The error statuses.
        """
        OPERATION = _get_enterprise_consumption()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "tail": tail,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)


# What a method needs is imported at its first call, because it would add to the start-up of every program; once, because
# an import takes longer than it looks, even of what is there.


@cache
def _get_enterprise_consumption() -> Operation:
    from .get_enterprise_consumption import OPERATION

    return OPERATION
