"""Consumption, metrics and active users."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    UnprocessableContentError,
)
from agent_session_platform_sandbox import Sandbox


async def test_consumption_returns_what_was_added_for_a_sub_path(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_consumption("daily/2026-01-01", acus=12.5)
    assert await enterprise.consumption.get("daily/2026-01-01") == {"acus": 12.5}
    assert await enterprise.consumption.get("daily/2026-01-02") == {}


async def test_metrics_return_what_was_added_for_a_sub_path(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_metrics("sessions", count=3)
    assert (await enterprise.metrics.get("sessions"), await enterprise.metrics.get("searches")) == ({"count": 3}, {})


@pytest.mark.parametrize(
    ("query", "users"),
    [
        ({}, 3),
        ({"min_sessions": 1}, 2),
        ({"min_sessions": 2}, 1),
        ({"min_searches": 1}, 2),
        ({"min_sessions": 1, "min_searches": 1}, 1),
        ({"org_ids": ["org-globex"]}, 1),
        ({"org_ids": ["org-acme", "org-globex"]}, 3),
    ],
)
async def test_active_users_are_those_of_sessions_and_searches(
    sandbox: Sandbox, enterprise: Any, query: dict[str, Any], users: int
) -> None:
    for user_id in ("user-1", "user-1", "user-2", None):
        sandbox.add_session(user_id=user_id)
    sandbox.add_search(user_id="user-1")
    sandbox.add_search("org-globex", user_id="user-3")
    assert await enterprise.metrics.get_active_users(**query) == {"unique_users": users}


@pytest.mark.parametrize("given", ["many", "", "-1", "1.5", "\N{SUPERSCRIPT TWO}", "9" * 5000])
async def test_a_filter_that_is_not_a_whole_number_is_refused(enterprise: Any, given: str) -> None:
    """active-users-parameters: an assumption."""
    with pytest.raises(UnprocessableContentError, match=f'must be a whole number, not "{given[:70]}') as caught:
        await enterprise.metrics.get_active_users(min_sessions=given)
    assert len(str(caught.value)) < 400


async def test_a_repeated_filter_is_refused(platform: AgentPlatform) -> None:
    """active-users-parameters: an assumption."""
    with pytest.raises(UnprocessableContentError, match=r"query.min_sessions: given 2 times; it takes one value"):
        await platform.request("GET", "/v3/enterprise/metrics/active-users", query={"min_sessions": [1, 2]})
