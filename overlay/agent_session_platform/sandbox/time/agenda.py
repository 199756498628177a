"""What runs by itself, and when it does next: reckoned when a thing is planned, so that time costs only what is due."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .clock import Due

if TYPE_CHECKING:
    from ..state.state import Record, State

# In the memory of a thing: its runs are those behind this moment.
SINCE: Final = "since"

# So many entries that count no longer cost nothing.
FEW: Final = 64


class Runs(NamedTuple):
    """How the things of one family run by themselves: at which moments behind a given one, and what is done then.

    Only a thing whose `enabled` is true runs.
    """

    family: str
    moments: Callable[[Record, datetime], Iterator[datetime]]
    run: Callable[[State, Record, datetime], None]


class Plan(NamedTuple):
    """One thing and its moments to come."""

    runs: Runs
    record: Record
    moments: Iterator[datetime]


# What is not planned.
NONE: Final[tuple[int, Plan | None]] = (0, None)


class Agenda:
    """The next run of each thing that runs by itself, in order.

    A thing that was changed has to be planned anew. One that was disabled or deleted is passed over.
    """

    def __init__(self, state: State, kinds: Iterable[Runs]) -> None:
        self._state = state
        self._kinds = tuple(kinds)
        # The third number tells which of a thing's entries counts: the last.
        self._coming: list[tuple[datetime, int, int]] = []
        self._plans: dict[int, tuple[int, Plan]] = {}
        self._serial = 0
        self._known = True

    def plan(self, runs: Runs, record: Record) -> None:
        """Let a thing run from now on, and nothing of it for the past."""
        record.memory[SINCE] = self._state.now().isoformat()
        self._plan(runs, record)

    def forget(self) -> list[Any]:
        """Have nothing planned, and give what was; what the state has is looked through when it is asked next."""
        forgotten = [self._coming, self._plans]
        self._coming, self._plans, self._known = [], {}, False
        return forgotten

    def skip(self) -> None:
        """Plan everything from now on: the clock was set, earlier or later."""
        now = self._state.now().isoformat()
        for _, record in self._things():
            record.memory[SINCE] = now
        self.forget()

    def due(self, until: datetime) -> Due | None:
        """What is due next up to a moment."""
        if not self._known:
            self._known, now = True, self._state.now().isoformat()
            for runs, record in self._things():
                record.memory.setdefault(SINCE, now)
                self._plan(runs, record)
        while self._coming and self._coming[0][0] <= until:
            at, number, serial = self._coming[0]
            counts, plan = self._plans.get(number, NONE)
            if plan is not None and counts == serial:
                if runs_now(plan.record):
                    return Due(at, number, partial(self._run, plan, at))
                del self._plans[number]
            heappop(self._coming)
        return None

    def _run(self, plan: Plan, at: datetime) -> None:
        # It has moved on before it runs: one that fails does not stand in the way for ever.
        heappop(self._coming)
        plan.record.memory[SINCE] = at.isoformat()
        self._put(plan)
        plan.runs.run(self._state, plan.record, at)

    def _plan(self, runs: Runs, record: Record) -> None:
        if runs_now(record):
            self._put(Plan(runs, record, runs.moments(record, datetime.fromisoformat(record.memory[SINCE]))))
        else:
            self._plans.pop(record.number, None)

    def _put(self, plan: Plan) -> None:
        number = plan.record.number
        at = next(plan.moments, None)
        if at is None:
            self._plans.pop(number, None)
            return
        self._serial += 1
        self._plans[number] = (self._serial, plan)
        heappush(self._coming, (at, number, self._serial))
        if len(self._coming) > 2 * len(self._plans) + FEW:
            self._coming = [entry for entry in self._coming if self._plans.get(entry[1], NONE)[0] == entry[2]]
            heapify(self._coming)

    def _things(self) -> Iterator[tuple[Runs, Record]]:
        for runs in self._kinds:
            for records in self._state.collections(runs.family):
                for record in records.values():
                    yield runs, record


def runs_now(record: Record) -> bool:
    """Whether a thing runs at all."""
    return not record.deleted and record.fields.get("enabled") is True
