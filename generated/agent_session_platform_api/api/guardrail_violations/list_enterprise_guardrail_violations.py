# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.guardrail_violations.list: GET /v3beta1/enterprise/guardrail-violations."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_enterprise_guardrail_violations",
    method="GET",
    path="/v3beta1/enterprise/guardrail-violations",
    scope="enterprise",
    resource="guardrail_violations",
    verb="list",
    summary="List the guardrail violations of the enterprise.",
    permission="ManageEnterpriseSettings",
    credentials=("serviceUser",),
    paginated=True,
    beta=True,
    parameters=(
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
            name="session_id",
            location="query",
        ),
        Parameter(
            name="guardrail_id",
            location="query",
        ),
    ),
    gaps=(
        Gap(
            "enterprise-guardrail-violations-level",
            "#/paths/~1v3beta1~1enterprise~1guardrail-violations/get",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "enterprise-guardrail-violations-parameters",
            "#/paths/~1v3beta1~1enterprise~1guardrail-violations/get",
            "The names of the time range's parameters, and the types of all filters.",
        ),
        Gap(
            "enterprise-guardrail-violations-response",
            "#/paths/~1v3beta1~1enterprise~1guardrail-violations/get",
            "The success status and the response payload.",
        ),
        Gap(
            "enterprise-guardrail-violations-errors",
            "#/paths/~1v3beta1~1enterprise~1guardrail-violations/get",
            "The error statuses.",
        ),
    ),
)
