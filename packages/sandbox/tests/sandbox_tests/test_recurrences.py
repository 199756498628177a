"""Occurrences of cron expressions and RRULEs."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import pytest
from agent_session_platform import UnprocessableContentError
from agent_session_platform_sandbox.clock import cron_occurrences, rrule_occurrences
from dateutil.rrule import rrulestr

from sandbox_tests.timeline import SUNDAY, at


@pytest.mark.parametrize(
    ("expression", "nth", "expected"),
    [
        ("0 9 * * 1-5", 1, "2026-11-02T09:00"),
        ("*/15 * * * *", 1, "2026-11-01T00:15"),
        ("0 0 29 2 *", 2, "2032-02-29T00:00"),
        # Days of the month and of the week are alternatives.
        ("0 0 13 * FRI", 1, "2026-11-06T00:00"),
        ("0 0 * * 7", 1, "2026-11-08T00:00"),
    ],
)
def test_the_occurrences_of_a_cron_expression(expression: str, nth: int, expected: str) -> None:
    assert [*islice(cron_occurrences(expression, SUNDAY), nth)][-1] == at(expected)


@pytest.mark.parametrize("every", [10**6, 10**400])
def test_an_interval_that_takes_too_long_to_count_never_comes(every: int) -> None:
    assert [*cron_occurrences("0 0 1 1 *", SUNDAY, every)] == []


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("* * * *", "five fields"),
        ("60 * * * *", "Bad minute in the cron expression '60"),
        ("*/0 * * * *", "Bad minute"),
        ("* \u0662 * * *", "Bad hour"),
        pytest.param(f"{'9' * 5000} * * * *", "4300 digits", id="too many digits for int()"),
        # A day that none of the months has.
        ("0 0 31 2 *", "Bad day-of-month"),
        # Extensions of cronsim.
        ("0 0 L * *", "L and #"),
        ("0 0 * * MON#1", "L and #"),
    ],
)
def test_an_invalid_cron_expression_is_refused_with_the_field(expression: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cron_occurrences(expression, SUNDAY)


START = datetime(2026, 11, 4, 10, 17, 33, tzinfo=UTC)


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY;INTERVAL=45",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1",
        "FREQ=DAILY;COUNT=50",
        "RRULE:FREQ=DAILY;UNTIL=20261224T000000Z",
        "FREQ=YEARLY;BYDAY=TU;BYWEEKNO=53",
        "freq=weekly",
    ],
)
def test_the_occurrences_of_an_rrule_are_those_of_dateutil(rule: str) -> None:
    after = START + timedelta(days=40, seconds=17)
    counted = rrulestr(rule.removeprefix("RRULE:").upper(), dtstart=START).xafter(after, count=20)
    assert [*islice(rrule_occurrences(rule, START, after), 20)] == [*counted]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("", "'' is unknown"),
        ("BYHOUR=9", "is not valid"),
        ("FREQ=X", "'FREQ=X' is not valid"),
        # dateutil would stand still at that for ever.
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL and COUNT must be from 1"),
        ("FREQ=DAILY;BYHOUR=24", "hour must be in 0..23"),
        ("FREQ=DAILY;UNTIL=20261201", "must have a timezone"),
        ("FREQ=DAILY;UNTIL=20261031T000000Z", "never occurs"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "never occurs"),
        ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "never occurs"),
        ("FREQ=DAILY;COUNT=3;UNTIL=20261201T000000Z", "COUNT and UNTIL, which exclude each other"),
        ("FREQ=HOURLY;BYMINUTE=1,2;BYSETPOS=3", "'BYSETPOS' is unknown, or not possible with this FREQ"),
        ("FREQ=HOURLY;INTERVAL=24;BYHOUR=3", "empty set"),
        ("DTSTART:20260101T000000\nRRULE:FREQ=DAILY", "is unknown"),
        ("FREQ=DAILY\nEXDATE:20261103T000000", "or a space"),
    ],
)
async def test_an_invalid_rule_is_refused_with_the_reason(org: Any, rule: str, message: str) -> None:
    """automation-create-errors: an assumption."""
    body = {"trigger": {"type": "schedule:recurring", "rrule": rule}, "action": {"type": "start_session"}}
    began = time.process_time()
    with pytest.raises(UnprocessableContentError, match=f"not an iCalendar RRULE: (.|\n)*{message}"):
        await org.automations.create(body=body)
    # dateutil alone would look for a date for seconds.
    assert time.process_time() - began < 1
