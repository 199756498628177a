"""Insights of sessions."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import (
    NotFoundError,
    PermissionDeniedError,
)
from agent_session_platform_sandbox import Sandbox

both_scopes = pytest.mark.parametrize("scope", ["organization", "enterprise"])


@both_scopes
async def test_insights_are_generated(sandbox: Sandbox, scopes: dict[str, Any], scope: str) -> None:
    """Rule insights-generate-status."""
    assert (await scopes[scope].generate_insights(sandbox.add_session())).status == "started"


@both_scopes
async def test_insights_that_exist_are_not_generated_again(
    sandbox: Sandbox, scopes: dict[str, Any], scope: str
) -> None:
    """Rule insights-generate-status."""
    session_id = sandbox.add_session()
    await scopes["organization"].generate_insights(session_id)
    assert (await scopes[scope].generate_insights(session_id)).status == "already_exists"


@both_scopes
async def test_insights_are_read_once_generated(sandbox: Sandbox, scopes: dict[str, Any], scope: str) -> None:
    """Rule insights-generate-status."""
    session_id = sandbox.add_session()
    await scopes["enterprise"].send_message(session_id, body={"message": "Please"})
    with pytest.raises(NotFoundError, match=f"no insights of session {session_id}"):
        await scopes[scope].get_insights(session_id)
    await scopes["enterprise"].generate_insights(session_id)
    insights = await scopes[scope].get_insights(session_id)
    assert (insights["session_id"], insights["message_count"]) == (session_id, 2)


@both_scopes
async def test_generating_insights_requires_a_permission(sandbox: Sandbox, scope: str) -> None:
    """Rule auth-permission-missing."""
    session_id = sandbox.add_session()
    async with sandbox.client(sandbox.viewer_token) as platform:
        sessions: Any = {"organization": platform.organization(), "enterprise": platform.enterprise}[scope].sessions
        with pytest.raises(PermissionDeniedError, match="lacks ManageOrgSessions"):
            await sessions.generate_insights(session_id)
