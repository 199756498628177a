# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.searches.list: GET /v3beta1/enterprise/searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...operation import Gap, Operation, Parameter

if TYPE_CHECKING:
    from ...models.not_shown_page import NotShownPage

OPERATION: Final = Operation(
    id="list_enterprise_searches",
    method="GET",
    path="/v3beta1/enterprise/searches",
    scope="enterprise",
    resource="searches",
    verb="list",
    summary="List the searches of the enterprise.",
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


def decode(payload: Any) -> NotShownPage:
    """Show the decoded JSON of a success as what the operation answers with."""
    from ...models.not_shown_page import NotShownPage

    answer: NotShownPage = NotShownPage.decode(payload)
    return answer
