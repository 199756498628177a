# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.repositories.list_index_status: GET
/beta/v2/enterprise/repositories/{org_id}.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="list_enterprise_repository_index_status",
    method="GET",
    path="/beta/v2/enterprise/repositories/{org_id}",
    scope="enterprise",
    resource="repositories",
    verb="list_index_status",
    summary="Get the indexing status of all repositories of an organization.",
    credentials=("enterpriseAdminApiKey",),
    beta=True,
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
    ),
    rules=(
        Rule(
            "repository-index-credential",
            "Only a personal API key of an enterprise administrator is accepted (legacy key form with prefix `apk_user_`).",
        ),
    ),
    gaps=(
        Gap(
            "repository-index-permission",
            "#/paths/~1beta~1v2~1enterprise~1repositories~1{org_id}/get",
            "A permission name; the kind of credential is all that is stated.",
        ),
        Gap(
            "repository-index-error-statuses",
            "#/paths/~1beta~1v2~1enterprise~1repositories~1{org_id}/get",
            "The error statuses.",
        ),
    ),
)
