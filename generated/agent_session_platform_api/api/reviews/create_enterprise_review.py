# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.reviews.create: POST /v3/enterprise/pr-reviews."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="create_enterprise_review",
    method="POST",
    path="/v3/enterprise/pr-reviews",
    scope="enterprise",
    resource="reviews",
    verb="create",
    summary="Trigger a review of a pull or merge request.",
    permission="UseReviewManual",
    level="enterprise",
    credentials=("serviceUser",),
    media_type="application/json",
    parameters=(
        Parameter(
            name="pr_url",
            location="body",
            kind="string",
            required=True,
        ),
    ),
    rules=(
        Rule(
            "review-latest-commit",
            "The review always targets the latest commit of the pull request, which is always fetched; a record is created for a worker pool to pick up.",
        ),
        Rule("review-starts-pending", "A newly accepted review starts as `pending`."),
    ),
    gaps=(
        Gap(
            "review-error-statuses",
            "#/paths/~1v3~1enterprise~1pr-reviews/post",
            "The statuses of the six problem-detail bodies.",
        ),
    ),
)
