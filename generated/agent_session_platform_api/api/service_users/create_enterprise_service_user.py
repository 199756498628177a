# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.service_users.create: POST /v3beta1/enterprise/service-users."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="create_enterprise_service_user",
    method="POST",
    path="/v3beta1/enterprise/service-users",
    scope="enterprise",
    resource="service_users",
    verb="create",
    summary="Provision a service user.",
    permission="ManageAccountServiceUsers",
    credentials=("serviceUser",),
    beta=True,
    media_type="application/json",
    optional_body=True,
    parameters=(
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
            "enterprise-service-user-create-level",
            "#/paths/~1v3beta1~1enterprise~1service-users/post",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "enterprise-service-user-create-request",
            "#/paths/~1v3beta1~1enterprise~1service-users/post",
            "The request payload.",
        ),
        Gap(
            "enterprise-service-user-create-response",
            "#/paths/~1v3beta1~1enterprise~1service-users/post",
            "The success status and the response payload.",
        ),
        Gap(
            "enterprise-service-user-create-errors",
            "#/paths/~1v3beta1~1enterprise~1service-users/post",
            "The error statuses.",
        ),
    ),
)
