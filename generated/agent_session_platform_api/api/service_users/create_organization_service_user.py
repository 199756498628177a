# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.service_users.create: POST /v3beta1/organizations/{org_id}/service-users."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="create_organization_service_user",
    method="POST",
    path="/v3beta1/organizations/{org_id}/service-users",
    scope="organization",
    resource="service_users",
    verb="create",
    summary="Provision a service user of an organization.",
    permission="ManageOrgServiceUsers",
    credentials=("serviceUser",),
    beta=True,
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
            "service-user-role-subset",
            "The target role's permissions must be a subset of the caller's permissions, and ManageServiceUsers permissions can never be granted.",
        ),
    ),
    gaps=(
        Gap(
            "organization-service-user-create-level",
            "#/paths/~1v3beta1~1organizations~1{org_id}~1service-users/post",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "organization-service-user-create-request",
            "#/paths/~1v3beta1~1organizations~1{org_id}~1service-users/post",
            "The request payload.",
        ),
        Gap(
            "organization-service-user-create-response",
            "#/paths/~1v3beta1~1organizations~1{org_id}~1service-users/post",
            "The success status and the response payload.",
        ),
        Gap(
            "organization-service-user-create-errors",
            "#/paths/~1v3beta1~1organizations~1{org_id}~1service-users/post",
            "The error statuses.",
        ),
    ),
)
