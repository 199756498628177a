"""Reviews."""

from __future__ import annotations

import json

import pytest
from agent_session_platform import (
    AgentPlatform,
)
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.plain_http import send

PR = "https://git.example.com/acme/shop/pull/7"
JSON = "application/json"


@pytest.mark.parametrize("status", ["running", "completed", "errored", "cancelled"])
async def test_a_review_stays_pending_until_it_is_settled(
    sandbox: Sandbox, platform: AgentPlatform, status: str
) -> None:
    """Rules review-starts-pending and review-latest-commit: a record is created for a worker pool to pick up."""
    made = await platform.enterprise.reviews.create(pr_url=PR)
    [settled] = sandbox.settle_reviews(status)
    assert (made.status, settled["commit_sha"], settled["status"]) == ("pending", made.commit_sha, status)


async def test_a_running_review_ends_and_then_stays_as_it_is(sandbox: Sandbox, platform: AgentPlatform) -> None:
    await platform.enterprise.reviews.create(pr_url=PR)
    sandbox.settle_reviews("running")
    assert [review["status"] for review in sandbox.settle_reviews("errored")] == ["errored"]
    assert sandbox.settle_reviews() == []


@pytest.mark.parametrize("status", ["pending", "done"])
def test_an_unknown_status_of_reviews_is_refused(sandbox: Sandbox, status: str) -> None:
    with pytest.raises(ValueError, match="status must be one of running, completed, errored, cancelled"):
        sandbox.settle_reviews(status)


@pytest.mark.parametrize("number", ["\u0665", "9" * 5000])
async def test_a_pull_request_number_that_is_too_long_is_refused(sandbox: Sandbox, number: str) -> None:
    body = json.dumps({"pr_url": f"https://git.example.com/acme/shop/pull/{number}"}).encode()
    assert (await send(sandbox, "POST", "/v3/enterprise/pr-reviews", content=body)).status_code == 422
