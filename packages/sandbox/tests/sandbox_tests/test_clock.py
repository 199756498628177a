"""The clock, which does what becomes due in order; and the occurrences of cron expressions and RRULEs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import pytest
from agent_session_platform import UnprocessableContentError
from agent_session_platform_sandbox import Sandbox, SentMessage, TooManyRunsError
from agent_session_platform_sandbox.clock import LATEST, START, Clock, cron_occurrences, rrule_occurrences
from agent_session_platform_sandbox.resources.sessions import receive_message
from dateutil.rrule import rrulestr

from sandbox_tests.timeline import SUNDAY, at, hours, schedule, titles


@pytest.mark.parametrize("now", [datetime(2030, 1, 1), lambda: datetime(2030, 1, 1)])
def test_a_time_without_a_timezone_is_refused(now: Any) -> None:
    with pytest.raises(ValueError, match="must have a timezone, such as UTC: 2030-01-01 00:00:00"):
        Sandbox(now=now)


def test_the_clock_stands_still_until_it_is_moved_and_does_not_go_back() -> None:
    clock = Clock()
    assert clock() == clock() == START
    assert clock.advance(hours=1, minutes=30) == clock() == START + timedelta(minutes=90)
    for move in (lambda: clock.advance(hours=-1), lambda: clock.advance_to(START)):
        with pytest.raises(ValueError, match="does not go back"):
            move()


async def test_too_many_runs_are_reported_and_can_be_continued(sandbox: Sandbox, org: Any) -> None:
    for name in ("A", "B"):
        await org.schedules.create(name=name, prompt="p", frequency="0 * * * *")
    sandbox.clock.most_runs = 5
    with pytest.raises(
        TooManyRunsError, match=r"5 runs are done, .* 03:00:00\+00:00 and more runs are due .*: advance"
    ):
        sandbox.clock.advance(hours=4)
    # All runs of that time are done.
    assert (sandbox.clock(), await titles(org)) == (at("2026-11-01T03:00"), ["A", "B"] * 3)
    sandbox.clock.advance_to(at("2026-11-01T04:00"))
    assert await titles(org) == ["A", "B"] * 4


async def test_a_ticking_clock_leaves_too_many_runs_to_the_next_request() -> None:
    now = SUNDAY
    sandbox = Sandbox(now=lambda: now)
    sandbox.clock.most_runs = 3
    async with sandbox.client() as platform:
        org = platform.organization()
        await org.schedules.create(name="Hourly", prompt="p", frequency="0 * * * *")
        now += timedelta(hours=5)
        assert [len(await titles(org)) for _ in range(3)] == [3, 5, 5]


@pytest.mark.parametrize(("to", "expected"), [(9.5, [10, 11]), (-5.5, [-5, -4])])
async def test_a_clock_that_is_set_skips_runs(sandbox: Sandbox, org: Any, to: float, expected: list[float]) -> None:
    await schedule(org)
    sandbox.clock.set(SUNDAY + timedelta(hours=to))
    sandbox.clock.advance(hours=2)
    assert await hours(org) == expected


@pytest.mark.parametrize(
    "move",
    [
        lambda clock: clock.advance_to(datetime.max.replace(tzinfo=UTC)),
        lambda clock: clock.advance(timedelta.max),
        lambda clock: clock.set(at("1969-12-31")),
        lambda clock: Sandbox(now=START.replace(year=2200)),
    ],
)
def test_the_clock_goes_from_1970_to_2199(move: Any) -> None:
    clock = Clock()
    with pytest.raises(ValueError, match="the clock cannot go as far as"):
        move(clock)
    assert clock() == START


def test_a_ticking_clock_stands_still_at_the_end() -> None:
    now = SUNDAY
    clock = Clock(lambda: now)
    clock.advance_to(LATEST)
    now += timedelta(days=1)
    assert clock() == LATEST


async def test_a_failed_run_leaves_the_clock_at_its_time_and_is_not_repeated(sandbox: Sandbox, org: Any) -> None:
    def fail(message: SentMessage) -> None:
        raise RuntimeError("no")

    await schedule(org)
    sandbox.on_message(fail)
    with pytest.raises(RuntimeError, match="no"):
        sandbox.clock.advance(hours=12)
    assert sandbox.clock() == at("2026-11-01T01:00")
    sandbox.on_message(None)
    sandbox.clock.advance(hours=1)
    assert await hours(org) == [1, 2]


@pytest.mark.parametrize(
    ("move", "moved"),
    [
        (timedelta(hours=3, minutes=15), timedelta(hours=3, minutes=15)),
        (timedelta(hours=2, minutes=30), timedelta(hours=2, minutes=30)),
        # The last run goes beyond the move.
        (timedelta(hours=2), timedelta(hours=2, minutes=10)),
    ],
)
async def test_a_script_that_moves_the_clock_moves_it_once(
    sandbox: Sandbox, org: Any, move: timedelta, moved: timedelta
) -> None:
    def script(message: SentMessage) -> None:
        sandbox.clock.advance(minutes=10)

    await schedule(org)
    sandbox.on_message(script)
    before = sandbox.clock()
    sandbox.clock.advance(move)
    assert sandbox.clock() - before == moved


async def test_a_script_that_moves_the_clock_of_a_request_is_counted() -> None:
    now = SUNDAY
    sandbox = Sandbox(now=lambda: now)
    sandbox.on_message(lambda message: sandbox.clock.advance(hours=1) and None)
    async with sandbox.client() as platform:
        org = platform.organization()
        await schedule(org, frequency="30 0 * * *")
        now += timedelta(minutes=45)
        assert await titles(org) == ["n"]
    # The run was at 0:30.
    assert sandbox.clock() == now + timedelta(minutes=45)


async def test_runs_that_a_script_makes_due_are_done_once_and_in_order(sandbox: Sandbox, org: Any) -> None:
    await schedule(org)
    sandbox.on_message(lambda message: sandbox.clock.advance(hours=2) and None)
    sandbox.clock.most_runs = 5
    with pytest.raises(TooManyRunsError):
        sandbox.clock.advance(hours=1)
    # Without an end, each run would make the next one due.
    assert len(await hours(org)) == 5


def calls(function: Callable[[], object]) -> int:
    """Return the number of calls of functions that a function makes: time that no other process changes."""
    made = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(before)
    return made


def test_the_time_of_due_turns_grows_with_their_number() -> None:
    def work(number: int) -> int:
        sandbox = Sandbox()
        for second in range(number):
            sandbox.plan_session(sandbox.add_session(), after=second + 1, status="ready")
        return calls(lambda: sandbox.clock.advance(days=1))

    assert work(800) < 2.5 * work(400)


def test_a_message_costs_as_much_beside_many_planned_turns() -> None:
    def work(number: int) -> int:
        sandbox = Sandbox(finish_after=60, finished_status="ready")
        session = sandbox.state.collection("sessions", "org-acme")
        for _ in range(number):
            receive_message(sandbox.state, session[sandbox.add_session()], "Fix it")
        latest = session[sandbox.add_session()]
        return calls(lambda: receive_message(sandbox.state, latest, "Fix it"))

    assert work(800) < work(8) + 100


def test_the_occurrences_of_a_cron_expression() -> None:
    assert [*islice(cron_occurrences("0 0 29 2 *", SUNDAY), 2)] == [at("2028-02-29"), at("2032-02-29")]
    # Days of the month and of the week are alternatives.
    assert next(cron_occurrences("0 0 13 * FRI", SUNDAY)) == at("2026-11-06")
    # An interval with too many times to count has no occurrence.
    for every in (10**6, 10**400):
        assert [*cron_occurrences("0 0 1 1 *", SUNDAY, every)] == []


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("* * * *", "five fields"),
        ("60 * * * *", "Bad minute in the cron expression '60"),
        pytest.param(f"{'9' * 5000} * * * *", "4300 digits", id="too many digits for int()"),
        # None of the months has this day.
        ("0 0 31 2 *", "Bad day-of-month"),
        # L is an extension of cronsim.
        ("0 0 L * *", "L and #"),
    ],
)
def test_an_invalid_cron_expression_is_refused_with_the_field(expression: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cron_occurrences(expression, SUNDAY)


BEGAN = datetime(2026, 11, 4, 10, 17, 33, tzinfo=UTC)


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY;INTERVAL=45",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1",
        "RRULE:FREQ=DAILY;UNTIL=20261224T000000Z",
        "FREQ=YEARLY;BYDAY=TU;BYWEEKNO=53",
        "freq=weekly",
    ],
)
def test_the_occurrences_of_an_rrule_are_those_of_dateutil(rule: str) -> None:
    after = BEGAN + timedelta(days=40, seconds=17)
    counted = rrulestr(rule.removeprefix("RRULE:").upper(), dtstart=BEGAN).xafter(after, count=20)
    assert [*islice(rrule_occurrences(rule, BEGAN, after), 20)] == [*counted]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("", "'' is unknown"),
        # With an interval of 0, dateutil would never return.
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL and COUNT must be from 1"),
        ("FREQ=DAILY;UNTIL=20261201", "must have a timezone"),
        ("FREQ=DAILY;UNTIL=20261031T000000Z", "never occurs"),
        ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "never occurs"),
        ("FREQ=DAILY;COUNT=3;UNTIL=20261201T000000Z", "COUNT and UNTIL, which exclude each other"),
        ("FREQ=HOURLY;BYMINUTE=1,2;BYSETPOS=3", "'BYSETPOS' is unknown, or not possible with this FREQ"),
        ("FREQ=DAILY\nEXDATE:20261103T000000", "or a space"),
    ],
)
async def test_an_invalid_rule_is_refused_with_the_reason(org: Any, rule: str, message: str) -> None:
    """automation-create-errors: an assumption."""
    body = {"trigger": {"type": "schedule:recurring", "rrule": rule}, "action": {"type": "start_session"}}
    began = time.process_time()
    with pytest.raises(UnprocessableContentError, match=f"not an iCalendar RRULE: (.|\n)*{message}"):
        await org.automations.create(body=body)
    # By itself, dateutil would search for a date for seconds.
    assert time.process_time() - began < 1
