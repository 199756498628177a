# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of hypervisors."""

from __future__ import annotations

from typing import Literal

from ... import api
from ...catalogue import OPERATIONS
from ...interface import OpenList
from ...model import OpenModel
from ...operation import CallOptions, Refused, Request


class EnterpriseHypervisors(api.ResourceMethods):
    """The hypervisors of the enterprise."""

    scope = "enterprise"
    resource = "hypervisors"

    def list(
        self,
        *,
        status: Literal["available", "all"] | str | None = None,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenList[OpenModel]:
        """List the hypervisors.

        The response carries utilization_percentage.

        Sends `GET /v3/enterprise/hypervisors`.

        Not shown by the API's description: hypervisors-utilization-place, hypervisors-permission,
        hypervisors-response, hypervisors-errors, hypervisors-status-values.

        Args:
            status: Default status filter is `available`; `status=all` returns all; the server's default is
                `'available'`.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A list: iterate over it for items; await it for the first response, as `OpenModel`, because the
                description does not show it.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in platform.enterprise.hypervisors.list():
                print(item)

        Rules:
            hypervisors-status-filter: The default status filter is `available`; `status=all` returns all.
            hypervisors-utilization: The response carries utilization_percentage.
        """
        request = Request(
            OPERATIONS["list_enterprise_hypervisors"],
            OpenModel.from_item,
            path={},
            query={"status": status},
            members=unknown,
            options=options,
        )
        return self._client.read_list(request)
