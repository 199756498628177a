# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of blueprints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions
    from ...models.blueprint_list import BlueprintList


class EnterpriseBlueprints:
    """Blueprints in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def delete(
        self,
        blueprint_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """Soft-delete an enterprise blueprint.

        The blueprint that the path names.

        Permission: `ManageAccountSnapshots` (enterprise level). Credential: service user, personal access
        token.

        `DELETE /v3/enterprise/snapshot-setup/blueprints/{blueprint_id}`

        Arguments:
            blueprint_id: Id of the blueprint.

        Rules:
            blueprint-soft-delete: The record is soft-deleted; the name of the resulting state is not stated
                as a value.

        Not shown:
            blueprint-deleted-state: The name of the resulting state.
            blueprint-delete-response: The success status and body.
            blueprint-delete-error-statuses: The statuses of the problem-detail bodies.
        """
        from .delete_enterprise_blueprint import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "blueprint_id": blueprint_id,
            },
            query={},
        )
        return await self._client.send(request, options)

    async def list(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> BlueprintList:
        """List the enterprise-tier blueprints.

        The list does not use the paginated envelope.

        Permission: `ManageAccountSnapshots` (enterprise level). Credential: service user, personal access
        token.

        `GET /v3/enterprise/snapshot-setup/blueprints`

        Not shown:
            blueprint-list-parameters: Parameters; none are shown.
            blueprint-list-error-statuses: The statuses of the problem-detail bodies.
        """
        from .list_enterprise_blueprints import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={},
        )
        return await self._client.send(request, options)
