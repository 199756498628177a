"""Cursors of paginated lists."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import (
    UnprocessableContentError,
)
from agent_session_platform_sandbox import Sandbox


async def test_a_cursor_stays_valid_while_sessions_are_added(sandbox: Sandbox, org: Any) -> None:
    for number in range(4):
        sandbox.add_session(title=str(number))
    first = await org.sessions.list(first=2).first_page()
    sandbox.add_session(title="4")
    rest = await org.sessions.list(after=first.end_cursor).collect()
    assert [session.title for session in rest] == ["2", "3", "4"]


@pytest.mark.parametrize("cursor", ["x", "", "ä", "YWZ0ZXI6eA==", "YWZ0ZXI6MV8w", "YWZ0ZXI6MQ==\n", "YWZ0ZXI6LTU="])
async def test_an_unknown_cursor_is_refused(org: Any, cursor: str) -> None:
    with pytest.raises(UnprocessableContentError, match="query.after: not a cursor of this list"):
        await org.sessions.list(after=cursor).first_page()
