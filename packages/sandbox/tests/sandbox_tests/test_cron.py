"""Occurrences of cron expressions."""

from __future__ import annotations

from datetime import timedelta
from itertools import islice

import pytest
from agent_session_platform_sandbox.clock import cron_occurrences

from sandbox_tests.timeline import SUNDAY, at


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
def test_the_next_occurrence_of_an_expression(expression: str, expected: str) -> None:
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


@pytest.mark.parametrize("expression", ["*/7 * * * *", "0,30 9-17/2 * * 1-5", "5 3 13 * FRI", "0 0 */10 2,6 *"])
@pytest.mark.parametrize("every", [2, 7, 100])
def test_every_nth_occurrence_is_found_without_counting_all(expression: str, every: int) -> None:
    after = at("2026-11-03T12:34")
    counted = islice(cron_occurrences(expression, after), every - 1, None, every)
    assert list(islice(cron_occurrences(expression, after, every), 20)) == list(islice(counted, 20))


def test_a_large_interval_is_found() -> None:
    assert next(cron_occurrences("* * * * *", SUNDAY, 10**5)) == SUNDAY + timedelta(minutes=10**5)


def test_an_interval_that_takes_too_long_to_count_never_comes() -> None:
    assert list(cron_occurrences("0 0 1 1 *", SUNDAY, 10**9)) == []


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
        ("0 0 32 2 *", "day-of-month: '32' is not valid; it takes 1 to 31"),
        # A day that none of the months has.
        ("0 0 31 2 *", "day-of-month: '31' is not valid"),
        # Extensions of cronsim.
        ("0 0 L * *", "day-of-month: 'L' is not valid"),
        ("0 0 * * 5L", "day-of-week: '5L' is not valid"),
        ("0 0 * * MON#1", "day-of-week: 'MON#1' is not valid"),
    ],
)
def test_an_invalid_expression_is_refused_with_the_field(expression: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cron_occurrences(expression, SUNDAY)
