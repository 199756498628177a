# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.searches.list: GET /v3beta1/organizations/{org_id}/searches."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_organization_searches",
    method="GET",
    path="/v3beta1/organizations/{org_id}/searches",
    scope="organization",
    resource="searches",
    verb="list",
    summary="List the searches of an organization.",
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
    ),
    gaps=(
        Gap(
            "organization-searches-permission",
            "#/paths/~1v3beta1~1organizations~1{org_id}~1searches/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "organization-searches-parameters",
            "#/paths/~1v3beta1~1organizations~1{org_id}~1searches/get",
            "The filters and their names.",
        ),
        Gap(
            "organization-searches-response",
            "#/paths/~1v3beta1~1organizations~1{org_id}~1searches/get",
            "The success status and the response payload.",
        ),
        Gap(
            "organization-searches-errors",
            "#/paths/~1v3beta1~1organizations~1{org_id}~1searches/get",
            "The error statuses.",
        ),
    ),
)
