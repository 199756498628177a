# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.searches.list: GET /v3beta1/organizations/{org_id}/searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...operation import Gap, Operation, Parameter

if TYPE_CHECKING:
    from ...models.not_shown_page import NotShownPage

OPERATION: Final = Operation(
    id="list_organization_searches",
    method="GET",
    path="/v3beta1/organizations/{org_id}/searches",
    scope="organization",
    resource="searches",
    verb="list",
    summary="List the searches of an organization.",
    permission=None,
    level=None,
    credentials=("serviceUser",),
    paginated=True,
    deprecated=False,
    beta=True,
    inferred=None,
    media_type=None,
    streamed=False,
    successor=None,
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
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
    rules=(),
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


def decode(payload: Any) -> NotShownPage:
    """Show the decoded JSON of a success as what the operation answers with."""
    from ...models.not_shown_page import NotShownPage

    answer: NotShownPage = NotShownPage.decode(payload)
    return answer
