"""Git permissions, repositories, reviews, playbooks, secrets and attachments."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, NotFoundError, UnprocessableContentError
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.plain_http import PR, send


async def test_a_git_permission_is_updated(sandbox: Sandbox, enterprise: Any) -> None:
    permission_id = sandbox.add_git_permission(scope="acme/*")
    changed = await enterprise.git_permissions.update(
        "org-acme", permission_id, read_only=True, extra_body={"org_id": 1}
    )
    expected = {"git_permission_id": permission_id, "org_id": "org-acme", "read_only": True, "scope": "acme/*"}
    assert changed == expected
    with pytest.raises(NotFoundError, match="no git permission git-permission-1"):
        await enterprise.git_permissions.update("org-globex", permission_id, body={})


async def test_git_repositories_are_found_by_a_part_of_their_name(sandbox: Sandbox, enterprise: Any) -> None:
    for name in ("acme/shop", "acme/website", "acme/Shop-Admin"):
        sandbox.add_git_repository("connection-1", name)
    found = enterprise.git_connections.list_repositories("connection-1", filter_name="shop", first=1)
    assert [each["name"] async for each in found] == ["acme/shop", "acme/Shop-Admin"]
    with pytest.raises(NotFoundError, match="no git connection connection-2"):
        await enterprise.git_connections.list_repositories("connection-2").first_page()


@pytest.mark.parametrize("status", ["completed", "errored", "cancelled"])
async def test_a_review_is_pending_until_it_is_settled(sandbox: Sandbox, platform: AgentPlatform, status: str) -> None:
    """Rules review-starts-pending and review-latest-commit: a record is created for a worker pool to pick up."""
    made = await platform.enterprise.reviews.create(pr_url=PR)
    for each in ("running", status):
        [settled] = sandbox.settle_reviews(each)
        assert (made.status, settled["commit_sha"], settled["status"]) == ("pending", made.commit_sha, each)
    assert sandbox.settle_reviews() == []


@pytest.mark.parametrize("number", ["\u0665", "9" * 5000])
async def test_a_pull_request_number_that_is_too_long_is_refused(sandbox: Sandbox, number: str) -> None:
    body = json.dumps({"pr_url": f"https://git.example.com/acme/shop/pull/{number}"}).encode()
    assert (await send(sandbox, "POST", "/v3/enterprise/pr-reviews", content=body)).status_code == 422


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v3/enterprise/sessions"),
        ("POST", "/v3/enterprise/sessions/assistant-1/messages"),
        ("POST", "/v3/organizations/org-acme/knowledge/notes"),
    ],
)
async def test_a_body_that_is_not_an_object_is_refused(sandbox: Sandbox, method: str, path: str) -> None:
    sandbox.add_session()
    refused = await send(sandbox, method, path, json=["a"])
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["loc"] == ["body"]


async def test_a_secret_is_of_a_known_type_and_its_value_is_never_returned(org: Any) -> None:
    """Rule secret-type-dictionary: the type is deprecated for creation, but still accepted."""
    for unknown in ("vault", None, ["totp"]):
        with pytest.raises(UnprocessableContentError, match="body.type: unknown type; use cookie, key-value, totp"):
            await org.secrets.create(name="TOKEN", type=unknown)
    known = ["cookie", "key-value", "totp", "dictionary"]
    made = [await org.secrets.create(name="TOKEN", type=each, value="hush", seed="hush") for each in known]
    assert [(each["name"], each["type"]) for each in made] == [("TOKEN", each) for each in known]
    listed = await org.secrets.list()
    assert (listed["items"], "hush" in str(listed)) == (made, False)


async def test_a_deleted_secret_is_gone(platform: AgentPlatform, org: Any) -> None:
    kept, gone = [await org.secrets.create(name=name) for name in ("KEPT", "GONE")]
    await org.secrets.delete(gone["secret_id"])
    assert (await org.secrets.list())["items"] == [kept]
    for secrets in (org.secrets, platform.organization("org-globex").secrets):
        with pytest.raises(NotFoundError, match="no secret secret-2"):
            await secrets.delete(gone["secret_id"])


async def test_the_secrets_of_a_session_are_no_secrets_of_its_organization(org: Any) -> None:
    """Rule session-secrets-temporary."""
    made = await org.sessions.create(session_secrets=[{"name": "TOKEN", "value": "hush"}])
    assert (await org.secrets.list())["items"] == []
    assert "hush" not in str((await org.sessions.get(made.session_id)).to_dict())


@pytest.mark.parametrize("name", ["a b.txt", "50%.txt", "Zürich.pdf", "a?b#c.txt", "a/b.txt"])
async def test_an_attachment_may_have_any_name(sandbox: Sandbox, platform: AgentPlatform, org: Any, name: str) -> None:
    form = {"file": (name, b"content")}
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url, headers=headers) as client:
        made = (await client.post("/v3/organizations/org-acme/attachments", files=form)).json()
        assert (await client.get(made["url"])).content == b"content"
    assert made["name"] == name
    assert await org.attachments.download(made["uuid"], name).read() == b"content"
