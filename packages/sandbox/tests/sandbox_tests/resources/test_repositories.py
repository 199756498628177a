"""Git permissions, repositories of connections, and reviews."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, NotFoundError
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.plain_http import send


async def test_a_git_permission_is_updated(sandbox: Sandbox, enterprise: Any) -> None:
    permission_id = sandbox.add_git_permission(scope="acme/*")
    changed = await enterprise.git_permissions.update(
        "org-acme", permission_id, read_only=True, extra_body={"org_id": 1}
    )
    expected = {"git_permission_id": permission_id, "org_id": "org-acme", "read_only": True, "scope": "acme/*"}
    assert changed == expected
    with pytest.raises(NotFoundError, match="no git permission git-permission-1"):
        await enterprise.git_permissions.update("org-globex", permission_id, body={})


async def test_the_repositories_of_a_git_connection_are_found_by_a_part_of_their_name(
    sandbox: Sandbox, enterprise: Any
) -> None:
    for name in ("acme/shop", "acme/website", "acme/Shop-Admin"):
        sandbox.add_git_repository("connection-1", name)
    found = enterprise.git_connections.list_repositories("connection-1", filter_name="shop", first=1)
    assert [each["name"] async for each in found] == ["acme/shop", "acme/Shop-Admin"]
    with pytest.raises(NotFoundError, match="no git connection connection-2"):
        await enterprise.git_connections.list_repositories("connection-2").first_page()


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
