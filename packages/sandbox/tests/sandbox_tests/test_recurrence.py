"""Occurrences of RRULEs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import pytest
from agent_session_platform import UnprocessableContentError
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.clock import rrule_occurrences
from dateutil.rrule import rrulestr

START = datetime(2026, 11, 4, 10, 17, 33, tzinfo=UTC)
START_SESSION = {"action": {"type": "start_session", "prompt": "Triage"}}


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY;INTERVAL=45",
        "FREQ=MINUTELY;INTERVAL=7;BYSECOND=5,10",
        "FREQ=HOURLY;INTERVAL=5;BYDAY=MO,WE",
        "FREQ=DAILY;INTERVAL=10;BYHOUR=9,17",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=MINUTELY;BYMONTH=2;BYMINUTE=0",
        "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,SU",
        "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1",
        "FREQ=MONTHLY;BYDAY=-1FR",
        "FREQ=MONTHLY;BYMONTHDAY=31",
        "FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO",
        "FREQ=YEARLY;INTERVAL=3;BYYEARDAY=-1",
        "FREQ=DAILY;COUNT=70",
        "RRULE:FREQ=DAILY;UNTIL=20261224T000000Z",
        "freq=weekly",
    ],
)
@pytest.mark.parametrize("later", [timedelta(), timedelta(days=40, seconds=17)])
def test_occurrences_are_those_of_dateutil(rule: str, later: timedelta) -> None:
    after = START + later
    counted = rrulestr(rule.removeprefix("RRULE:").upper(), dtstart=START).xafter(after, count=50)
    assert list(islice(rrule_occurrences(rule, START, after), 50)) == list(counted)


@pytest.mark.parametrize(
    "rule",
    [
        # dateutil looks for these up to the year 9999, some of them second by second.
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=23",
        "FREQ=MINUTELY;INTERVAL=10080;BYDAY=TU",
        "FREQ=YEARLY;INTERVAL=999999999",
        "FREQ=HOURLY;INTERVAL=999999999",
    ],
)
def test_a_rule_that_never_occurs_ends_soon(rule: str) -> None:
    assert next(rrule_occurrences(rule, START, START), None) is None


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("", "'' is unknown"),
        ("BYHOUR=9", "FREQ is missing"),
        ("FREQ=DAILY;FREQ=DAILY", "'FREQ=DAILY' is unknown or repeated"),
        # dateutil would stand still at that for ever.
        ("FREQ=DAILY;INTERVAL=0", "'INTERVAL=0' is not valid"),
        ("FREQ=DAILY;COUNT=0", "'COUNT=0' is not valid"),
        ("FREQ=DAILY;BYHOUR=24", "'BYHOUR=24' is not valid"),
        ("FREQ=DAILY;BYMONTHDAY=0", "'BYMONTHDAY=0' is not valid"),
        ("FREQ=YEARLY;BYDAY=60MO", "'BYDAY=60MO' is not valid"),
        ("FREQ=DAILY;UNTIL=20261201", "'UNTIL=20261201' is not valid"),
        ("FREQ=DAILY;COUNT=3;UNTIL=20261201T000000Z", "COUNT and UNTIL exclude each other"),
        ("FREQ=SECONDLY;BYHOUR=2", "BYHOUR: not with FREQ=SECONDLY"),
        ("FREQ=HOURLY;BYMINUTE=1,2;BYSETPOS=3", "not with FREQ=HOURLY, which takes too long to search"),
        ("FREQ=HOURLY;INTERVAL=24;BYHOUR=3", "empty set"),
        ("FREQ=DAILY;BYEASTER=0", "'BYEASTER=0' is unknown"),
    ],
)
async def test_an_invalid_rule_is_refused_with_the_reason(org: Any, rule: str, message: str) -> None:
    """automation-create-errors: an assumption."""
    body = {"trigger": {"type": "schedule:recurring", "rrule": rule}, "action": {"type": "start_session"}}
    with pytest.raises(UnprocessableContentError, match=f"not an iCalendar RRULE: .*{message}"):
        await org.automations.create(body=body)


@pytest.mark.parametrize("rule", ["RDATE:20261103T000000", "DTSTART:20260101T000000\nRRULE:FREQ=DAILY"])
async def test_a_rule_with_a_start_of_its_own_is_refused(sandbox: Sandbox, org: Any, rule: str) -> None:
    with pytest.raises(UnprocessableContentError, match="not an iCalendar RRULE"):
        await org.automations.create(body={"trigger": {"type": "schedule:recurring", "rrule": rule}, **START_SESSION})
    sandbox.clock.advance(days=3)


async def test_an_unreadable_rule_is_refused(org: Any) -> None:
    with pytest.raises(UnprocessableContentError, match="not an iCalendar RRULE"):
        await org.automations.create(
            body={"trigger": {"type": "schedule:recurring", "rrule": "FREQ=X"}, **START_SESSION}
        )


def test_counting_from_a_start_long_ago_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent_session_platform_sandbox.clock.MAX_COUNT", 1000)
    start = datetime(1970, 1, 1, tzinfo=UTC)
    rule = "FREQ=SECONDLY;COUNT=999999999"
    assert list(rrule_occurrences(rule, start, start + timedelta(seconds=998))) == [start + timedelta(seconds=999)]
    assert list(rrule_occurrences(rule, start, start + timedelta(days=80_000))) == []
