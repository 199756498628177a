# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of git connections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, Pager, RequestOptions
    from ...operation import QueryValue


class EnterpriseGitConnections:
    """Git connections in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    def list_repositories(
        self,
        connection_id: str,
        *,
        first: int | None = None,
        after: str | None = None,
        filter_name: QueryValue | None = None,
        options: RequestOptions | None = None,
    ) -> Pager[Any]:
        """List the repositories of a git connection.

        With cursor pagination.

        Permission: `ManageGitIntegrations` (level not shown). Credential: service user.

        `GET /v3/enterprise/git-providers/connections/{connection_id}/repositories`

        Arguments:
            connection_id: Id of the git connection.
            first: Page size.
            after: Cursor from the `end_cursor` of the page before.
            filter_name: Filter by name.

        Not shown:
            git-connection-repositories-level: The level of the permission, and the kinds of credential.
            git-connection-repositories-filter-name: The type of filter_name, and how it matches.
            git-connection-repositories-response: The success status and the response payload.
            git-connection-repositories-errors: The error statuses.
        """
        from .list_enterprise_git_connection_repositories import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "connection_id": connection_id,
            },
            query={
                "first": first,
                "after": after,
                "filter_name": filter_name,
            },
        )
        return self._client.paginate(request, options)
