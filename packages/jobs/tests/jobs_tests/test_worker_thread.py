"""The thread of the disk: one piece of work after the other, and what was begun is awaited."""

from __future__ import annotations

import asyncio
import threading

import pytest
from agent_session_platform_jobs.worker_thread import WorkerThread


async def test_work_is_done_in_its_order_and_the_last_piece_at_the_end() -> None:
    done: list[int] = []
    async with WorkerThread(lambda: done.append(3)) as thread:
        await asyncio.gather(thread.run(done.append, 1), thread.run(done.append, 2))
    assert done == [1, 2, 3]


async def test_an_error_of_the_work_is_raised() -> None:
    async with WorkerThread(lambda: None) as thread:
        with pytest.raises(ValueError, match="invalid literal"):
            await thread.run(int, "x")


@pytest.mark.parametrize("times", [1, 2])
async def test_a_cancelled_task_ends_when_its_work_has_ended(times: int) -> None:
    begun, goes_on = threading.Event(), threading.Event()
    ended: list[str] = []

    def work() -> None:
        begun.set()
        goes_on.wait(10)
        ended.append("work")
        raise ValueError("nobody asks for it")

    async def main() -> None:
        try:
            async with WorkerThread(lambda: ended.append("last")) as thread:
                await thread.run(work)
        finally:
            ended.append("task")

    task = asyncio.create_task(main())
    await asyncio.to_thread(begun.wait, 10)
    for _ in range(times):
        task.cancel()
        await asyncio.sleep(0.01)
    assert not task.done()
    goes_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == ["work", "last", "task"]


async def test_the_error_of_the_last_piece_is_raised() -> None:
    def fail() -> None:
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        async with WorkerThread(fail):
            pass
