"""The scheduler of future runs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from agent_session_platform_sandbox.clock import Clock
from agent_session_platform_sandbox.state import Record, RecurringRuns, State

from sandbox_tests.timeline import SUNDAY


def hourly(after: datetime) -> Iterator[datetime]:
    while True:
        after += timedelta(hours=1)
        yield after


def test_only_the_next_run_of_each_plan_is_computed() -> None:
    clock, computed, ran = Clock(SUNDAY), list[datetime](), list[datetime]()

    def times(record: Record, after: datetime) -> Iterator[datetime]:
        for time in hourly(after):
            computed.append(time)
            yield time

    runs = RecurringRuns("things", times, lambda state, record, time: ran.append(time))
    state = State(clock, [runs])
    for number in range(50):
        state.plan(runs, state.add(state.collection("things"), str(number), {"enabled": True}))
    clock.advance(hours=12)
    assert (len(ran), ran) == (600, sorted(ran))
    # One more of each is known: the next.
    assert len(computed) == 650
