# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of consumption."""

from __future__ import annotations

from ... import api
from ...catalogue import OPERATIONS
from ...model import OpenModel
from ...operation import CallOptions, Refused, Request


class EnterpriseConsumption(api.ResourceMethods):
    """The consumption of the enterprise."""

    scope = "enterprise"
    resource = "consumption"

    async def get(
        self,
        tail: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Read usage and billing data.

        The description writes `consumption/*`; no sub-path is invented here.

        Sends `GET /v3/enterprise/consumption/{tail}`.

        Not shown by the API's description: consumption-permission, consumption-paths, consumption-response,
        consumption-errors.

        Args:
            tail: The rest of the path; the description writes a wildcard and shows no sub-path but those
                stated.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await platform.enterprise.consumption.get("anything")
        """
        request = Request(
            OPERATIONS["get_enterprise_consumption"],
            OpenModel.from_item,
            path={"tail": tail},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)
