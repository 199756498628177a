# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of blueprints."""

from __future__ import annotations

from functools import partial

from ... import api, models
from ...catalogue import OPERATIONS
from ...decoding import read_payload
from ...model import OpenModel
from ...models.blueprint_list import BlueprintList
from ...operation import CallOptions, Refused, Request


class EnterpriseBlueprints(api.ResourceMethods):
    """The blueprints of the enterprise."""

    scope = "enterprise"
    resource = "blueprints"

    async def delete(
        self,
        blueprint_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Soft-delete an enterprise blueprint.

        The blueprint that the path names.

        Sends `DELETE /v3/enterprise/snapshot-setup/blueprints/{blueprint_id}`.

        Not shown by the API's description: blueprint-deleted-state, blueprint-delete-response,
        blueprint-delete-error-statuses.

        Args:
            blueprint_id: Id of the blueprint.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageAccountSnapshots` at enterprise level.
            CredentialMismatchError: The credential is of another kind than `serviceUser` or
                `personalAccessToken`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.blueprints.delete("blueprint-1")

        Rules:
            blueprint-soft-delete: The record is soft-deleted; the name of the resulting state is not stated
                as a value.
        """
        request = Request(
            OPERATIONS["delete_enterprise_blueprint"],
            OpenModel.from_item,
            path={"blueprint_id": blueprint_id},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)

    async def list(
        self,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> BlueprintList:
        """List the enterprise-tier blueprints.

        The list does not use the paginated envelope.

        Sends `GET /v3/enterprise/snapshot-setup/blueprints`.

        Not shown by the API's description: blueprint-list-parameters, blueprint-list-error-statuses.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The `BlueprintList`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks `ManageAccountSnapshots` at enterprise level.
            CredentialMismatchError: The credential is of another kind than `serviceUser` or
                `personalAccessToken`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            blueprint_list = await platform.enterprise.blueprints.list()
        """
        request = Request(
            OPERATIONS["list_enterprise_blueprints"],
            partial(read_payload, models.BlueprintList.from_item, ["an object"]),
            path={},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)
