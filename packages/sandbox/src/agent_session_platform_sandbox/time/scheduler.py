"""The scheduler: future runs in order of time. Only the next run of each plan is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from heapq import heapify, heappop, heappush
from typing import Final

import attrs

# Outdated entries are removed only when there are more than this, because removing them visits the whole heap.
MAX_OUTDATED: Final = 64


@attrs.frozen
class Plan:
    """Something that runs at certain times.

    Attributes:
        times: The future times, in order.
        run: Called with the time of the run.
        is_active: Returns False if the plan must be removed instead of run.
    """

    times: Iterator[datetime]
    run: Callable[[datetime], None]
    is_active: Callable[[], bool]


@attrs.frozen
class DueRun:
    """A run that is due: its time, the number of its plan, which orders runs of one time, and a function to call."""

    at: datetime
    number: int
    run: Callable[[], None]


class Scheduler:
    """The plans by number, and the next run of each."""

    def __init__(self) -> None:
        self._plans: dict[int, tuple[int, Plan]] = {}
        # The serial number distinguishes the current entry of a plan from outdated ones.
        self._upcoming: list[tuple[datetime, int, int]] = []
        self._serial = 0

    def plan(self, number: int, plan: Plan) -> None:
        """Add the plan with this number, in place of an older one."""
        at = next(plan.times, None)
        if at is None:
            self.cancel(number)
            return
        self._serial += 1
        self._plans[number] = (self._serial, plan)
        heappush(self._upcoming, (at, number, self._serial))
        if len(self._upcoming) > 2 * len(self._plans) + MAX_OUTDATED:
            self._upcoming = [entry for entry in self._upcoming if self._current(entry) is not None]
            heapify(self._upcoming)

    def cancel(self, number: int) -> None:
        """Remove the plan with this number, if there is one."""
        self._plans.pop(number, None)

    def clear(self) -> None:
        """Remove all plans."""
        self._plans.clear()
        self._upcoming.clear()

    def next_due(self, until: datetime) -> DueRun | None:
        """Return the next run up to a time, or None."""
        while self._upcoming and self._upcoming[0][0] <= until:
            at, number, _ = entry = self._upcoming[0]
            plan = self._current(entry)
            if plan is not None:
                if plan.is_active():
                    return DueRun(at, number, partial(self._run, number, plan, at))
                self.cancel(number)
            heappop(self._upcoming)
        return None

    def _run(self, number: int, plan: Plan, at: datetime) -> None:
        # Planned again before it runs, so that a run that fails is not repeated without end.
        heappop(self._upcoming)
        self.plan(number, plan)
        plan.run(at)

    def _current(self, entry: tuple[datetime, int, int]) -> Plan | None:
        serial, plan = self._plans.get(entry[1], (0, None))
        return plan if serial == entry[2] else None
