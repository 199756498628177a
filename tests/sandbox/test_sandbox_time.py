"""The sandbox's clock: it moves when told, and what is due meanwhile is done in order."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any

import pytest
from agent_session_platform import NotFoundError, PermissionDeniedError, UnprocessableContentError
from agent_session_platform.sandbox import Sandbox, TooManyRunsError
from agent_session_platform.sandbox.state import Record, RecurringRuns, State
from agent_session_platform.sandbox.time import START, Clock, cron_occurrences
from agent_session_platform.sandbox.time.scheduler import Plan

pytestmark = pytest.mark.filterwarnings("ignore:organization.schedules.create is deprecated:DeprecationWarning")

SUNDAY = datetime(2026, 11, 1, tzinfo=UTC)
DAILY = {"trigger": {"type": "schedule:recurring", "rrule": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0"}}
START_SESSION = {"action": {"type": "start_session", "prompt": "Triage"}}


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize("now", [datetime(2030, 1, 1), lambda: datetime(2030, 1, 1)])
def test_a_time_without_a_timezone_is_refused(now: Any) -> None:
    with pytest.raises(ValueError, match="must have a timezone, such as UTC: 2030-01-01 00:00:00"):
        Sandbox(now=now)


@pytest.mark.parametrize(
    ("created_at", "message"),
    [
        ("2030-01-01T00:00:00", "created_at: must have a timezone: '2030-01-01T00:00:00'"),
        ("soon", "created_at: not an ISO 8601 date-time: 'soon'"),
        ("9999-12-31T23:00:00-12:00", "created_at: must be between the years 1 and 9999 in UTC"),
    ],
)
def test_an_automation_is_created_at_a_moment(sandbox: Sandbox, created_at: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sandbox.add_automation(created_at=created_at)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("0 9 * * 1-5", "2026-11-02T09:00"),
        ("*/15 * * * *", "2026-11-01T00:15"),
        ("0 0 29 2 *", "2028-02-29T00:00"),
        # Days of the month and of the week are alternatives.
        ("0 0 13 * FRI", "2026-11-06T00:00"),
        ("0 0 * * 7", "2026-11-08T00:00"),
        ("0 0 * * 0", "2026-11-08T00:00"),
        ("5/20 3 * JAN-MAR SUN", "2027-01-03T03:05"),
        ("30 4 1,15 * *", "2026-11-01T04:30"),
    ],
)
def test_a_cron_expression_comes_round(expression: str, expected: str) -> None:
    assert next(cron_occurrences(expression, SUNDAY)) == at(expected)


@pytest.mark.parametrize(
    ("expression", "nth", "expected"),
    [
        ("0 9 * * *", 3, "2026-11-03T09:00"),
        ("0,30 * * * *", 49, "2026-11-02T00:30"),
        ("0 0 29 2 *", 2, "2032-02-29T00:00"),
    ],
)
def test_occurrences_follow_each_other(expression: str, nth: int, expected: str) -> None:
    assert list(islice(cron_occurrences(expression, SUNDAY), nth))[-1] == at(expected)


def test_occurrences_end_with_the_calendar() -> None:
    assert list(cron_occurrences("0 0 1 * *", at("9999-10-15"))) == [at("9999-11-01"), at("9999-12-01")]


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("* * * *", "five fields"),
        ("* * * * * *", "five fields"),
        ("60 * * * *", "minute: '60' is not valid; it takes 0 to 59"),
        ("* * * FOO *", "month: 'FOO' is not valid; it takes 1 to 12 or JAN to DEC"),
        ("5-1 * * * *", "minute: '5-1' is not valid"),
        ("*/0 * * * *", "minute: '[*]/0' is not valid"),
        ("1,,2 * * * *", "minute: '1,,2' is not valid"),
        ("* \u0662 * * *", "hour: '\u0662' is not valid"),
        pytest.param(
            f"{'9' * 5000} * * * *",
            "a number of the cron expression has too many digits",
            id="too many digits for int()",
        ),
        ("0 0 31 2 *", "day-of-month: '31' is not valid; it takes 1 to 31, and a day that some month has"),
        # Extensions of cronsim.
        ("0 0 L * *", "day-of-month: 'L' is not valid"),
        ("0 0 * * 5L", "day-of-week: '5L' is not valid"),
        ("0 0 * * MON#1", "day-of-week: 'MON#1' is not valid"),
    ],
)
def test_a_cron_expression_that_is_none_is_told(expression: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cron_occurrences(expression, SUNDAY)


def test_the_clock_stands_still_until_it_is_moved() -> None:
    clock = Clock()
    assert clock() == clock() == START
    assert clock.advance(hours=1, minutes=30) == clock() == START + timedelta(minutes=90)


def test_what_is_due_is_done_in_order_and_at_its_time() -> None:
    clock, done = Clock(SUNDAY), list[tuple[str, datetime]]()
    plans = {"late": at("2026-11-01T03:00"), "early": at("2026-11-01T01:00"), "never": at("2026-11-02T01:00")}
    for number, (name, moment) in enumerate(plans.items()):
        run = partial(lambda name, at: done.append((name, clock())), name)
        clock.scheduler.plan(number, Plan(iter([moment]), run, lambda: True))
    clock.advance(days=1)
    assert done == [("early", at("2026-11-01T01:00")), ("late", at("2026-11-01T03:00"))]
    assert clock() == SUNDAY + timedelta(days=1)


@pytest.mark.parametrize(
    "move", [lambda clock: clock.advance(hours=-1), lambda clock: clock.advance_to(at("2026-01-01"))]
)
def test_the_clock_does_not_go_back(move: Any) -> None:
    with pytest.raises(ValueError, match="does not go back"):
        move(Clock())


def hourly(after: datetime) -> Iterator[datetime]:
    while True:
        after += timedelta(hours=1)
        yield after


def test_time_costs_only_what_is_due() -> None:
    clock, reckoned, ran = Clock(SUNDAY), list[datetime](), list[datetime]()

    def moments(record: Record, after: datetime) -> Iterator[datetime]:
        for moment in hourly(after):
            reckoned.append(moment)
            yield moment

    runs = RecurringRuns("things", moments, lambda state, record, moment: ran.append(moment))
    state = State(clock, [runs])
    for number in range(50):
        state.plan(runs, state.add(state.collection("things"), str(number), {"enabled": True}))
    clock.advance(hours=12)
    assert (len(ran), ran) == (600, sorted(ran))
    # One more of each is known: the next.
    assert len(reckoned) == 650


def test_what_fails_leaves_the_clock_where_it_is_and_does_not_come_again() -> None:
    clock = Clock(SUNDAY)

    def run(state: State, record: Record, moment: datetime) -> None:
        if moment == at("2026-11-01T02:00"):
            raise RuntimeError("no")

    runs = RecurringRuns("things", lambda record, after: hourly(after), run)
    state = State(clock, [runs])
    state.plan(runs, state.add(state.collection("things"), "1", {"enabled": True}))
    with pytest.raises(RuntimeError, match="no"):
        clock.advance(hours=12)
    assert clock() == at("2026-11-01T02:00")
    assert clock.advance(hours=1) == at("2026-11-01T03:00")


async def test_more_runs_than_are_done_at_once_are_told_and_can_be_gone_on_with(sandbox: Sandbox, org: Any) -> None:
    for name in ("A", "B"):
        await org.schedules.create(name=name, prompt="p", frequency="0 * * * *")
    sandbox.clock.most_runs = 5
    with pytest.raises(TooManyRunsError, match=r"5 runs are done, .* 03:00:00\+00:00 and more is due .*: advance"):
        sandbox.clock.advance(hours=4)
    # All that was due at that moment is done.
    assert (sandbox.clock(), await titles(org)) == (at("2026-11-01T03:00"), ["A", "B"] * 3)
    sandbox.clock.advance_to(at("2026-11-01T04:00"))
    assert await titles(org) == ["A", "B"] * 4


async def test_a_ticking_clock_leaves_to_the_next_request_what_is_too_much_for_one() -> None:
    now = SUNDAY
    sandbox = Sandbox(now=lambda: now)
    sandbox.clock.most_runs = 3
    async with sandbox.client() as platform:
        org = platform.organization()
        await org.schedules.create(name="Hourly", prompt="p", frequency="0 * * * *")
        now += timedelta(hours=5)
        assert [len(await titles(org)) for _ in range(3)] == [3, 5, 5]


async def titles(org: Any) -> list[str]:
    return [session.title async for session in org.sessions.list()]


async def test_a_recurring_schedule_starts_sessions(sandbox: Sandbox, org: Any) -> None:
    """Part Schedules: sessions on a cron recurrence."""
    await org.schedules.create(name="Nightly", prompt="Run the tests", frequency="0 2 * * *", tags=["nightly"])
    sandbox.clock.advance(days=3)
    sessions = await org.sessions.list().collect()
    assert [(session.title, session.tags) for session in sessions] == [("Nightly", ["nightly"])] * 3
    assert sessions[0].created_at == int(at("2026-11-01T02:00").timestamp())


async def test_a_schedule_that_runs_once_is_disabled_then(sandbox: Sandbox, org: Any) -> None:
    """Part Statuses: `enabled` false after a schedule of type one_time has run."""
    made = await org.schedules.create(
        name="Once", prompt="Now", schedule_type="one_time", scheduled_at="2026-11-01T12:00:00+02:00"
    )
    sandbox.clock.advance(hours=9)
    assert await titles(org) == []
    sandbox.clock.advance(hours=2)
    schedule = await org.schedules.get(made.scheduled_session_id)
    assert (schedule.enabled, schedule.last_executed_at) == (False, at("2026-11-01T10:00"))
    sandbox.clock.advance(days=400)
    assert await titles(org) == ["Once"]


async def test_what_is_due_of_several_runs_in_order(sandbox: Sandbox, org: Any) -> None:
    await org.schedules.create(name="B", prompt="p", frequency="30 * * * *")
    await org.schedules.create(name="A", prompt="p", frequency="0 * * * *")
    sandbox.clock.advance(hours=2)
    assert await titles(org) == ["B", "A", "B", "A"]


async def test_existing_schedules_keep_working_after_the_migration(sandbox: Sandbox) -> None:
    """Rule schedule-existing-keep-working."""
    sandbox.add_organization("org-new", migrated_to_automations=False)
    async with sandbox.client() as platform:
        org = platform.organization("org-new")
        made = await org.schedules.create(name="Old", prompt="p", frequency="0 * * * *")
        schedule_id = made.scheduled_session_id
        sandbox.state.organizations["org-new"].migrated_to_automations = True
        with pytest.raises(PermissionDeniedError):
            await org.schedules.create(name="New", prompt="p", frequency="0 * * * *")
        assert (await org.schedules.update(schedule_id, body={"name": "Renamed"})).name == "Renamed"
        assert (await org.schedules.get(schedule_id)).name == "Renamed"
        assert [each["name"] for each in (await org.schedules.list())["items"]] == ["Renamed"]
        sandbox.clock.advance(hours=1)
        assert await titles(org) == ["Renamed"]
        await org.schedules.delete(schedule_id)
        with pytest.raises(NotFoundError):
            await org.schedules.get(schedule_id)


async def test_a_schedule_that_is_disabled_does_not_run(sandbox: Sandbox, org: Any) -> None:
    made = await org.schedules.create(name="Off", prompt="p", frequency="0 * * * *")
    await org.schedules.update(made.scheduled_session_id, body={"enabled": False})
    sandbox.clock.advance(days=1)
    assert await titles(org) == []


async def test_a_schedule_is_not_updated_to_what_it_could_not_be_created_with(org: Any) -> None:
    made = await org.schedules.create(name="n", prompt="p", frequency="0 * * * *")
    with pytest.raises(UnprocessableContentError, match="minute: '99'"):
        await org.schedules.update(made.scheduled_session_id, body={"frequency": "99 * * * *"})


async def test_a_recurring_automation_starts_sessions_that_name_it(sandbox: Sandbox, org: Any) -> None:
    """Rule automation-recurring: an iCalendar RRULE evaluated in UTC, and a start_session action."""
    made = await org.automations.create(body={"name": "Triage", **DAILY, **START_SESSION})
    sandbox.clock.advance(days=2)
    sessions = await org.sessions.list().collect()
    assert [session.automation_id for session in sessions] == [made["automation_id"]] * 2
    assert sessions[1].created_at == int(at("2026-11-02T09:00").timestamp())


async def test_an_automation_ends_when_its_rule_does(sandbox: Sandbox, org: Any) -> None:
    trigger = {"type": "schedule:recurring", "rrule": "FREQ=HOURLY;COUNT=3"}
    await org.automations.create(body={"trigger": trigger, **START_SESSION})
    sandbox.clock.advance(days=2)
    # The first of the three is the moment of its creation.
    assert len(await titles(org)) == 2


async def test_an_automation_that_was_deleted_neither_runs_nor_is_listed(sandbox: Sandbox, org: Any) -> None:
    """Rule automation-soft-delete."""
    made = await org.automations.create(body={"name": "Triage", **DAILY, **START_SESSION})
    await org.automations.delete(made["automation_id"])
    sandbox.clock.advance(days=2)
    assert (await titles(org), (await org.automations.list())["items"]) == ([], [])
    with pytest.raises(NotFoundError):
        await org.automations.get(made["automation_id"])
    [record] = sandbox.state.collection("automations", "org-acme").values()
    assert record.deleted


async def test_a_rule_that_cannot_be_read_is_refused(org: Any) -> None:
    with pytest.raises(UnprocessableContentError, match="not an iCalendar RRULE"):
        await org.automations.create(
            body={"trigger": {"type": "schedule:recurring", "rrule": "FREQ=X"}, **START_SESSION}
        )


async def test_automations_are_filtered(org: Any) -> None:
    await org.automations.create(body={"name": "Triage", "enabled": False})
    await org.automations.create(body={"name": "Release"})
    assert [each["name"] for each in (await org.automations.list(enabled=False))["items"]] == ["Triage"]
    assert [each["name"] for each in (await org.automations.list(search="rel"))["items"]] == ["Release"]


async def test_a_clock_that_ticks_runs_what_is_due_with_the_next_request() -> None:
    now = SUNDAY
    sandbox = Sandbox(now=lambda: now)
    async with sandbox.client() as platform:
        org = platform.organization()
        await org.schedules.create(name="Hourly", prompt="p", frequency="0 * * * *")
        now += timedelta(hours=2)
        assert await titles(org) == ["Hourly"] * 2


async def test_two_sandboxes_show_the_same_bytes() -> None:
    async def story() -> list[Any]:
        sandbox = Sandbox()
        async with sandbox.client() as platform:
            org = platform.organization()
            await org.schedules.create(name="Hourly", prompt="p", frequency="0 * * * *")
            sandbox.clock.advance(hours=3)
            return [session.to_dict() async for session in org.sessions.list()]

    assert await story() == await story()


@pytest.mark.parametrize("rule", ["RDATE:20261103T000000", "DTSTART:20260101T000000\nRRULE:FREQ=DAILY"])
async def test_a_rule_that_brings_a_start_of_its_own_is_refused_and_stops_no_clock(
    sandbox: Sandbox, org: Any, rule: str
) -> None:
    with pytest.raises(UnprocessableContentError, match="not an iCalendar RRULE"):
        await org.automations.create(body={"trigger": {"type": "schedule:recurring", "rrule": rule}, **START_SESSION})
    sandbox.clock.advance(days=3)


async def test_automations_that_are_not_enabled_show_neither_schemas_nor_templates(sandbox: Sandbox) -> None:
    """Rule automation-enablement."""
    sandbox.add_organization("org-off", automations_enabled=False)
    async with sandbox.client() as platform:
        automations = platform.organization("org-off").automations
        for method in (automations.list, automations.list_schemas, automations.list_templates):
            with pytest.raises(PermissionDeniedError, match="automations are not enabled"):
                await method()
