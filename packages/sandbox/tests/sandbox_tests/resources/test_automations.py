"""Automations: when they run, and which sessions they start."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import NotFoundError, PermissionDeniedError
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.plain_http import send
from sandbox_tests.timeline import HOURLY, START_SESSION, at, hours, titles

DAILY = {"trigger": {"type": "schedule:recurring", "rrule": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0"}}


ORGANIZATION = "/v3/organizations/org-acme"


@pytest.mark.parametrize(
    ("created_at", "message"),
    [
        ("2030-01-01T00:00:00", "created_at: must have a timezone: '2030-01-01T00:00:00'"),
        ("soon", "created_at: not an ISO 8601 date-time: 'soon'"),
        ("9999-12-31T23:00:00-12:00", "created_at: must be between the years 1 and 9999 in UTC"),
    ],
)
def test_created_at_must_be_a_date_time(sandbox: Sandbox, created_at: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sandbox.add_automation(created_at=created_at)


async def test_a_recurring_automation_starts_sessions_with_its_id(sandbox: Sandbox, org: Any) -> None:
    """Rule automation-recurring: an iCalendar RRULE evaluated in UTC, and a start_session action."""
    made = await org.automations.create(body={"name": "Triage", **DAILY, "action": START_SESSION})
    sandbox.clock.advance(days=2)
    sessions = await org.sessions.list().collect()
    assert [session.automation_id for session in sessions] == [made["automation_id"]] * 2
    assert sessions[1].created_at == int(at("2026-11-02T09:00").timestamp())


async def test_an_automation_ends_when_its_rule_does(sandbox: Sandbox, org: Any) -> None:
    trigger = {"type": "schedule:recurring", "rrule": "FREQ=HOURLY;COUNT=3"}
    await org.automations.create(trigger=trigger, action=START_SESSION)
    sandbox.clock.advance(days=2)
    # The first of the three is the time of its creation.
    assert len(await titles(org)) == 2


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
async def test_an_automation_runs_from_when_it_was_enabled_or_changed(
    sandbox: Sandbox, org: Any, before: dict[str, Any], change: dict[str, Any]
) -> None:
    """automation-update-request: an assumption."""
    automation_id = sandbox.add_automation(action=START_SESSION, **before)
    sandbox.clock.advance(hours=10)
    await org.automations.update(automation_id, **change)
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


async def test_a_session_of_an_automation_has_the_playbook_of_the_action(sandbox: Sandbox, org: Any) -> None:
    """automation-create-request: an assumption."""
    sandbox.add_automation(trigger=HOURLY, action={**START_SESSION, "playbook_id": "playbook-1"})
    sandbox.clock.advance(hours=1)
    assert [session.playbook_id for session in await org.sessions.list().collect()] == ["playbook-1"]


@pytest.mark.parametrize("body", [0, [], "text"])
async def test_an_invalid_automation_is_refused(sandbox: Sandbox, body: Any) -> None:
    path = f"{ORGANIZATION}/automations"
    assert (await send(sandbox, "POST", path, json=body)).status_code == 422
    assert (await send(sandbox, "PATCH", f"{path}/{sandbox.add_automation()}", json=body)).status_code == 422


async def test_read_only_members_of_an_automation_are_kept(sandbox: Sandbox) -> None:
    path = f"{ORGANIZATION}/automations/{sandbox.add_automation()}"
    before = (await send(sandbox, "GET", path)).json()
    body = {"automation_id": "mine", "org_id": None, "created_at": "never", "enabled": None, "state": 1}
    assert (await send(sandbox, "PATCH", path, json=body)).json() == before | {"state": 1}
    assert (await send(sandbox, "POST", f"{ORGANIZATION}/automations", json=body | {"enabled": True})).is_success
