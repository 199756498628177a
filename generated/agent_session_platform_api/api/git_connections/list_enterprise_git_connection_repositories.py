# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.git_connections.list_repositories: GET
/v3/enterprise/git-providers/connections/{connection_id}/repositories.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_enterprise_git_connection_repositories",
    method="GET",
    path="/v3/enterprise/git-providers/connections/{connection_id}/repositories",
    scope="enterprise",
    resource="git_connections",
    verb="list_repositories",
    summary="List the repositories of a git connection.",
    permission="ManageGitIntegrations",
    credentials=("serviceUser",),
    paginated=True,
    parameters=(
        Parameter(
            name="connection_id",
            location="path",
            kind="string",
            required=True,
        ),
        Parameter(
            name="first",
            location="query",
            kind="integer",
            minimum=1,
            maximum=200,
        ),
        Parameter(
            name="after",
            location="query",
            kind="string",
            nullable=True,
        ),
        Parameter(
            name="filter_name",
            location="query",
        ),
    ),
    gaps=(
        Gap(
            "git-connection-repositories-level",
            "#/paths/~1v3~1enterprise~1git-providers~1connections~1{connection_id}~1repositories/get",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "git-connection-repositories-filter-name",
            "#/paths/~1v3~1enterprise~1git-providers~1connections~1{connection_id}~1repositories/get",
            "The type of filter_name, and how it matches.",
        ),
        Gap(
            "git-connection-repositories-response",
            "#/paths/~1v3~1enterprise~1git-providers~1connections~1{connection_id}~1repositories/get",
            "The success status and the response payload.",
        ),
        Gap(
            "git-connection-repositories-errors",
            "#/paths/~1v3~1enterprise~1git-providers~1connections~1{connection_id}~1repositories/get",
            "The error statuses.",
        ),
    ),
)
