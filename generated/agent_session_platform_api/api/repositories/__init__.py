# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of repositories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions
    from ...models.repository_index_status import RepositoryIndexStatus


class EnterpriseRepositories:
    """Repositories in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def list_index_status(
        self,
        org_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Sequence[RepositoryIndexStatus]:
        """Get the indexing status of all repositories of an organization.

        Accepts only a personal API key of an enterprise administrator.

        Beta.

        Permission: not shown. Credential: personal API key of an enterprise administrator.

        `GET /beta/v2/enterprise/repositories/{org_id}`

        Arguments:
            org_id: Id of the organization.

        Rules:
            repository-index-credential: Only a personal API key of an enterprise administrator is accepted
                (legacy key form with prefix `apk_user_`).

        Not shown:
            repository-index-permission: A permission name; the kind of credential is all that is stated.
            repository-index-error-statuses: The error statuses.
        """
        from .list_enterprise_repository_index_status import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": org_id,
            },
            query={},
        )
        return await self._client.send(request, options)
