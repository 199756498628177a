# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.searches.list: GET /v3beta1/enterprise/searches."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_enterprise_searches",
    method="GET",
    path="/v3beta1/enterprise/searches",
    scope="enterprise",
    resource="searches",
    verb="list",
    summary="List the searches of the enterprise.",
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
    ),
    gaps=(
        Gap(
            "enterprise-searches-permission",
            "#/paths/~1v3beta1~1enterprise~1searches/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "enterprise-searches-parameters",
            "#/paths/~1v3beta1~1enterprise~1searches/get",
            "The filters and their names.",
        ),
        Gap(
            "enterprise-searches-response",
            "#/paths/~1v3beta1~1enterprise~1searches/get",
            "The success status and the response payload.",
        ),
        Gap("enterprise-searches-errors", "#/paths/~1v3beta1~1enterprise~1searches/get", "The error statuses."),
    ),
)
