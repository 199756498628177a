"""Tags of sessions, and default tags."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    UnprocessableContentError,
)
from agent_session_platform_sandbox import Sandbox

both_scopes = pytest.mark.parametrize("scope", ["organization", "enterprise"])


@both_scopes
async def test_tags_are_replaced_as_a_whole(sandbox: Sandbox, scopes: dict[str, Any], scope: str) -> None:
    session_id = sandbox.add_session(tags=["old", "kept"])
    assert await scopes[scope].replace_tags(session_id, body={"tags": ["kept", "new"]}) == {"tags": ["kept", "new"]}
    for sessions in scopes.values():
        assert await sessions.list_tags(session_id) == {"tags": ["kept", "new"]}
        assert (await sessions.get(session_id)).tags == ["kept", "new"]


@pytest.mark.parametrize("body", [{}, {"tags": "one"}, {"tags": ["one", 2]}, {"tags": None}])
@both_scopes
async def test_invalid_tags_are_refused(
    sandbox: Sandbox, scopes: dict[str, Any], scope: str, body: dict[str, Any]
) -> None:
    session_id = sandbox.add_session(tags=["old"])
    with pytest.raises(UnprocessableContentError, match="body.tags: "):
        await scopes[scope].replace_tags(session_id, body=body)
    assert await scopes[scope].list_tags(session_id) == {"tags": ["old"]}


async def test_new_sessions_get_the_default_tags(platform: AgentPlatform, org: Any) -> None:
    before = await org.sessions.create()
    await org.default_session_tags.replace(tags=["team-a"])
    assert await org.default_session_tags.list() == {"tags": ["team-a"]}
    assert (await org.sessions.create()).tags == ["team-a"]
    assert (await org.sessions.create(tags=["own"])).tags == ["own"]
    assert (await org.sessions.get(before.session_id)).tags == []
    assert (await platform.organization("org-globex").sessions.create()).tags == []


async def test_tagging_a_session_does_not_change_the_default_tags(org: Any) -> None:
    await org.default_session_tags.replace(tags=["team-a"])
    session = await org.sessions.create()
    await org.sessions.replace_tags(session.session_id, tags=["b"])
    assert await org.default_session_tags.list() == {"tags": ["team-a"]}


async def test_invalid_default_tags_are_refused(org: Any) -> None:
    with pytest.raises(UnprocessableContentError, match="body.tags: "):
        await org.default_session_tags.replace(tags={"a": 1})
