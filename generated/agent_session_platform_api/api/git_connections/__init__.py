# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of git connections."""

from __future__ import annotations

from functools import partial

from ... import api, models
from ...catalogue import OPERATIONS
from ...decoding import read_payload
from ...interface import Pager
from ...model import OpenModel
from ...operation import CallOptions, QueryValue, Refused, Request


class EnterpriseGitConnections(api.ResourceMethods):
    """The git connections of the enterprise."""

    scope = "enterprise"
    resource = "git_connections"

    def list_repositories(
        self,
        connection_id: str,
        *,
        first: int | None = None,
        after: str | None = None,
        filter_name: QueryValue | None = None,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> Pager[OpenModel]:
        """List the repositories of a git connection.

        With cursor pagination.

        Sends `GET /v3/enterprise/git-providers/connections/{connection_id}/repositories`.

        Not shown by the API's description: git-connection-repositories-level,
        git-connection-repositories-filter-name, git-connection-repositories-response,
        git-connection-repositories-errors.

        Args:
            connection_id: Id of the git connection.
            first: Page size, from 1 to 200; the server's default is 100.
            after: Cursor to resume from, as given by `Pager.cursor`.
            filter_name: Filter by name; how it matches is not shown.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A pager: iterate over it for items, over `.pages()` for pages.

        Raises:
            PermissionDeniedError: The credential lacks `ManageGitIntegrations` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            PagingError: The server repeats a cursor, or sends none although there are more pages.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in platform.enterprise.git_connections.list_repositories("connection-1"):
                print(item)
        """
        request = Request(
            OPERATIONS["list_enterprise_git_connection_repositories"],
            partial(read_payload, models.NotShownPage.from_item, ["an object"]),
            path={"connection_id": connection_id},
            query={"first": first, "after": after, "filter_name": filter_name},
            members=unknown,
            options=options,
        )
        return self._client.paginate(request)
