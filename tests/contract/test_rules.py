"""Each rule of the description, shown by the real client on the sandbox; each test cites the rule's id."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, errors
from agent_session_platform.contract import load
from agent_session_platform_sandbox import Sandbox, User

from tests.contract.citations import cited_ids

WEEKDAYS = "0 9 * * 1-5"
PR = "https://git.example.com/acme/shop/pull/7"

NOT_TESTED = {
    "auth-bearer": "tested in test_networks",
    "session-archive-delete-current": "a fact of the legacy API",
    "versioning-pagination": "a fact of the legacy API; the current one is tested in test_pager",
    "schedule-converted": "the response for a converted schedule is not shown, and the sandbox converts none",
    "schedule-agent-contradiction": "a note on the description; in typing_wrong, `advanced` is not an agent",
    "session-mode-default": "the organization's default mode is not shown",
    "versioning-compatibility": "a policy of the service",
    "versioning-legacy": "a policy of the service",
}


def test_every_rule_is_cited_by_a_test_or_has_a_reason_why_not() -> None:
    assert set(load().rules) - cited_ids() == set(NOT_TESTED)


async def schedule(org: Any, **fields: Any) -> Any:
    return await org.schedules.create(**{"name": "n", "prompt": "p", **fields})


async def test_a_recurring_schedule_is_evaluated_in_utc(sandbox: Sandbox, org: Any) -> None:
    """Rule schedule-recurring-frequency: the weekday 9 o'clock example."""
    await schedule(org, frequency=WEEKDAYS)
    sandbox.clock.advance(days=7)
    times = [datetime.fromtimestamp(each.created_at, UTC) async for each in org.sessions.list()]
    assert {(time.hour, time.minute) for time in times} == {(9, 0)}
    assert [time.isoweekday() for time in times] == [1, 2, 3, 4, 5]


async def test_a_page_has_100_items_by_default(sandbox: Sandbox, org: Any) -> None:
    """Rule page-size."""
    for _ in range(201):
        sandbox.add_session()
    assert len((await org.sessions.list().first_page()).items) == 100
    assert len((await org.sessions.list(first=200).first_page()).items) == 200
    assert len((await org.sessions.list(first=1).first_page()).items) == 1


async def test_a_recurring_schedule_requires_a_frequency(org: Any) -> None:
    """Rule schedule-recurring-frequency."""
    with pytest.raises(
        errors.UnprocessableContentError, match="body.frequency: required when schedule_type is 'recurring'"
    ):
        await schedule(org)
    with pytest.raises(errors.UnprocessableContentError, match="not a standard cron expression"):
        await schedule(org, frequency="every weekday")
    assert (await schedule(org, frequency=WEEKDAYS)).frequency == WEEKDAYS


@pytest.mark.parametrize(
    ("scheduled_at", "message"),
    [
        (None, "required when schedule_type is 'one_time'"),
        ("2020-01-01T00:00:00Z", "must be in the future"),
        ("2099-01-01T00:00:00", "must have a timezone"),
        ("tomorrow", "not an ISO 8601 date-time"),
        ("9999-12-31T23:59:59-12:00", "must be between the years 1 and 9999 in UTC"),
    ],
)
async def test_a_one_time_schedule_requires_a_time_in_the_future(org: Any, scheduled_at: Any, message: str) -> None:
    """Rule schedule-one-time-scheduled-at."""
    with pytest.raises(errors.UnprocessableContentError, match=message):
        await schedule(org, schedule_type="one_time", scheduled_at=scheduled_at)


async def test_a_one_time_schedule_takes_a_datetime(org: Any) -> None:
    """Rule schedule-one-time-scheduled-at."""
    time = datetime.now(UTC) + timedelta(days=1)
    made = await schedule(org, schedule_type="one_time", scheduled_at=time)
    assert (made.scheduled_at, made.enabled) == (time, True)


async def test_an_unknown_platform_is_refused_with_the_known_ones(org: Any) -> None:
    """Rule schedule-platform-unknown. Gap schedule-platform-labels: the body of the 400 is kept."""
    with pytest.raises(errors.BadRequestError, match="unknown platform 'BeOS'; available platforms: Linux, Windows"):
        await schedule(org, frequency=WEEKDAYS, platform="BeOS")
    assert (await schedule(org, frequency=WEEKDAYS, platform="LINUX")).platform == "Linux"
    assert (await schedule(org, frequency=WEEKDAYS)).platform is None


@pytest.mark.parametrize(("day", "refused"), [(23, False), (24, True)])
async def test_a_migrated_organization_creates_no_schedules(day: int, refused: bool) -> None:
    """Rule schedule-creation-migrated."""
    sandbox = Sandbox(now=lambda: datetime(2026, 9, day, tzinfo=UTC))
    sandbox.add_organization("org-moved", migrated_to_automations=True)
    async with sandbox.client() as platform:
        if refused:
            with pytest.raises(errors.PermissionDeniedError, match="has been migrated to automations"):
                await schedule(platform.organization("org-moved"), frequency=WEEKDAYS)
        else:
            await schedule(platform.organization("org-moved"), frequency=WEEKDAYS)
        await schedule(platform.organization("org-acme"), frequency=WEEKDAYS)


IN_ACME, IN_GLOBEX = frozenset({"org-acme"}), frozenset({"org-globex"})


@pytest.mark.parametrize(
    ("permissions", "user", "message"),
    [
        ({"ManageOrgSchedules"}, User("user-1", organizations=IN_ACME), "lacks ImpersonateOrgSessions"),
        (None, User("user-1", organizations=IN_GLOBEX), "user-1 is not a member of org-acme"),
        (None, User("user-2"), "user-1 is not a member of org-acme"),
        (None, User("user-1", organizations=IN_ACME, permissions=frozenset()), "user-1 lacks UseAssistantSessions"),
    ],
)
async def test_impersonation_has_three_conditions(sandbox: Sandbox, permissions: Any, user: User, message: str) -> None:
    """Rules schedule-impersonation and session-impersonation."""
    sandbox.add_user(user)
    token = sandbox.add_credential("svc_impersonator", permissions=permissions)
    async with sandbox.client(token) as platform:
        with pytest.raises(errors.PermissionDeniedError, match=message):
            await schedule(platform.organization(), frequency=WEEKDAYS, create_as_user_id="user-1")
        with pytest.raises(errors.PermissionDeniedError, match=message):
            await platform.organization().sessions.create(create_as_user_id="user-1")


async def test_impersonation_works_when_all_conditions_hold(sandbox: Sandbox, org: Any) -> None:
    """Rules schedule-impersonation and session-impersonation."""
    sandbox.add_user(User("user-1", organizations=IN_ACME))
    assert (await schedule(org, frequency=WEEKDAYS, create_as_user_id="user-1")).created_by == "user-1"
    assert (await org.sessions.create(create_as_user_id="user-1")).user_id == "user-1"


async def test_an_update_of_an_automation_merges_members(sandbox: Sandbox, org: Any) -> None:
    """Rule automation-update-merge."""
    automation_id = sandbox.add_automation(name="Triage", trigger={"type": "a", "rrule": "b"}, note="x")
    updated = await org.automations.update(automation_id, trigger={"rrule": "c"}, note=None)
    assert updated["trigger"] == {"type": "a", "rrule": "c"}
    assert (updated["name"], "note" in updated) == ("Triage", False)


async def test_a_new_review_is_pending_and_of_the_latest_commit(platform: AgentPlatform) -> None:
    """Rules review-starts-pending and review-latest-commit: in the sandbox, each review sees a new commit."""
    first, second = [await platform.enterprise.reviews.create(pr_url=PR) for _ in range(2)]
    assert (first.status, first.pr_number, first.repo_path) == ("pending", 7, "git.example.com/acme/shop")
    assert first.commit_sha != second.commit_sha


async def test_a_deleted_blueprint_is_kept_but_not_listed(sandbox: Sandbox, platform: AgentPlatform) -> None:
    """Rule blueprint-soft-delete."""
    blueprint_id = sandbox.add_blueprint()
    await platform.enterprise.blueprints.delete(blueprint_id)
    assert (await platform.enterprise.blueprints.list()).data == []
    assert sandbox.state.collection("blueprints")[blueprint_id].deleted
