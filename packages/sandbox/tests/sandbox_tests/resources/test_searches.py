"""Searches."""

from __future__ import annotations

from typing import Any

from agent_session_platform import (
    AgentPlatform,
)
from agent_session_platform_sandbox import Sandbox


async def test_searches_are_empty_in_both_scopes(platform: AgentPlatform, org: Any) -> None:
    assert await org.searches.list(first=5).collect() == []
    assert await platform.enterprise.searches.list().collect() == []


async def test_searches_are_paged_and_each_organization_has_its_own(
    sandbox: Sandbox, enterprise: Any, org: Any
) -> None:
    made = [sandbox.add_search(org_id, query="flaky") for org_id in ("org-acme", "org-globex", "org-acme")]
    assert [each["search_id"] async for each in enterprise.searches.list(first=1)] == made
    assert [(each["search_id"], each["query"]) async for each in org.searches.list()] == [
        (made[0], "flaky"),
        (made[2], "flaky"),
    ]
