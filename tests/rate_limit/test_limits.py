"""A whole client against limits of every kind, near and far, in virtual time: no call fails, little time is lost."""

from __future__ import annotations

import asyncio
import random
from statistics import fmean
from typing import Any

import pytest
from agent_session_platform import AgentPlatform

from benchmarks.limiters import Changing, Queue
from benchmarks.limits import MATRIX, OTHERS, Cell, Server, measure, sdk
from benchmarks.virtual_time import run

# A part of the matrix of `benchmarks/limits.py`, which takes a minute as a whole.
PART = [
    cell
    for cell in (*MATRIX, *OTHERS)
    if cell.round_trip in {0.002, 0.3} and cell.header in {"integer", "none"} and cell.calls <= 2000
]


class RandomRefusal:
    """A limiter that refuses a share of all requests at random, whatever their rate."""

    def admit(self, now: float) -> float | None:
        return 0.01 if random.random() < 0.02 else None

    def ideal(self, requests: int) -> float:
        return 1.0


@pytest.mark.parametrize("cell", [cell for cell in PART if cell not in MATRIX], ids=lambda cell: cell.name)
def test_no_call_fails_and_it_takes_at_most_two_and_a_half_times_the_shortest_time(cell: Cell) -> None:
    outcome = measure(cell, sdk, seed=101)
    assert (outcome.failed, outcome.ratio <= 2.5) == (0, True), outcome


def test_on_average_it_takes_little_more_than_the_shortest_time_and_few_requests_are_refused() -> None:
    cells = [cell for cell in PART if cell in MATRIX]
    outcomes = [measure(cell, sdk, seed=102) for cell in cells]
    assert sum(outcome.failed for outcome in outcomes) == 0
    assert max(outcome.ratio for outcome in outcomes) <= 2.5
    assert fmean(outcome.ratio for outcome in outcomes) <= 1.6
    assert sum(outcome.refused for outcome in outcomes) <= 0.12 * 500 * len(cells)


@pytest.mark.parametrize("header", ["integer", "fraction", "none"])
def test_a_limit_that_is_raised_is_found_within_half_a_minute(header: str) -> None:
    """0.8 requests a second for five minutes, and then fifty."""
    random.seed(103)
    server = Server(Changing(0.8, 50, 300), header, 0.1)

    async def happen() -> float:
        loop = asyncio.get_running_loop()
        async with AgentPlatform("https://platform.example.com", "svc_limits", transport=server) as platform:

            async def work() -> None:
                while loop.time() < 300:
                    await platform.enterprise.blueprints.list()

            working = asyncio.gather(*(work() for _ in range(3)))
            await asyncio.sleep(300)
            await asyncio.gather(*(platform.enterprise.blueprints.list() for _ in range(300)))
            taken = loop.time() - 300
            await working
            return taken

    assert run(happen()) <= 30


@pytest.mark.parametrize("header", ["none", "fraction"])
@pytest.mark.parametrize("make", [RandomRefusal, lambda: Queue(4, 0.08, 20)], ids=["2 % refused", "short queue"])
def test_no_call_fails_at_a_server_that_refuses_whatever_the_rate_is(make: Any, header: str) -> None:
    assert measure(Cell("other", header, 0.01, 300, make), sdk, seed=1).failed == 0
