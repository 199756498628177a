"""Schedules and automations: their members, when they run, and which sessions they start."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import NotFoundError, PermissionDeniedError, UnprocessableContentError
from agent_session_platform_sandbox import Sandbox, User, clock

from sandbox_tests.plain_http import ORGANIZATION, send
from sandbox_tests.timeline import HOURLY, START_SESSION, at, hours, schedule, titles


async def test_existing_schedules_keep_working_after_the_migration(sandbox: Sandbox) -> None:
    """Rule schedule-existing-keep-working."""
    sandbox.add_organization("org-new", migrated_to_automations=False)
    async with sandbox.client() as platform:
        org = platform.organization("org-new")
        schedule_id = await schedule(org)
        sandbox.state.organizations["org-new"].migrated_to_automations = True
        with pytest.raises(PermissionDeniedError):
            await schedule(org)
        changed = await org.schedules.update(schedule_id, name="Renamed")
        assert changed.name == (await org.schedules.get(schedule_id)).name == "Renamed"
        assert [each["name"] for each in (await org.schedules.list())["items"]] == ["Renamed"]
        sandbox.clock.advance(hours=1)
        assert await titles(org) == ["Renamed"]
        await org.schedules.delete(schedule_id)
        with pytest.raises(NotFoundError):
            await org.schedules.get(schedule_id)


@pytest.mark.parametrize(
    ("before", "change", "expected"),
    [
        ({"frequency": "0 0 1 1 *"}, {"frequency": "0 * * * *"}, [3, 4]),
        ({"interval_count": 3}, {"name": "new", "frequency": "0 * * * *"}, [3]),
        ({"enabled": False}, {"enabled": True}, [3, 4]),
    ],
)
async def test_a_schedule_counts_from_when_its_timing_was_changed_or_it_was_enabled(
    sandbox: Sandbox, org: Any, before: dict[str, Any], change: dict[str, Any], expected: list[float]
) -> None:
    """schedule-update-request: an assumption."""
    schedule_id = await schedule(org)
    await org.schedules.update(schedule_id, body=before)
    sandbox.clock.advance(hours=2)
    await org.schedules.update(schedule_id, **change)
    sandbox.clock.advance(hours=2)
    assert await hours(org) == expected


async def test_a_schedule_that_ran_once_is_enabled_again_only_for_the_future(sandbox: Sandbox, org: Any) -> None:
    """Rule schedule-one-time-scheduled-at. For enabling, it is an assumption (schedule-update-request)."""
    schedule_id = await schedule(org, schedule_type="one_time", scheduled_at="2026-11-01T07:00:00+02:00")
    sandbox.clock.advance(hours=6)
    shown = await org.schedules.get(schedule_id)
    assert (shown.enabled, shown.last_executed_at) == (False, at("2026-11-01T05:00"))
    with pytest.raises(UnprocessableContentError, match=r"body.scheduled_at: must be in the future"):
        await org.schedules.update(schedule_id, enabled=True)
    sandbox.clock.advance(hours=6)
    assert await hours(org) == [5]
    await org.schedules.update(schedule_id, enabled=True, scheduled_at="2026-11-01T15:00:00Z")
    sandbox.clock.advance(days=9)
    assert await hours(org) == [5, 15]
    assert not (await org.schedules.get(schedule_id)).enabled


async def test_a_schedule_runs_at_every_nth_time(sandbox: Sandbox, org: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """schedule-interval-count-values: an assumption."""
    monkeypatch.setattr(clock, "MAX_COUNT", 1000)
    for count in (3, 1000, 10**400):
        assert (await org.schedules.get(await schedule(org, interval_count=count))).interval_count == count
    sandbox.clock.advance(hours=5)
    sandbox.clock.advance(hours=5)
    assert await hours(org) == [3, 6, 9]


async def test_a_session_has_the_members_of_its_schedule(sandbox: Sandbox, org: Any) -> None:
    """schedule-session: an assumption. Rule schedule-platform-unknown: the default is that of the time of the run."""
    sandbox.add_user(User("user-1", organizations=frozenset({"org-acme"})))
    playbook_id = (await org.playbooks.create(title="Triage"))["playbook_id"]
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


async def test_a_schedule_can_be_sent_back_as_it_came(org: Any) -> None:
    shown = await org.schedules.get(await schedule(org))
    assert await org.schedules.update(shown.scheduled_session_id, body=shown.to_dict()) == shown


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"interval_count": 0}, "body.interval_count: must be at least 1, not 0"),
        # schedule-create-errors: an assumption.
        ({"playbook_id": "playbook-9"}, "body.playbook_id: no playbook 'playbook-9' in org-acme"),
        ({"frequency": "99 * * * *"}, "Bad minute in the cron expression '99"),
        ({"name": None}, "body.name"),
    ],
)
async def test_invalid_members_of_a_schedule_are_refused(sandbox: Sandbox, change: Any, message: str) -> None:
    path = f"{ORGANIZATION}/schedules"
    body = {"name": "Triage", "prompt": "Triage", "frequency": "0 9 * * 1-5"}
    made = (await send(sandbox, "POST", path, json=body)).json()
    created = await send(sandbox, "POST", path, json={**body, **change})
    updated = await send(sandbox, "PATCH", f"{path}/{made['scheduled_session_id']}", json=change)
    assert (created.status_code, updated.status_code) == (422, 422)
    assert message in ".".join(created.json()["detail"][0]["loc"]) + ": " + created.json()["detail"][0]["msg"]
    assert message in updated.json()["detail"]


async def test_an_empty_user_id_cannot_be_impersonated(org: Any) -> None:
    """Rules schedule-impersonation and session-impersonation."""
    for create in (lambda: schedule(org, create_as_user_id=""), lambda: org.sessions.create(create_as_user_id="")):
        with pytest.raises(PermissionDeniedError, match="is not a member of org-acme"):
            await create()


async def test_the_playbook_of_a_schedule_can_be_changed_and_removed(org: Any) -> None:
    playbook_id = (await org.playbooks.create(title="Triage"))["playbook_id"]
    schedule_id = await schedule(org)
    playbook = (await org.schedules.update(schedule_id, playbook_id=playbook_id)).playbook
    assert playbook.to_dict() == {"playbook_id": playbook_id, "title": "Triage"}
    assert (await org.schedules.update(schedule_id, playbook_id=None)).playbook is None


DAILY = {"trigger": {"type": "schedule:recurring", "rrule": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0"}}


async def test_an_automation_counts_from_its_creation_and_runs_from_now_on(sandbox: Sandbox, org: Any) -> None:
    for wrong, message in {"soon": "not an ISO 8601 date-time", "2030-01-01T00:00:00": "must have a timezone"}.items():
        with pytest.raises(ValueError, match=f"created_at: {message}: '{wrong}'"):
            sandbox.add_automation(created_at=wrong)
    every_fourth = {**HOURLY, "rrule": "FREQ=HOURLY;INTERVAL=4"}
    sandbox.add_automation(trigger=every_fourth, action=START_SESSION, created_at="2026-10-25T01:00:00Z")
    sandbox.clock.advance(hours=8)
    assert await hours(org) == [1, 5]


async def test_a_recurring_automation_starts_sessions_with_its_id(sandbox: Sandbox, org: Any) -> None:
    """Rule automation-recurring: an RRULE evaluated in UTC, and a start_session action; automation-create-request."""
    action = {**START_SESSION, "playbook_id": "playbook-1"}
    made = await org.automations.create(body={"name": "Triage", **DAILY, "action": action})
    sandbox.clock.advance(days=2)
    sessions = await org.sessions.list().collect()
    shown = [(session.automation_id, session.playbook_id) for session in sessions]
    assert shown == [(made["automation_id"], "playbook-1")] * 2
    assert sessions[1].created_at == int(at("2026-11-02T09:00").timestamp())


async def test_an_automation_that_was_deleted_neither_runs_nor_is_listed(sandbox: Sandbox, org: Any) -> None:
    """Rule automation-soft-delete."""
    made = await org.automations.create(body={"name": "Triage", **DAILY, "action": START_SESSION})
    await org.automations.delete(made["automation_id"])
    sandbox.clock.advance(days=2)
    assert (await titles(org), (await org.automations.list())["items"]) == ([], [])
    with pytest.raises(NotFoundError):
        await org.automations.get(made["automation_id"])
    [record] = sandbox.state.collection("automations", "org-acme").values()
    assert record.deleted


async def test_automations_are_filtered(org: Any) -> None:
    await org.automations.create(name="Triage", enabled=False)
    await org.automations.create(name="Release")
    assert [each["name"] for each in (await org.automations.list(enabled=False))["items"]] == ["Triage"]
    assert [each["name"] for each in (await org.automations.list(search="rel"))["items"]] == ["Release"]


async def test_automations_that_are_not_enabled_show_neither_schemas_nor_templates(sandbox: Sandbox) -> None:
    """Rule automation-enablement."""
    sandbox.add_organization("org-off", automations_enabled=False)
    async with sandbox.client() as platform:
        automations = platform.organization("org-off").automations
        for method in (automations.list, automations.list_schemas, automations.list_templates):
            with pytest.raises(PermissionDeniedError, match="automations are not enabled"):
                await method()


@pytest.mark.parametrize(
    ("before", "change"),
    [
        ({"trigger": HOURLY, "enabled": False}, {"enabled": True}),
        ({"trigger": {**HOURLY, "rrule": "FREQ=YEARLY"}}, {"trigger": {"rrule": "FREQ=HOURLY"}}),
    ],
)
async def test_an_automation_runs_from_its_latest_change(sandbox: Sandbox, org: Any, before: Any, change: Any) -> None:
    """automation-update-request: an assumption."""
    automation_id = sandbox.add_automation(action=START_SESSION, **before)
    sandbox.clock.advance(hours=10)
    await org.automations.update(automation_id, **change)
    sandbox.clock.advance(hours=2)
    assert await hours(org) == [11, 12]


async def test_read_only_members_of_an_automation_are_kept(sandbox: Sandbox) -> None:
    path = f"{ORGANIZATION}/automations/{sandbox.add_automation()}"
    before = (await send(sandbox, "GET", path)).json()
    body = {"automation_id": "mine", "org_id": None, "created_at": "never", "enabled": None, "state": 1}
    assert (await send(sandbox, "PATCH", path, json=body)).json() == before | {"state": 1}
    assert (await send(sandbox, "POST", f"{ORGANIZATION}/automations", json=body | {"enabled": True})).is_success
