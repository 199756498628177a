# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.secrets.list: GET /v3/organizations/{org_id}/secrets."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_organization_secrets",
    method="GET",
    path="/v3/organizations/{org_id}/secrets",
    scope="organization",
    resource="secrets",
    verb="list",
    summary="List the secrets of an organization.",
    permission="ManageOrgSecrets",
    credentials=("serviceUser",),
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
    ),
    gaps=(
        Gap(
            "secret-list-level",
            "#/paths/~1v3~1organizations~1{org_id}~1secrets/get",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "secret-list-response",
            "#/paths/~1v3~1organizations~1{org_id}~1secrets/get",
            "The success status, the response payload, and whether the list is paginated (list-pagination).",
        ),
        Gap("secret-list-errors", "#/paths/~1v3~1organizations~1{org_id}~1secrets/get", "The error statuses."),
    ),
)
