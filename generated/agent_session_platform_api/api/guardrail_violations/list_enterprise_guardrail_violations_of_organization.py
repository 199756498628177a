# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.guardrail_violations.list_of_organization: GET
/v3beta1/enterprise/organizations/{org_id}/guardrail-violations.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_enterprise_guardrail_violations_of_organization",
    method="GET",
    path="/v3beta1/enterprise/organizations/{org_id}/guardrail-violations",
    scope="enterprise",
    resource="guardrail_violations",
    verb="list_of_organization",
    summary="List the guardrail violations of an organization.",
    permission="ManageEnterpriseSettings",
    credentials=("serviceUser",),
    paginated=True,
    beta=True,
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
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
            "organization-guardrail-violations-level",
            "#/paths/~1v3beta1~1enterprise~1organizations~1{org_id}~1guardrail-violations/get",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "organization-guardrail-violations-parameters",
            "#/paths/~1v3beta1~1enterprise~1organizations~1{org_id}~1guardrail-violations/get",
            "The names of the time range's parameters, and the types of all filters.",
        ),
        Gap(
            "organization-guardrail-violations-response",
            "#/paths/~1v3beta1~1enterprise~1organizations~1{org_id}~1guardrail-violations/get",
            "The success status and the response payload.",
        ),
        Gap(
            "organization-guardrail-violations-errors",
            "#/paths/~1v3beta1~1enterprise~1organizations~1{org_id}~1guardrail-violations/get",
            "The error statuses.",
        ),
    ),
)
