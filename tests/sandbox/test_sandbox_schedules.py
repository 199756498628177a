"""What runs by itself in the sandbox: schedules and automations, from when on, how often, and what comes of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import PermissionDeniedError, UnprocessableContentError
from agent_session_platform.sandbox import Sandbox, User

pytestmark = pytest.mark.filterwarnings("ignore:organization.schedules.create is deprecated:DeprecationWarning")

SUNDAY = datetime(2026, 11, 1, tzinfo=UTC)
HOURLY = {"type": "schedule:recurring", "rrule": "FREQ=HOURLY"}
START_SESSION = {"type": "start_session", "prompt": "Triage"}


async def schedule(org: Any, **fields: Any) -> str:
    made = await org.schedules.create(**{"name": "n", "prompt": "p", "frequency": "0 * * * *", **fields})
    assert isinstance(made.scheduled_session_id, str)
    return made.scheduled_session_id


async def hours(org: Any) -> list[float]:
    """When the sessions were started, in hours since the beginning."""
    return [(session.created_at - SUNDAY.timestamp()) / 3600 async for session in org.sessions.list()]


async def test_a_schedule_that_is_enabled_late_runs_from_then_on(sandbox: Sandbox, org: Any) -> None:
    """schedule-update-request: an assumption."""
    schedule_id = await schedule(org)
    await org.schedules.update(schedule_id, body={"enabled": False})
    sandbox.clock.advance(hours=10)
    await org.schedules.update(schedule_id, body={"enabled": True})
    sandbox.clock.advance(hours=2)
    assert await hours(org) == [11, 12]


async def test_a_schedule_whose_frequency_is_changed_runs_from_then_on(sandbox: Sandbox, org: Any) -> None:
    schedule_id = await schedule(org, frequency="0 0 1 1 *")
    sandbox.clock.advance(hours=10, minutes=30)
    await org.schedules.update(schedule_id, body={"frequency": "0 * * * *"})
    sandbox.clock.advance(hours=1)
    assert await hours(org) == [11]


async def test_a_schedule_that_is_renamed_keeps_its_time(sandbox: Sandbox, org: Any) -> None:
    schedule_id = await schedule(org, interval_count=3)
    sandbox.clock.advance(hours=2)
    await org.schedules.update(schedule_id, body={"name": "new", "frequency": "0 * * * *"})
    sandbox.clock.advance(hours=2)
    assert await hours(org) == [3]


async def test_a_schedule_that_ran_once_is_enabled_again_only_for_the_future(sandbox: Sandbox, org: Any) -> None:
    """Rule schedule-one-time-scheduled-at; schedule-update-request: that it goes for enabling is an assumption."""
    schedule_id = await schedule(org, schedule_type="one_time", scheduled_at="2026-11-01T05:00:00Z")
    sandbox.clock.advance(hours=6)
    with pytest.raises(UnprocessableContentError, match=r"body.scheduled_at: must be in the future"):
        await org.schedules.update(schedule_id, body={"enabled": True})
    sandbox.clock.advance(hours=6)
    assert await hours(org) == [5]
    await org.schedules.update(schedule_id, body={"enabled": True, "scheduled_at": "2026-11-01T15:00:00Z"})
    sandbox.clock.advance(days=9)
    assert await hours(org) == [5, 15]
    assert not (await org.schedules.get(schedule_id)).enabled


async def test_a_schedule_that_ran_once_may_be_renamed(sandbox: Sandbox, org: Any) -> None:
    schedule_id = await schedule(org, schedule_type="one_time", scheduled_at="2026-11-01T05:00:00Z")
    sandbox.clock.advance(hours=6)
    assert (await org.schedules.update(schedule_id, body={"name": "Done"})).name == "Done"


async def test_a_schedule_runs_at_every_moment_but_so_many(sandbox: Sandbox, org: Any) -> None:
    """schedule-interval-count-values: an assumption."""
    assert (await org.schedules.get(await schedule(org, interval_count=3))).interval_count == 3
    sandbox.clock.advance(hours=5)
    sandbox.clock.advance(hours=5)
    assert await hours(org) == [3, 6, 9]


@pytest.mark.parametrize("count", [0, -5])
async def test_an_interval_count_below_one_is_refused(org: Any, count: int) -> None:
    with pytest.raises(UnprocessableContentError, match=f"body.interval_count: must be at least 1, not {count}"):
        await schedule(org, interval_count=count)
    schedule_id = await schedule(org)
    with pytest.raises(UnprocessableContentError, match=f"body.interval_count: must be at least 1, not {count}"):
        await org.schedules.update(schedule_id, body={"interval_count": count})


async def test_an_interval_count_that_takes_too_long_to_count_is_refused(org: Any) -> None:
    assert (await org.schedules.get(await schedule(org, interval_count=100_000))).interval_count == 100_000
    with pytest.raises(UnprocessableContentError, match="body.interval_count: must be at most 100000"):
        await schedule(org, interval_count=10**400)


async def test_a_session_takes_over_what_its_schedule_has(sandbox: Sandbox, org: Any) -> None:
    """schedule-session: an assumption; rule schedule-platform-unknown: the default platform is that of trigger time."""
    sandbox.add_user(User("user-1", organizations=frozenset({"org-acme"})))
    playbook_id = (await org.playbooks.create(body={"title": "Triage"}))["playbook_id"]
    given = {"create_as_user_id": "user-1", "playbook_id": playbook_id, "tags": ["nightly"]}
    await schedule(org, **given, platform="windows", target_assistant_id="assistant-9")
    await schedule(org)
    sandbox.state.organizations["org-acme"].platforms = ["Plan9", "Linux", "Windows"]
    sandbox.clock.advance(hours=1)
    full, plain = await org.sessions.list().collect()
    assert (full.user_id, full.playbook_id, full.tags, full.title) == ("user-1", playbook_id, ["nightly"], "n")
    assert (plain.user_id, plain.playbook_id, plain.tags) == (None, None, [])
    memory = [record.memory for record in sandbox.state.collection("sessions", "org-acme").values()]
    assert [each["platform"] for each in memory] == ["Windows", "Plan9"]
    assert [each["target_assistant_id"] for each in memory] == ["assistant-9", None]


async def test_an_unknown_playbook_is_refused(org: Any) -> None:
    """schedule-create-errors: an assumption."""
    with pytest.raises(UnprocessableContentError, match=r"body.playbook_id: no playbook 'playbook-9' in org-acme"):
        await schedule(org, playbook_id="playbook-9")
    schedule_id = await schedule(org)
    with pytest.raises(UnprocessableContentError, match=r"body.playbook_id: no playbook 'playbook-9' in org-acme"):
        await org.schedules.update(schedule_id, body={"playbook_id": "playbook-9"})


async def test_the_playbook_of_a_schedule_can_be_changed_and_taken_away(org: Any) -> None:
    playbook_id = (await org.playbooks.create(body={"title": "Triage"}))["playbook_id"]
    schedule_id = await schedule(org)
    playbook = (await org.schedules.update(schedule_id, body={"playbook_id": playbook_id})).playbook
    assert playbook.to_dict() == {"playbook_id": playbook_id, "title": "Triage"}
    assert (await org.schedules.update(schedule_id, body={"playbook_id": None})).playbook is None


async def test_an_empty_user_id_is_nobody_for_schedules_and_sessions(org: Any) -> None:
    """Rules schedule-impersonation and session-impersonation."""
    with pytest.raises(PermissionDeniedError, match="is not a member of org-acme"):
        await schedule(org, create_as_user_id="")
    with pytest.raises(PermissionDeniedError, match="is not a member of org-acme"):
        await org.sessions.create(create_as_user_id="")


async def test_a_member_that_no_schedule_has_is_refused(org: Any) -> None:
    schedule_id = await schedule(org)
    with pytest.raises(UnprocessableContentError, match=r"body.frequenzy: unknown field; did you mean 'frequency'"):
        await org.schedules.update(schedule_id, body={"frequenzy": "0 9 * * *"})


async def test_a_schedule_can_be_sent_back_as_it_came(org: Any) -> None:
    shown = await org.schedules.get(await schedule(org))
    assert await org.schedules.update(shown.scheduled_session_id, body=shown.to_dict()) == shown


async def test_an_automation_that_is_enabled_late_runs_from_then_on(sandbox: Sandbox, org: Any) -> None:
    """automation-update-request: an assumption."""
    automation_id = sandbox.add_automation(trigger=HOURLY, action=START_SESSION, enabled=False)
    sandbox.clock.advance(hours=10)
    await org.automations.update(automation_id, body={"enabled": True})
    sandbox.clock.advance(hours=2)
    assert await hours(org) == [11, 12]


async def test_an_automation_that_was_created_long_ago_runs_from_now_on(sandbox: Sandbox, org: Any) -> None:
    rule = {**HOURLY, "rrule": "FREQ=HOURLY;INTERVAL=4"}
    sandbox.seed(
        {"automations": [{"trigger": rule, "action": START_SESSION, "created_at": "2026-10-25T01:00:00Z"}]},
    )
    sandbox.clock.advance(hours=8)
    # The fourth hours of one that was created at one.
    assert await hours(org) == [1, 5]


async def test_a_changed_recurrence_runs_from_then_on(sandbox: Sandbox, org: Any) -> None:
    automation_id = sandbox.add_automation(trigger={**HOURLY, "rrule": "FREQ=YEARLY"}, action=START_SESSION)
    sandbox.clock.advance(hours=10)
    await org.automations.update(automation_id, body={"trigger": {"rrule": "FREQ=HOURLY"}})
    sandbox.clock.advance(hours=2)
    assert await hours(org) == [11, 12]


async def test_a_session_of_an_automation_has_the_playbook_of_the_action(sandbox: Sandbox, org: Any) -> None:
    """automation-create-request: an assumption."""
    sandbox.add_automation(trigger=HOURLY, action={**START_SESSION, "playbook_id": "playbook-1"})
    sandbox.clock.advance(hours=1)
    assert [session.playbook_id for session in await org.sessions.list().collect()] == ["playbook-1"]


async def test_what_was_saved_goes_on_where_it_ended(sandbox: Sandbox, org: Any, tmp_path: Path) -> None:
    await schedule(org, interval_count=3)
    sandbox.add_automation(trigger=HOURLY, action=START_SESSION)
    sandbox.clock.advance(hours=4)
    sandbox.snapshots.save(tmp_path / "state.json")
    other = Sandbox()
    other.snapshots.load(tmp_path / "state.json")
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


@pytest.mark.parametrize(("to", "expected"), [(9.5, [10, 11]), (-5.5, [-5, -4])])
async def test_a_clock_that_is_set_skips_what_lies_between(
    sandbox: Sandbox, org: Any, to: float, expected: list[float]
) -> None:
    await schedule(org)
    sandbox.clock.set(SUNDAY + timedelta(hours=to))
    sandbox.clock.advance(hours=2)
    assert await hours(org) == expected


async def test_a_schedule_of_a_ticking_clock_is_saved_with_what_is_due(tmp_path: Path) -> None:
    now = SUNDAY
    sandbox = Sandbox(now=lambda: now)
    async with sandbox.client() as platform:
        await schedule(platform.organization())
        now += timedelta(hours=2)
        sandbox.snapshots.save(tmp_path / "state.json")
    other = Sandbox(now=lambda: now)
    other.snapshots.load(tmp_path / "state.json")
    async with other.client() as platform:
        assert await hours(platform.organization("org-acme")) == [1, 2]


async def test_changing_a_schedule_often_leaves_nothing_behind(sandbox: Sandbox, org: Any) -> None:
    schedule_id = await schedule(org)
    for minute in range(200):
        await org.schedules.update(schedule_id, body={"frequency": f"{minute % 60} * * * *"})
    sandbox.clock.advance(hours=2)
    assert len(await hours(org)) == 2
    assert len(sandbox.clock.scheduler._upcoming) < 100


def test_a_seed_that_fails_leaves_no_id_behind(sandbox: Sandbox) -> None:
    automation = {"trigger": HOURLY, "action": START_SESSION}
    wrong = {**automation, "created_at": "2026-99-99T00:00:00Z"}
    with pytest.raises(ValueError, match=r"automations\[1\]: "):
        sandbox.seed({"automations": [automation, wrong]})
    assert sandbox.seed({"automations": [automation]}) == {"automations": ["automation-1"]}
