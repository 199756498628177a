"""Requests of unknown outcome: never sent again by guess, and never lost."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError, PermissionDeniedError, RequestOptions, RetryPolicy, ServerError
from agent_session_platform_jobs import NOT_SENT, Batch, BatchStoppedError, BatchStoreError
from agent_session_platform_sandbox import Sandbox

from jobs_tests.batch.batches import CREATE, Row, finder, rows, run


@pytest.mark.parametrize("fault", [{"lose": True}, {"status": 500}, {"html": True}])
async def test_an_unknown_outcome_is_never_sent_again(org: Any, sandbox: Sandbox, store: Path, fault: Any) -> None:
    sandbox.faults.add(CREATE, **fault)
    # The client must not repeat the request, either.
    options = RequestOptions(retry=RetryPolicy(attempts=5))
    batch = Batch(partial(org.sessions.create, options=options), store=store, concurrency=1)
    items = await run(batch, rows(2))
    assert [item.state for item in items.values()] == ["unknown", "settled"]
    assert (await run(batch, rows(2)))["row-0"].state == "unknown"
    sandbox.journal.expect(CREATE, times=2)
    assert [item.key for item in await batch.unknown()] == ["row-0"]


async def test_an_id_that_cannot_be_written_is_unknown_and_listed(org: Any, sandbox: Sandbox, store: Path) -> None:
    """JSON may have half of a surrogate pair in a text, but the store cannot write it."""
    batch = Batch(org.sessions.create, store=store, id=lambda created: f"{created.session_id}\ud83d", concurrency=1)
    assert [item.state for item in (await run(batch, rows(2))).values()] == ["unknown", "unknown"]
    unknown = await batch.unknown()
    assert [(item.key, item.id) for item in unknown] == [("row-0", None), ("row-1", None)]
    assert unknown[0].error.startswith("its id cannot be kept: ")
    sandbox.journal.expect(CREATE, times=2)


@pytest.mark.parametrize("replaced", [False, True])
async def test_nothing_is_sent_once_the_store_is_moved(org: Any, sandbox: Sandbox, store: Path, replaced: bool) -> None:
    def move(row: Row) -> dict[str, Any]:
        if row.id == "row-1":
            store.rename(store.with_suffix(".moved"))
            if replaced:
                store.touch()
        return {"title": row.id}

    batch = Batch(org.sessions.create, store=store, concurrency=1)
    with pytest.raises(BatchStoreError, match="the file was moved, deleted or replaced during the run"):
        await run(batch, rows(3), arguments=move)
    sandbox.journal.expect(CREATE, times=1)


async def test_an_object_of_another_row_is_not_assigned_to_an_unknown_one(batch: Batch, sandbox: Sandbox) -> None:
    sandbox.faults.add(CREATE, lose=True)
    await run(batch, rows(2))
    [unknown], [other] = await batch.unknown(), [item async for item in batch.items("settled")]
    with pytest.raises(InvalidArgumentError, match=f"is the object of row '{other.key}'"):
        await batch.assign(unknown.key, id=str(other.id))
    assert await batch.unknown() == [unknown]


@pytest.mark.parametrize("wrong", ["", " ", "assistant-999", "typo", "half\ud83d", None, 5])
async def test_an_object_that_does_not_exist_is_not_assigned(batch: Batch, sandbox: Sandbox, wrong: Any) -> None:
    sandbox.faults.add(CREATE, drop=True)
    await run(batch, rows(1))
    unknown = await batch.unknown()
    with pytest.raises(InvalidArgumentError, match="id must be text that is not empty|there is no object with the id"):
        await batch.assign("row-0", id=wrong)
    assert await batch.unknown() == unknown


async def test_an_assigned_object_is_read_and_waited_for(batch: Batch, sandbox: Sandbox) -> None:
    sandbox.faults.add(CREATE, lose=True)
    await run(batch, rows(1))
    assigned = await batch.assign("row-0", id="assistant-1")
    assert assigned.result is not None
    assert (assigned.state, assigned.result["title"], assigned.assigned) == ("created", "row-0", True)
    items = await run(batch, rows(1), until={"title": "row-0"})
    assert (items["row-0"].state, items["row-0"].reason) == ("settled", "matched")


@pytest.mark.parametrize("runs_before", [False, True])
async def test_an_object_that_was_assigned_by_mistake_is_taken_back(
    batch: Batch, sandbox: Sandbox, runs_before: bool
) -> None:
    sandbox.faults.add(CREATE, drop=True)
    await run(batch, rows(1))
    mistaken = sandbox.add_session(title="of somebody else")
    await batch.assign("row-0", id=mistaken)
    if runs_before:
        await run(batch, rows(1))
    with pytest.raises(InvalidArgumentError, match="first take its object back"):
        await batch.forget("row-0")
    with pytest.raises(InvalidArgumentError, match="first take its object back"):
        await batch.assign("row-0", id="assistant-2")
    item = await batch.unassign("row-0")
    assert (item.state, item.id, item.result, item.assigned) == ("unknown", None, None, False)
    assert mistaken in str(item.error)
    await batch.forget("row-0")
    assert (await run(batch, rows(1)))["row-0"].id != mistaken


async def test_only_what_was_assigned_is_taken_back(batch: Batch, sandbox: Sandbox) -> None:
    items = await run(batch, rows(1))
    with pytest.raises(InvalidArgumentError, match="is settled, and no object was assigned to it"):
        await batch.unassign("row-0")
    assert [item async for item in batch.items()] == [*items.values()]
    sandbox.faults.add(CREATE, lose=True)
    await run(batch, rows(2))
    await batch.assign("row-1", id="assistant-2")
    await batch.release("row-1")
    with pytest.raises(InvalidArgumentError, match="row 'row-1' is released; only created or settled can be taken"):
        await batch.unassign("row-1")


async def test_an_id_is_not_read_if_the_caller_says_so(batch: Batch, sandbox: Sandbox) -> None:
    sandbox.faults.add(CREATE, drop=True)
    await run(batch, rows(1))
    sandbox.faults.add("organization.sessions.get", status=403)
    with pytest.raises(PermissionDeniedError):
        await batch.assign("row-0", id="assistant-9")
    assert (await batch.assign("row-0", id="assistant-9", check=False)).id == "assistant-9"


async def create(**members: Any) -> dict[str, Any]:
    return {"name": "one"}


async def test_an_object_without_an_id_stops_the_run_and_is_not_lost(sandbox: Sandbox, store: Path) -> None:
    batch = Batch(create, store=store, id="id", concurrency=1)
    with pytest.raises(InvalidArgumentError, match="must be non-empty text"):
        await run(batch, rows(3))
    assert [(item.key, item.result) for item in await batch.unknown()] == [("row-0", {"name": "one"})]
    with pytest.raises(InvalidArgumentError, match="'row-0' has an object, and would get a second one"):
        await batch.forget("row-0")


async def test_an_id_that_nothing_declares_must_be_named(store: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="pass Batch\\(..., id=\\)"):
        await run(Batch(create, store=store), rows(1))
    await Batch(create, store=store).assign("row-0", id="one")
    items = await run(Batch(create, store=store, id=lambda made: made["name"]), rows(1))
    assert items["row-0"].id == "one"


async def test_a_cancelled_run_keeps_the_outcome_of_what_was_sent(store: Path) -> None:
    sent = asyncio.Event()

    async def create(**members: Any) -> dict[str, Any]:
        sent.set()
        await asyncio.sleep(0.01)
        return {"id": "one"}

    batch = Batch(create, store=store, id="id")
    task = asyncio.create_task(run(batch, rows(1)))
    await sent.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [(item.state, item.id) async for item in batch.items()] == [("settled", "one")]


async def test_a_server_that_fails_on_every_request_ends_the_run(org: Any, sandbox: Sandbox, store: Path) -> None:
    sandbox.faults.add(CREATE, status=500, times=100)
    batch = Batch(org.sessions.create, store=store, concurrency=1)
    with pytest.raises(BatchStoppedError, match="the outcomes of 10 consecutive rows are unknown"):
        await run(batch, rows(50))
    assert len(await batch.unknown()) == 10
    sandbox.journal.expect(CREATE, times=10)


async def test_two_rows_never_get_the_same_object_of_a_reader(org: Any, sandbox: Sandbox, store: Path) -> None:
    sandbox.faults.add(CREATE, lose=True, times=5)
    await run(Batch(org.sessions.create, store=store), rows(5))

    together = asyncio.Barrier(5)

    async def find(key: str) -> Any:
        found = await finder(org)("row-0")
        await together.wait()
        return found

    items = await run(Batch(org.sessions.create, store=store, find=find), rows(5))
    assert sorted(item.state for item in items.values()) == ["settled", *["unknown"] * 4]
    assert sum("is the object of row" in str(item.error) for item in items.values()) == 4


async def test_rows_that_stay_unknown_do_not_end_a_later_run(org: Any, sandbox: Sandbox, store: Path) -> None:
    sandbox.faults.add(CREATE, lose=True, times=12, every=2)
    batch = Batch(org.sessions.create, store=store, concurrency=1)
    items = await run(batch, rows(24))
    lost = [row for row in rows(24) if items[row.id].state == "unknown"]
    assert len(await run(batch, lost)) == 12


@pytest.mark.parametrize(
    ("fault", "absent", "state", "attempts"),
    [
        ({"lose": True}, None, "settled", 1),
        ({"drop": True}, None, "unknown", 1),
        ({"drop": True}, NOT_SENT, "settled", 2),
        ({"drop": True}, ServerError("no", status=500), "unknown", 1),
    ],
)
async def test_a_reader_settles_what_it_finds_and_sends_again_only_what_it_is_sure_of(
    org: Any, sandbox: Sandbox, store: Path, fault: Any, absent: Any, state: str, attempts: int
) -> None:
    sandbox.faults.add(CREATE, **fault)
    items = await run(Batch(org.sessions.create, store=store, find=finder(org, absent)), rows(1))
    assert (items["row-0"].state, items["row-0"].attempts) == (state, attempts)
    sandbox.journal.expect(CREATE, times=attempts)


async def test_only_a_row_without_an_object_is_forgotten_and_sent_again(batch: Batch, sandbox: Sandbox) -> None:
    sandbox.faults.add(CREATE, drop=True)
    await run(batch, rows(1))
    await batch.forget("row-0")
    assert (await run(batch, rows(1)))["row-0"].state == "settled"
    with pytest.raises(InvalidArgumentError, match="row 'row-0' is settled"):
        await batch.forget("row-0")
    with pytest.raises(InvalidArgumentError, match="no row with the key 'row-9'"):
        await batch.forget("row-9")
