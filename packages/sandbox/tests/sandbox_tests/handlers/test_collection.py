"""Plain collections, such as playbooks and knowledge notes."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from agent_session_platform import (
    NotFoundError,
)
from agent_session_platform_sandbox import Sandbox


async def test_a_playbook_is_read_as_it_was_written(org: Any) -> None:
    made = await org.playbooks.create(title="Triage")
    assert await org.playbooks.get(made["playbook_id"]) == made
    await org.playbooks.delete(made["playbook_id"])
    with pytest.raises(NotFoundError, match=f"no playbook {made['playbook_id']}"):
        await org.playbooks.get(made["playbook_id"])


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v3/enterprise/sessions"),
        ("POST", "/v3/enterprise/sessions/assistant-1/messages"),
        ("PUT", "/v3/enterprise/sessions/assistant-1/tags"),
        ("POST", "/v3/organizations/org-acme/sessions/assistant-1/messages"),
        ("PUT", "/v3/organizations/org-acme/sessions/assistant-1/tags"),
        ("PUT", "/v3/organizations/org-acme/default-session-tags"),
        ("POST", "/v3/organizations/org-acme/secrets"),
        ("POST", "/v3/organizations/org-acme/knowledge/notes"),
        ("POST", "/v3/organizations/org-acme/playbooks"),
    ],
)
async def test_a_body_that_is_not_an_object_is_refused(sandbox: Sandbox, method: str, path: str) -> None:
    sandbox.add_session()
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url, headers=headers) as client:
        refused = await client.request(method, path, json=["a"])
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["loc"] == ["body"]
