# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of organizations."""

from __future__ import annotations

from ... import api
from ...catalogue import OPERATIONS
from ...interface import OpenList
from ...model import OpenModel
from ...operation import CallOptions, Refused, Request


class EnterpriseOrganizations(api.ResourceMethods):
    """The organizations of the enterprise."""

    scope = "enterprise"
    resource = "organizations"

    def list(
        self,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenList[OpenModel]:
        """List the organizations of the enterprise.

        Neither the request nor the response is shown.

        Sends `GET /v3/enterprise/organizations`.

        Not shown by the API's description: organization-list-permission, organization-list-response,
        organization-list-errors.

        Args:
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
            async for item in platform.enterprise.organizations.list():
                print(item)
        """
        request = Request(
            OPERATIONS["list_enterprise_organizations"],
            OpenModel.from_item,
            path={},
            query={},
            members=unknown,
            options=options,
        )
        return self._client.read_list(request)
