"""What tests do to sessions without a request."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError, NotFoundError
from agent_session_platform_sandbox import RefusedError, Sandbox


async def test_a_message_that_was_added_is_listed(sandbox: Sandbox, org: Any) -> None:
    session_id = sandbox.add_session()
    added = sandbox.add_message(session_id, "Which branch?")
    listed = await org.sessions.list_messages(session_id).collect()
    assert [each.to_dict() for each in listed] == [added]


def test_a_message_has_any_source_and_members(sandbox: Sandbox) -> None:
    added = sandbox.add_message(sandbox.add_session(), "Hello", source="slack", created_at=5, thread="t-1")
    assert (added["source"], added["created_at"], added["thread"]) == ("slack", 5, "t-1")


async def test_an_added_message_of_a_user_is_not_answered(sandbox: Sandbox, org: Any) -> None:
    session_id = sandbox.add_session()
    sandbox.add_message(session_id, "Hello", source="user")
    assert len(await org.sessions.list_messages(session_id).collect()) == 1


async def test_an_added_message_updates_its_session(sandbox: Sandbox, org: Any) -> None:
    session_id = sandbox.add_session(updated_at=0)
    added = sandbox.add_message(session_id, "Hello")
    assert (await org.sessions.get(session_id)).updated_at == added["created_at"]


async def test_an_update_sets_any_member(sandbox: Sandbox, org: Any) -> None:
    session_id = sandbox.add_session(title="Before")
    sandbox.update_session(session_id, status="finished", title=None, structured_output={"tests": 3})
    shown = (await org.sessions.get(session_id)).to_dict()
    assert (shown["status"], shown["title"], shown["structured_output"]) == ("finished", None, {"tests": 3})


async def test_an_update_keeps_updated_at_in_step(sandbox: Sandbox, org: Any) -> None:
    session_id = sandbox.add_session()
    sandbox.clock.advance(minutes=1)
    sandbox.update_session(session_id, title="After")
    assert (await org.sessions.get(session_id)).updated_at == sandbox.clock().timestamp()


def test_an_update_may_set_updated_at(sandbox: Sandbox) -> None:
    assert sandbox.update_session(sandbox.add_session(), updated_at=5)["updated_at"] == 5


def test_an_update_keeps_the_organization(sandbox: Sandbox) -> None:
    session_id = sandbox.add_session()
    with pytest.raises(InvalidArgumentError, match="org_id is set by the sandbox"):
        sandbox.update_session(session_id, org_id="org-globex")


def test_an_update_of_a_session_of_another_organization_finds_it(sandbox: Sandbox) -> None:
    assert sandbox.update_session(sandbox.add_session("org-globex"), title="Found")["org_id"] == "org-globex"


async def test_a_plan_waits_for_the_clock(sandbox: Sandbox, org: Any) -> None:
    session_id = sandbox.add_session()
    sandbox.plan_session(session_id, after=60, text="Ready.", status="ready")
    seen = list[Any]()
    for _ in range(2):
        seen.append((await org.sessions.get(session_id)).status)
        sandbox.clock.advance(seconds=60)
    seen.append((await org.sessions.get(session_id)).status)
    assert seen == ["running", "ready", "ready"]


async def test_a_plan_without_a_delay_happens_at_once(sandbox: Sandbox, org: Any) -> None:
    session_id = sandbox.add_session()
    sandbox.plan_session(session_id, after=0, status="ready")
    assert (await org.sessions.get(session_id)).status == "ready"


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


def test_a_removed_session_can_be_removed_only_once(sandbox: Sandbox) -> None:
    session_id = sandbox.add_session()
    sandbox.remove_session(session_id)
    with pytest.raises(RefusedError, match="there is no session 'assistant-1'"):
        sandbox.remove_session(session_id)


async def test_a_removed_session_is_not_listed(sandbox: Sandbox, org: Any) -> None:
    sandbox.remove_session(sandbox.add_session())
    assert await org.sessions.list().collect() == []


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


def test_messages_from_many_threads_are_all_kept(sandbox: Sandbox) -> None:
    session_id = sandbox.add_session()

    def add(number: int) -> str:
        return str(sandbox.add_message(session_id, str(number))["event_id"])

    with ThreadPoolExecutor(8) as threads:
        assert len({*threads.map(add, range(200))}) == 200
