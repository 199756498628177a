"""Snapshots: taking, restoring, comparing and saving states."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform_sandbox import Sandbox, User
from agent_session_platform_sandbox.clock import START

from sandbox_tests.timeline import HOURLY, START_SESSION, SUNDAY, hours, schedule

NONE: dict[str, list[str]] = {"added": [], "removed": [], "changed": []}
pytestmark = pytest.mark.filterwarnings("ignore:organization.schedules.create is deprecated:DeprecationWarning")


def reload(sandbox: Sandbox, directory: Path, **settings: Any) -> Sandbox:
    """Save the state of a sandbox, and load it into another one."""
    sandbox.snapshots.save(directory / "state.json")
    other = Sandbox(**settings)
    other.snapshots.load(directory / "state.json")
    return other


async def test_a_snapshot_restores_everything(sandbox: Sandbox, org: Any) -> None:
    await org.sessions.create(prompt="Before")
    made = await org.attachments.upload(file=b"content")
    sandbox.snapshots.take("before")
    before = sandbox.clock()
    await org.sessions.create(prompt="After")
    await org.sessions.archive("assistant-1")
    sandbox.clock.advance(days=1)
    sandbox.snapshots.restore("before")
    assert [session.is_archived async for session in org.sessions.list()] == [False]
    assert await org.attachments.download(made["uuid"], made["name"]).read() == b"content"
    assert sandbox.clock() == before
    # Ids go on from there, too.
    assert (await org.sessions.create()).session_id == "assistant-2"


async def test_a_diff_names_what_was_added_removed_and_changed(sandbox: Sandbox, org: Any) -> None:
    await org.sessions.create()
    sandbox.snapshots.take()
    await org.sessions.create()
    await org.sessions.archive("assistant-1")
    diff = sandbox.snapshots.diff()
    assert "sessions/org-acme/assistant-2" in diff["added"]
    assert (diff["removed"], diff["changed"]) == ([], ["sessions/org-acme/assistant-1"])


async def test_a_state_is_saved_and_loaded_elsewhere(sandbox: Sandbox, org: Any, tmp_path: Path) -> None:
    await org.sessions.create(prompt="Hello")
    await org.automations.create(trigger={"type": "schedule:recurring", "rrule": "FREQ=DAILY"})
    sandbox.add_credential("svc_mine", permissions={"ViewOrgSessions"})
    other = reload(sandbox, tmp_path)
    async with other.client("svc_mine") as platform:
        assert len(await platform.organization().sessions.list().collect()) == 1
    other.snapshots.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "state.json").read_bytes()


def test_an_unknown_snapshot_is_reported(sandbox: Sandbox) -> None:
    with pytest.raises(KeyError, match="^no snapshot 'x'; known: beginning"):
        sandbox.snapshots.restore("x")


async def test_a_loaded_state_continues_where_it_ended(sandbox: Sandbox, org: Any, tmp_path: Path) -> None:
    await schedule(org, interval_count=3)
    sandbox.add_automation(trigger=HOURLY, action=START_SESSION)
    sandbox.clock.advance(hours=4)
    other = reload(sandbox, tmp_path)
    for each in (sandbox, other):
        each.clock.advance(hours=3)
    async with other.client() as platform:
        assert await hours(platform.organization("org-acme")) == await hours(org) == [1, 2, 3, 3, 4, 5, 6, 6, 7]


async def test_what_was_restored_runs_again(sandbox: Sandbox, org: Any) -> None:
    await schedule(org)
    sandbox.snapshots.take()
    sandbox.clock.advance(hours=2)
    sandbox.snapshots.restore()
    assert await hours(org) == []
    sandbox.clock.advance(hours=1)
    assert await hours(org) == [1]


async def test_a_state_of_a_ticking_clock_is_saved_with_its_due_runs(tmp_path: Path) -> None:
    now = SUNDAY
    sandbox = Sandbox(now=lambda: now)
    async with sandbox.client() as platform:
        await schedule(platform.organization())
        now += timedelta(hours=2)
        other = reload(sandbox, tmp_path, now=lambda: now)
    async with other.client() as platform:
        assert await hours(platform.organization("org-acme")) == [1, 2]


async def test_the_plans_of_a_snapshot_are_restored_and_no_others(sandbox: Sandbox, org: Any) -> None:
    session_id = sandbox.add_session()
    sandbox.plan_session(session_id, after=60, status="ready")
    sandbox.snapshots.take()
    sandbox.plan_session(session_id, after=30, status="lost")
    sandbox.clock.advance(minutes=2)
    sandbox.snapshots.restore()
    statuses = []
    for _ in range(2):
        sandbox.clock.advance(seconds=30)
        statuses.append((await org.sessions.get(session_id)).status)
    assert statuses == ["running", "ready"]


@pytest.mark.parametrize(
    ("change", "section", "named"),
    [
        (lambda sandbox: sandbox.add_organization("org-new"), "added", "organizations/org-new"),
        (lambda sandbox: sandbox.add_organization("org-acme", platforms=[]), "changed", "organizations/org-acme"),
        (lambda sandbox: sandbox.state.organizations.pop("org-acme"), "removed", "organizations/org-acme"),
        (lambda sandbox: sandbox.state.users.setdefault("user-1", User("user-1")), "added", "users/user-1"),
        (lambda sandbox: sandbox.clock.advance(hours=1), "changed", "clock"),
        (
            lambda sandbox: setattr(sandbox.state, "org_group_limits_enabled", False),
            "changed",
            "settings/org_group_limits_enabled",
        ),
    ],
)
def test_a_diff_sees_more_than_collections(
    sandbox: Sandbox, change: Callable[[Sandbox], object], section: str, named: str
) -> None:
    sandbox.snapshots.take()
    change(sandbox)
    assert sandbox.snapshots.diff() == NONE | {section: [named]}


def test_time_is_not_compared_on_a_ticking_clock() -> None:
    moments = iter(START + timedelta(seconds=second) for second in range(100))
    sandbox = Sandbox(now=lambda: next(moments))
    sandbox.snapshots.take()
    assert sandbox.snapshots.diff() == NONE
