# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of reviews."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions
    from ...models.review import Review


class EnterpriseReviews:
    """Reviews in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def create(
        self,
        *,
        pr_url: str,
        options: RequestOptions | None = None,
    ) -> Review:
        """Trigger a review of a pull or merge request.

        The latest commit of the pull request is reviewed.

        Permission: `UseReviewManual` (enterprise level). Credential: service user.

        `POST /v3/enterprise/pr-reviews`

        Arguments:
            pr_url: The full URL of the pull or merge request.

        Rules:
            review-latest-commit: The review always targets the latest commit of the pull request, which is
                always fetched; a record is created for a worker pool to pick up.
            review-starts-pending: A newly accepted review starts as `pending`.

        Not shown:
            review-error-statuses: The statuses of the six problem-detail bodies.
        """
        from .create_enterprise_review import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={},
            body={
                "pr_url": pr_url,
            },
        )
        return await self._client.send(request, options)
