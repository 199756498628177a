"""Those who wait before a gate: in order of arrival, also when they are sent back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from agent_session_platform import ClientClosedError
from agent_session_platform.rate_limit.interface import Permit
from agent_session_platform.rate_limit.wait_queue import Line

NEVER = 1e9


def nothing() -> None:
    pass


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def line_of(count: int, is_good: Callable[[Permit], bool]) -> tuple[Line, list[asyncio.Task[Permit]], list[int]]:
    """A line, those who wait in it, and (as it comes) who has passed."""
    order: list[int] = []
    line = Line(is_good, nothing)

    async def wait(number: int) -> Permit:
        permit = await line.wait(NEVER, nothing)
        order.append(number)
        return permit

    return line, [asyncio.create_task(wait(number)) for number in range(count)], order


async def test_who_is_sent_back_takes_the_place_that_was_held() -> None:
    line, tasks, order = line_of(5, lambda permit: permit.round == 2)
    await settle()
    for _ in range(3):
        line.serve(Permit(1, 0.0))
    await settle()
    for _ in range(5):
        line.serve(Permit(2, 0.0))
    await asyncio.gather(*tasks)
    assert order == [0, 1, 2, 3, 4]


async def test_who_is_sent_back_when_all_are_sent_away_does_not_wait_again() -> None:
    line, [task], _ = line_of(1, lambda permit: False)
    await settle()
    line.serve(Permit(1, 0.0))
    line.dismiss()
    with pytest.raises(ClientClosedError):
        await task


async def test_a_passage_that_nobody_takes_is_given_back() -> None:
    given_back: list[int] = []
    line = Line(lambda permit: True, lambda: given_back.append(1))
    waiting = asyncio.create_task(line.wait(NEVER, nothing))
    await settle()
    line.serve(Permit(1, 0.0))
    waiting.cancel()
    await settle()
    assert given_back == [1]


async def test_waiting_that_is_thrown_away_ends_quietly() -> None:
    line = Line(lambda permit: True, nothing)
    waiting = line.wait(NEVER, nothing)
    waiting.send(None)
    waiting.close()
    assert not line
