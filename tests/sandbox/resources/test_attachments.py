"""Attachments."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
)
from agent_session_platform.sandbox import Sandbox


@pytest.mark.parametrize("name", ["a b.txt", "50%.txt", "Zürich.pdf", "a?b#c.txt", "a/b.txt"])
async def test_an_attachment_of_any_name_is_downloaded(
    sandbox: Sandbox, platform: AgentPlatform, org: Any, name: str
) -> None:
    form = {"file": (name, b"content")}
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url, headers=headers) as client:
        made = (await client.post("/v3/organizations/org-acme/attachments", files=form)).json()
        assert (await client.get(made["url"])).content == b"content"
    assert made["name"] == name
    assert await org.attachments.download(made["uuid"], name).read() == b"content"
