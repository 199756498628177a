# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of repositories."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ... import api, models
from ...catalogue import OPERATIONS
from ...decoding import convert_list, read_payload
from ...models.repository_index_status import RepositoryIndexStatus
from ...operation import CallOptions, Refused, Request


class EnterpriseRepositories(api.ResourceMethods):
    """The repositories of the enterprise."""

    scope = "enterprise"
    resource = "repositories"

    async def list_index_status(
        self,
        org_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> Sequence[RepositoryIndexStatus]:
        """Get the indexing status of all repositories of an organization.

        Accepts only a personal API key of an enterprise administrator.

        Beta.

        Sends `GET /beta/v2/enterprise/repositories/{org_id}`.

        Not shown by the API's description: repository-index-permission, repository-index-error-statuses.

        Args:
            org_id: Id of the organization, with the prefix `org-`.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as `Sequence[RepositoryIndexStatus]`.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is of another kind than `enterpriseAdminApiKey`; nothing
                is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await platform.enterprise.repositories.list_index_status("org-acme")

        Rules:
            repository-index-credential: Only a personal API key of an enterprise administrator is accepted
                (legacy key form with prefix `apk_user_`).
        """
        request = Request(
            OPERATIONS["list_enterprise_repository_index_status"],
            partial(
                read_payload, lambda value: convert_list(value, models.RepositoryIndexStatus.from_item), ["an array"]
            ),
            path={"org_id": org_id},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)
