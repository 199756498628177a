# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.secrets.delete: DELETE /v3/organizations/{org_id}/secrets/{secret_id}."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="delete_organization_secret",
    method="DELETE",
    path="/v3/organizations/{org_id}/secrets/{secret_id}",
    scope="organization",
    resource="secrets",
    verb="delete",
    summary="Delete a secret.",
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
        Parameter(
            name="secret_id",
            location="path",
            kind="string",
            required=True,
        ),
    ),
    gaps=(
        Gap(
            "secret-delete-level",
            "#/paths/~1v3~1organizations~1{org_id}~1secrets~1{secret_id}/delete",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "secret-delete-response",
            "#/paths/~1v3~1organizations~1{org_id}~1secrets~1{secret_id}/delete",
            "The success status and the response payload.",
        ),
        Gap(
            "secret-delete-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1secrets~1{secret_id}/delete",
            "The error statuses.",
        ),
    ),
)
