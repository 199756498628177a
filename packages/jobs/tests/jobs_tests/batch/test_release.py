"""Release: explicit, only of what the batch created, and safe to repeat."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError, NotFoundError
from agent_session_platform_jobs import Batch
from agent_session_platform_sandbox import Sandbox

from jobs_tests.batch.batches import CREATE, arguments, key, rows, run


async def test_an_object_is_released_when_it_is_asked_for(batch: Batch, org: Any, sandbox: Sandbox) -> None:
    async for item in batch.run(rows(2), key=key, arguments=arguments):
        if item.key == "row-0":
            assert (await batch.release(item)).state == "released"
    assert [(await org.sessions.get(str(item.id))).is_archived async for item in batch.items()] == [True, False]
    assert (await batch.release("row-0")).state == "released"
    sandbox.journal.expect("organization.sessions.archive", times=1)


async def test_a_release_of_unknown_outcome_is_tried_again(batch: Batch, sandbox: Sandbox) -> None:
    await run(batch, rows(1))
    sandbox.faults.add("organization.sessions.archive", lose=True)
    with pytest.raises(Exception, match="may have been carried out"):
        await batch.release("row-0")
    assert [item.state async for item in batch.items()] == ["releasing"]
    sandbox.faults.add("organization.sessions.archive", status=404)
    assert (await batch.release("row-0")).state == "released"


async def test_a_refused_release_leaves_the_row_as_it_was(batch: Batch, sandbox: Sandbox) -> None:
    await run(batch, rows(1))
    sandbox.faults.add("organization.sessions.archive", status=404)
    with pytest.raises(NotFoundError):
        await batch.release("row-0")
    assert [item.state async for item in batch.items()] == ["settled"]


async def test_nothing_is_released_that_the_batch_did_not_create(batch: Batch, sandbox: Sandbox) -> None:
    sandbox.faults.add(CREATE, status=422)
    await run(batch, rows(1))
    for wrong, told in (("row-0", "is failed"), ("assistant-1", "no row")):
        with pytest.raises(InvalidArgumentError, match=told):
            await batch.release(wrong)
