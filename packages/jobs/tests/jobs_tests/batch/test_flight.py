"""A row in flight: its request can be withdrawn until it is sent, and is awaited from then on."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest
from agent_session_platform_jobs import BatchItem
from agent_session_platform_jobs.batch.flight import Flight, WithdrawnError, Work


def flight() -> Flight:
    return Flight(Work(BatchItem(key="a"), {}), 0, lambda _: None)


async def test_a_request_that_was_not_sent_is_withdrawn() -> None:
    row = flight()
    carried = asyncio.create_task(row.carry(asyncio.sleep(1000)))
    await asyncio.sleep(0)
    row.withdraw()
    with pytest.raises(WithdrawnError):
        await carried


async def test_a_request_that_was_sent_is_not_withdrawn() -> None:
    row = flight()

    async def send() -> str:
        row.is_sent = True
        await asyncio.sleep(0.01)
        return "done"

    carried = asyncio.create_task(row.carry(send()))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    row.withdraw()
    assert await carried == "done"


async def test_a_cancelled_row_does_not_wait_for_what_was_not_sent() -> None:
    carried = asyncio.create_task(flight().carry(asyncio.sleep(1000)))
    await asyncio.sleep(0)
    carried.cancel()
    async with asyncio.timeout(5):
        with pytest.raises(asyncio.CancelledError):
            await carried


async def test_the_error_of_a_row_that_is_cancelled_twice_is_not_logged_as_never_seen() -> None:
    row, logged, goes_on = flight(), list[Any](), asyncio.Event()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: logged.append(context))

    async def send() -> None:
        row.is_sent = True
        await goes_on.wait()
        raise LookupError("no")

    carried = asyncio.create_task(row.carry(send()))
    for _ in range(2):
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        carried.cancel()
    with pytest.raises(asyncio.CancelledError):
        await carried
    goes_on.set()
    await asyncio.sleep(0.01)
    gc.collect()
    assert logged == []
