# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.secrets.create: POST /v3/organizations/{org_id}/secrets."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="create_organization_secret",
    method="POST",
    path="/v3/organizations/{org_id}/secrets",
    scope="organization",
    resource="secrets",
    verb="create",
    summary="Create a secret.",
    permission="ManageOrgSecrets",
    credentials=("serviceUser",),
    media_type="application/json",
    optional_body=True,
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
        Parameter(
            name="",
            location="body",
            argument="body",
        ),
    ),
    rules=(
        Rule(
            "secret-type-dictionary",
            "The `dictionary` secret type is recognized but deprecated for creation; use `cookie`, `key-value` or `totp`.",
        ),
    ),
    gaps=(
        Gap(
            "secret-create-type",
            "#/paths/~1v3~1organizations~1{org_id}~1secrets/post",
            "The name of the member that has the type, and further types.",
        ),
        Gap(
            "secret-create-level",
            "#/paths/~1v3~1organizations~1{org_id}~1secrets/post",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap("secret-create-request", "#/paths/~1v3~1organizations~1{org_id}~1secrets/post", "The request payload."),
        Gap(
            "secret-create-response",
            "#/paths/~1v3~1organizations~1{org_id}~1secrets/post",
            "The success status and the response payload.",
        ),
        Gap("secret-create-errors", "#/paths/~1v3~1organizations~1{org_id}~1secrets/post", "The error statuses."),
    ),
)
