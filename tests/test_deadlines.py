"""The deadlines of attempts that run in the tasks of their callers."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agent_session_platform.deadlines import Deadlines
from agent_session_platform.response.response import Outcome, Response
from virtual_time import run

RESPONSE = Response(200)


async def respond(after: float) -> Outcome:
    await asyncio.sleep(after)
    return RESPONSE


async def timed(deadlines: Deadlines, after: float, seconds: float) -> tuple[Outcome | None, float]:
    """What an attempt returns whose response comes later, and when it returns."""
    outcome = await deadlines.run(respond(after), seconds)
    return outcome, asyncio.get_running_loop().time()


async def several(*attempts: tuple[float, float]) -> list[tuple[Outcome | None, float]]:
    deadlines = Deadlines(asyncio.get_running_loop())
    return await asyncio.gather(*(timed(deadlines, *each) for each in attempts))


def test_an_attempt_that_ends_in_time_returns_its_outcome() -> None:
    assert run(several((1.0, 2.0))) == [(RESPONSE, 1.0)]


def test_an_attempt_that_takes_too_long_ends_at_its_deadline() -> None:
    assert run(several((9.0, 2.0))) == [(None, 2.0)]


def test_a_shorter_deadline_that_comes_later_is_kept() -> None:
    assert run(several((9.0, 5.0), (9.0, 2.0), (9.0, 7.0))) == [(None, 5.0), (None, 2.0), (None, 7.0)]


def test_a_deadline_after_that_of_an_attempt_which_has_ended_is_kept() -> None:
    assert run(several((1.0, 2.0), (9.0, 3.0))) == [(RESPONSE, 1.0), (None, 3.0)]


def test_many_attempts_have_one_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    timers: list[float] = []

    async def attempts() -> None:
        loop = asyncio.get_running_loop()
        deadlines, call_at = Deadlines(loop), loop.call_at

        def counted(when: float, *rest: Any, **context: Any) -> asyncio.TimerHandle:
            timers.append(when)
            return call_at(when, *rest, **context)

        monkeypatch.setattr(loop, "call_at", counted)
        for _ in range(100):
            await deadlines.run(respond(0), 300.0)

    run(attempts())
    assert timers == [300.0]


def test_a_caller_that_is_cancelled_is_cancelled() -> None:
    async def cancelled() -> bool:
        task = asyncio.ensure_future(several((9.0, 5.0)))
        await asyncio.sleep(1)
        task.cancel()
        await asyncio.wait((task,))
        return task.cancelled()

    assert run(cancelled())


def test_a_caller_that_is_cancelled_when_the_deadline_passes_is_cancelled() -> None:
    async def cancelled() -> bool:
        task = asyncio.ensure_future(timed(Deadlines(asyncio.get_running_loop()), 9.0, 5.0))
        # Before the timer of the deadline, which is at the same time, and after it.
        await asyncio.sleep(4.9)
        asyncio.get_running_loop().call_at(5.0, task.cancel)
        await asyncio.wait((task,))
        return task.cancelled()

    assert run(cancelled())


def test_after_a_deadline_the_caller_goes_on() -> None:
    async def cancelling() -> int:
        await several((9.0, 1.0))
        deadlines = Deadlines(asyncio.get_running_loop())
        await deadlines.run(respond(9.0), 1.0)
        await asyncio.sleep(1)
        task: Any = asyncio.current_task()
        return int(task.cancelling())

    assert run(cancelling()) == 0


def test_all_attempts_can_be_ended() -> None:
    async def ended() -> tuple[bool, Outcome | None, bool]:
        deadlines = Deadlines(asyncio.get_running_loop())
        task = asyncio.ensure_future(deadlines.run(respond(9.0), 5.0))
        await asyncio.sleep(1)
        return deadlines.end_all(), await task, deadlines.end_all()

    assert run(ended()) == (True, None, False)


def test_an_attempt_that_fails_when_it_is_ended_leaves_no_cancellation_behind() -> None:
    async def failing() -> Outcome:
        try:
            await asyncio.sleep(9.0)
        except asyncio.CancelledError:
            raise OSError from None
        return RESPONSE

    async def attempt() -> int:
        with pytest.raises(OSError):  # noqa: PT011  # any
            await Deadlines(asyncio.get_running_loop()).run(failing(), 2.0)
        task: Any = asyncio.current_task()
        return task.cancelling()

    assert run(attempt()) == 0
