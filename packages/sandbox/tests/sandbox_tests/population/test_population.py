"""What tests do to sessions without a request."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError, NotFoundError
from agent_session_platform_sandbox import RefusedError, Sandbox


async def test_an_added_message_has_any_source_and_members_and_is_not_answered(sandbox: Sandbox, org: Any) -> None:
    session_id = sandbox.add_session(updated_at=0)
    added = sandbox.add_message(session_id, "Which branch?", source="user", thread="t-1")
    assert (added["source"], added["thread"]) == ("user", "t-1")
    listed = await org.sessions.list_messages(session_id).collect()
    assert [each.to_dict() for each in listed] == [added]
    assert (await org.sessions.get(session_id)).updated_at == added["created_at"]
    assert sandbox.add_message(session_id, "Hello", created_at=5)["created_at"] == 5


async def test_an_update_sets_any_member_but_the_ids(sandbox: Sandbox, org: Any) -> None:
    session_id = sandbox.add_session(title="Before")
    sandbox.clock.advance(minutes=1)
    sandbox.update_session(session_id, status="finished", title=None, structured_output={"tests": 3})
    shown = (await org.sessions.get(session_id)).to_dict()
    assert (shown["status"], shown["title"], shown["structured_output"]) == ("finished", None, {"tests": 3})
    assert shown["updated_at"] == sandbox.clock().timestamp()
    assert sandbox.update_session(session_id, updated_at=5)["updated_at"] == 5
    with pytest.raises(InvalidArgumentError, match="org_id is set by the sandbox"):
        sandbox.update_session(session_id, org_id="org-globex")
    assert sandbox.update_session(sandbox.add_session("org-globex"), title="Found")["org_id"] == "org-globex"


@pytest.mark.parametrize(("after", "expected"), [(60, ["running", "ready", "ready"]), (0, ["ready"] * 3)])
async def test_a_plan_waits_for_the_clock(sandbox: Sandbox, org: Any, after: int, expected: list[str]) -> None:
    session_id, seen = sandbox.add_session(), list[Any]()
    sandbox.plan_session(session_id, after=after, text="Ready.", status="ready")
    for _ in range(3):
        seen.append((await org.sessions.get(session_id)).status)
        sandbox.clock.advance(seconds=60)
    assert seen == expected


async def test_a_clock_that_is_set_skips_the_plans_in_between(sandbox: Sandbox, org: Any) -> None:
    session_id = sandbox.add_session()
    for after in (60, 600):
        sandbox.plan_session(session_id, after=after, text=f"After {after} s")
    sandbox.clock.set(sandbox.clock() + timedelta(minutes=5))
    sandbox.clock.advance(minutes=5)
    assert [each.message async for each in org.sessions.list_messages(session_id)] == ["After 600 s"]


async def test_a_removed_session_is_gone(sandbox: Sandbox, platform: AgentPlatform, org: Any) -> None:
    session_id = sandbox.add_session()
    sandbox.remove_session(session_id)
    for get in (org.sessions.get, platform.enterprise.sessions.get):
        with pytest.raises(NotFoundError):
            await get(session_id)
    assert await org.sessions.list().collect() == []
    with pytest.raises(RefusedError, match="there is no session 'assistant-1'"):
        sandbox.remove_session(session_id)


@pytest.mark.parametrize(
    "use",
    [
        lambda sandbox, session_id: sandbox.add_message(session_id, "x"),
        lambda sandbox, session_id: sandbox.update_session(session_id),
        lambda sandbox, session_id: sandbox.plan_session(session_id, after=1, text="x"),
        lambda sandbox, session_id: sandbox.remove_session(session_id),
        lambda sandbox, session_id: sandbox.suspend_session(session_id),
    ],
)
def test_an_unknown_session_is_reported(sandbox: Sandbox, use: Callable[[Sandbox, str], object]) -> None:
    sandbox.add_session()
    with pytest.raises(RefusedError, match="there is no session 'assistant-11'; did you mean 'assistant-1'?"):
        use(sandbox, "assistant-11")
