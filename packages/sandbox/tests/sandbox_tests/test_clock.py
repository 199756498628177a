"""The clock: it moves on command, and does what becomes due in order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from agent_session_platform_sandbox import Sandbox, SentMessage, TooManyRunsError
from agent_session_platform_sandbox.clock import LATEST, START, Clock

from sandbox_tests.timeline import SUNDAY, at, hours, schedule, titles

pytestmark = pytest.mark.filterwarnings("ignore:organization.schedules.create is deprecated:DeprecationWarning")


@pytest.mark.parametrize("now", [datetime(2030, 1, 1), lambda: datetime(2030, 1, 1)])
def test_a_time_without_a_timezone_is_refused(now: Any) -> None:
    with pytest.raises(ValueError, match="must have a timezone, such as UTC: 2030-01-01 00:00:00"):
        Sandbox(now=now)


def test_the_clock_stands_still_until_it_is_moved() -> None:
    clock = Clock()
    assert clock() == clock() == START
    assert clock.advance(hours=1, minutes=30) == clock() == START + timedelta(minutes=90)


@pytest.mark.parametrize(
    "move", [lambda clock: clock.advance(hours=-1), lambda clock: clock.advance_to(at("2026-01-01"))]
)
def test_the_clock_does_not_go_back(move: Any) -> None:
    with pytest.raises(ValueError, match="does not go back"):
        move(Clock())


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
async def test_a_clock_that_is_set_skips_runs_in_between(
    sandbox: Sandbox, org: Any, to: float, expected: list[float]
) -> None:
    await schedule(org)
    sandbox.clock.set(SUNDAY + timedelta(hours=to))
    sandbox.clock.advance(hours=2)
    assert await hours(org) == expected


@pytest.mark.parametrize(
    "move",
    [
        lambda clock: clock.advance_to(datetime.max.replace(tzinfo=UTC)),
        lambda clock: clock.advance(days=365 * 174),
        lambda clock: clock.advance(days=1e300),
        lambda clock: clock.advance(timedelta.max),
        lambda clock: clock.set(at("1969-12-31")),
        lambda clock: clock.set(datetime.max.replace(tzinfo=UTC)),
    ],
)
def test_the_clock_goes_from_1970_to_2199(move: Any) -> None:
    clock = Clock()
    with pytest.raises(ValueError, match="the clock cannot go as far as"):
        move(clock)
    assert clock() == START


@pytest.mark.parametrize("year", [1, 1969, 2200, 9999])
def test_a_fixed_time_is_within_these_years(year: int) -> None:
    with pytest.raises(ValueError, match="the clock cannot go as far as"):
        Sandbox(now=START.replace(year=year))


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
