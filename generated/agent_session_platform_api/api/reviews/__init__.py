# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of reviews."""

from __future__ import annotations

from functools import partial

from ... import api, models
from ...catalogue import OPERATIONS
from ...decoding import read_payload
from ...models.review import Review
from ...operation import CallOptions, Refused, Request


class EnterpriseReviews(api.ResourceMethods):
    """The reviews of the enterprise."""

    scope = "enterprise"
    resource = "reviews"

    async def create(
        self,
        *,
        pr_url: str,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> Review:
        """Trigger a review of a pull or merge request.

        The latest commit of the pull request is reviewed.

        Sends `POST /v3/enterprise/pr-reviews`.

        Not shown by the API's description: review-error-statuses.

        Args:
            pr_url: The full URL of the pull or merge request.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The `Review`: a read-only view of the response.

        Raises:
            PermissionDeniedError: The credential lacks `UseReviewManual` at enterprise level.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            review = await platform.enterprise.reviews.create(pr_url="https://git.example.com/acme/shop/pull/7")

        Rules:
            review-latest-commit: The review always targets the latest commit of the pull request, which is
                always fetched; a record is created for a worker pool to pick up.
            review-starts-pending: A newly accepted review starts as `pending`.
        """
        request = Request(
            OPERATIONS["create_enterprise_review"],
            partial(read_payload, models.Review.from_item, ["an object"]),
            path={},
            query={},
            body={"pr_url": pr_url},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)
