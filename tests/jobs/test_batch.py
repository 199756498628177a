"""A batch: every row once, each in its state, and the errors that stop it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import (
    AuthenticationError,
    ClientClosedError,
    ConfigurationError,
    InvalidArgumentError,
    NotFoundError,
    RequestOptions,
    RetryPolicy,
)
from agent_session_platform.jobs import NOT_SENT, Batch, Outcome
from agent_session_platform.sandbox import Sandbox

from tests.jobs.batches import CREATE, Row, arguments, finder, key, rows, run, titles, waiter

pytestmark = pytest.mark.asyncio


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "run.sqlite"


async def test_every_row_is_created_once_and_settled(org: Any, sandbox: Sandbox, store: Path) -> None:
    items = await run(Batch(org.sessions.create, store=store), rows(50))
    assert {item.state for item in items.values()} == {"settled"}
    assert titles(sandbox) == sorted(items)
    assert [item.id for item in items.values()] == [item.result["session_id"] for item in items.values() if item.result]


async def test_a_second_run_yields_the_same_without_a_request(org: Any, sandbox: Sandbox, store: Path) -> None:
    first = await run(Batch(org.sessions.create, store=store), rows(5))
    before = sandbox.journal.last
    assert await run(Batch(org.sessions.create, store=store), rows(5)) == first
    assert sandbox.journal.last == before


async def test_what_an_earlier_run_settled_can_be_left_out(org: Any, store: Path) -> None:
    await run(Batch(org.sessions.create, store=store), rows(3))
    assert list(await run(Batch(org.sessions.create, store=store), rows(5), include_earlier=False)) == [
        "row-3",
        "row-4",
    ]


async def test_rows_are_waited_for(org: Any, store: Path) -> None:
    batch = Batch(org.sessions.create, store=store, wait=waiter(org))
    items = await run(batch, rows(3), until={"status": "running"})
    assert {(item.state, item.reason) for item in items.values()} == {("settled", "matched")}


async def test_the_wait_of_the_resource_is_used(org: Any, store: Path) -> None:
    class Things:
        async def create(self, **members: Any) -> dict[str, Any]:
            return {"id": members["extra_body"]["title"]}

        async def wait(self, id: str, *, until: Any, unexpected: Any, timeout: float, every: float) -> Outcome[Any]:
            last = {"id": id, "until": until, "unexpected": unexpected, "timeout": timeout, "every": every}
            return Outcome(reason="unexpected", last=last, elapsed=0.0, polls=1)

    batch = Batch(partial(Things().create, more=1), store=store, id="id")
    items = await run(batch, rows(1), until="u", unexpected="x", wait_timeout=5, every=2)
    assert items["row-0"].result == {"id": "row-0", "until": "u", "unexpected": "x", "timeout": 5, "every": 2}
    assert items["row-0"].reason == "unexpected"


async def test_a_wait_that_ran_out_of_time_is_waited_for_again(org: Any, sandbox: Sandbox, store: Path) -> None:
    async def late(id: str, **options: Any) -> Outcome[Any]:
        return Outcome(reason="deadline", last=None, elapsed=0.0, polls=0)

    items = await run(Batch(org.sessions.create, store=store, wait=late), rows(1), until={"status": "running"})
    assert (items["row-0"].state, items["row-0"].reason) == ("created", "deadline")
    items = await run(Batch(org.sessions.create, store=store, wait=waiter(org)), rows(1), until={"status": "running"})
    assert (items["row-0"].state, items["row-0"].reason) == ("settled", "matched")
    sandbox.journal.expect(CREATE, times=1)


async def test_until_without_a_wait_says_what_to_pass(store: Path) -> None:
    async def create(**members: Any) -> Any: ...

    with pytest.raises(InvalidArgumentError, match="pass Batch\\(..., wait=\\)"):
        Batch(create, store=store).run([], key=key, arguments=arguments, until={"status": "done"})


async def test_at_most_so_many_rows_are_in_flight(store: Path) -> None:
    now = most = 0
    full = asyncio.Event()

    async def create(**members: Any) -> dict[str, Any]:
        nonlocal now, most
        now += 1
        most = max(most, now)
        if now == 7:
            full.set()
        await full.wait()
        await asyncio.sleep(0.001)
        now -= 1
        return {"id": members["extra_body"]["title"]}

    await run(Batch(create, store=store, concurrency=7, id="id"), rows(40))
    assert most == 7


async def test_rows_are_taken_as_places_become_free(org: Any, store: Path) -> None:
    taken = 0

    def endless() -> Iterator[Row]:
        nonlocal taken
        while True:
            taken += 1
            yield Row(f"row-{taken}")

    batch = Batch(org.sessions.create, store=store, concurrency=3)
    async with aclosing(batch.run(endless(), key=key, arguments=arguments)) as items:
        seen = [await anext(items) for _ in range(10)]
    assert taken <= len(seen) + 3 + 1


async def test_rows_may_be_an_async_iterable(org: Any, store: Path) -> None:
    async def source() -> AsyncIterator[Row]:
        for row in rows(3):
            yield row

    assert len(await run(Batch(org.sessions.create, store=store), source())) == 3


async def test_a_key_that_comes_twice_is_refused_before_it_is_sent_again(
    org: Any, sandbox: Sandbox, store: Path
) -> None:
    with pytest.raises(InvalidArgumentError, match="'row-0' twice"):
        await run(Batch(org.sessions.create, store=store), [*rows(2), *rows(1)])
    assert titles(sandbox) == ["row-0", "row-1"]


@pytest.mark.parametrize("wrong", ["", None, True, 1.5])
async def test_a_key_is_text_or_a_whole_number(org: Any, store: Path, wrong: Any) -> None:
    batch = Batch(org.sessions.create, store=store)
    with pytest.raises(InvalidArgumentError, match="key must return"):
        _ = [item async for item in batch.run([1], key=lambda _: wrong, arguments=lambda _: {})]


async def test_a_whole_number_is_a_key(org: Any, store: Path) -> None:
    batch = Batch(org.sessions.create, store=store)
    assert [item.key async for item in batch.run([7], key=int, arguments=lambda _: {})] == ["7"]


async def test_other_arguments_for_a_row_that_was_sent_are_refused(org: Any, sandbox: Sandbox, store: Path) -> None:
    await run(Batch(org.sessions.create, store=store), [Row("a", "one")])
    with pytest.raises(InvalidArgumentError, match="row 'a' are others"):
        await run(Batch(org.sessions.create, store=store), [Row("a", "two")])
    await run(Batch(org.sessions.create, store=store), [Row("a", "two")], allow_changed=True)
    sandbox.journal.expect(CREATE, times=1)


async def test_arguments_that_create_does_not_take_are_refused_before_anything_is_sent(org: Any, store: Path) -> None:
    batch = Batch(org.sessions.create, store=store)
    with pytest.raises(InvalidArgumentError, match="row '1': got an unexpected keyword argument 'promt'"):
        _ = [item async for item in batch.run([1], key=int, arguments=lambda _: {"promt": "x"})]
    assert [item.state async for item in batch.items()] == []


async def test_a_refused_row_fails_and_the_others_go_on(org: Any, sandbox: Sandbox, store: Path) -> None:
    sandbox.faults.add(CREATE, status=422, body={"detail": "no prompt"})
    items = await run(Batch(org.sessions.create, store=store, concurrency=1), rows(3))
    assert [item.state for item in items.values()] == ["failed", "settled", "settled"]
    assert "no prompt" in str(items["row-0"].error)
    again = await run(Batch(org.sessions.create, store=store), rows(3))
    assert again["row-0"].state == "failed"
    retried = await run(Batch(org.sessions.create, store=store), rows(3), retry_failed=True)
    assert (retried["row-0"].state, retried["row-0"].attempts) == ("settled", 2)
    assert len(titles(sandbox)) == 3


async def test_an_error_that_concerns_all_rows_stops_the_run(org: Any, sandbox: Sandbox, store: Path) -> None:
    sandbox.faults.add(CREATE, status=401, times=None)
    batch = Batch(org.sessions.create, store=store, concurrency=4)
    with pytest.raises(AuthenticationError):
        await run(batch, rows(100))
    assert len(sandbox.journal) <= 5
    assert {item.state async for item in batch.items()} == {"planned"}
    sandbox.faults.clear()
    assert len(await run(batch, rows(100))) == len(titles(sandbox)) == 100


async def test_a_run_with_a_closed_client_stops(sandbox: Sandbox, store: Path) -> None:
    async with sandbox.client() as platform:
        create = platform.organization().sessions.create
    with pytest.raises(ClientClosedError):
        await run(Batch(create, store=store), rows(3))


async def test_rows_in_flight_settle_before_the_error_is_raised(store: Path) -> None:
    release = asyncio.Event()

    async def create(**members: Any) -> dict[str, Any]:
        if members["extra_body"]["title"] == "row-1":
            release.set()
            raise ConfigurationError("no more")
        await release.wait()
        await asyncio.sleep(0.01)
        return {"id": "one"}

    batch = Batch(create, store=store, concurrency=2, id="id")
    items = batch.run(rows(5), key=key, arguments=arguments)
    assert (await anext(items)).key == "row-0"
    with pytest.raises(ConfigurationError):
        await anext(items)


@pytest.mark.parametrize("fault", [{"lose": True}, {"status": 500}, {"html": True}])
async def test_an_unknown_outcome_is_never_sent_again_by_guess(
    org: Any, sandbox: Sandbox, store: Path, fault: Any
) -> None:
    sandbox.faults.add(CREATE, **fault)
    batch = Batch(org.sessions.create, store=store, concurrency=1)
    items = await run(batch, rows(2))
    assert [item.state for item in items.values()] == ["unknown", "settled"]
    assert (await run(batch, rows(2)))["row-0"].state == "unknown"
    sandbox.journal.expect(CREATE, times=2)
    assert [item.key for item in await batch.unknown()] == ["row-0"]


async def test_a_reader_finds_the_object_of_an_unknown_outcome(org: Any, sandbox: Sandbox, store: Path) -> None:
    sandbox.faults.add(CREATE, lose=True)
    items = await run(Batch(org.sessions.create, store=store, find=finder(org)), rows(3))
    assert {item.state for item in items.values()} == {"settled"}
    assert titles(sandbox) == ["row-0", "row-1", "row-2"]


async def test_a_row_that_the_reader_does_not_find_stays_unknown(org: Any, sandbox: Sandbox, store: Path) -> None:
    sandbox.faults.add(CREATE, drop=True)
    items = await run(Batch(org.sessions.create, store=store, find=finder(org)), rows(1))
    assert items["row-0"].state == "unknown"
    sandbox.journal.expect(CREATE, times=1)


async def test_a_reader_that_is_sure_has_it_sent_again(org: Any, sandbox: Sandbox, store: Path) -> None:
    sandbox.faults.add(CREATE, drop=True)
    items = await run(Batch(org.sessions.create, store=store, find=finder(org, NOT_SENT)), rows(1))
    assert (items["row-0"].state, items["row-0"].attempts) == ("settled", 2)
    assert titles(sandbox) == ["row-0"]


async def test_a_reader_that_finds_the_object_of_another_row_is_not_believed(
    org: Any, sandbox: Sandbox, store: Path
) -> None:
    batch = Batch(org.sessions.create, store=store, concurrency=1, find=lambda _: finder(org)("row-0"))
    await run(batch, rows(1))
    sandbox.faults.add(CREATE, drop=True)
    items = await run(batch, rows(2))
    assert items["row-1"].state == "unknown"
    assert "which is the object of row 'row-0'" in str(items["row-1"].error)


async def test_a_reader_that_fails_leaves_the_row_unknown(org: Any, sandbox: Sandbox, store: Path) -> None:
    sandbox.faults.add(CREATE, drop=True)
    sandbox.faults.add("organization.sessions.list", status=404)
    items = await run(Batch(org.sessions.create, store=store, find=finder(org)), rows(1))
    assert items["row-0"].state == "unknown"


async def test_an_unknown_row_is_settled_by_hand(org: Any, sandbox: Sandbox, store: Path) -> None:
    sandbox.faults.add(CREATE, lose=True)
    batch = Batch(org.sessions.create, store=store)
    await run(batch, rows(2))
    [unknown] = await batch.unknown()
    found = await finder(org)(unknown.key)
    [other] = [item async for item in batch.items("settled")]
    with pytest.raises(InvalidArgumentError, match=f"is the object of row '{other.key}'"):
        await batch.settle(unknown.key, id=str(other.id))
    await batch.settle(unknown.key, id=found.session_id)
    assert {item.state for item in (await run(batch, rows(2))).values()} == {"settled"}
    sandbox.journal.expect(CREATE, times=2)


async def test_a_forgotten_row_is_sent_in_the_next_run(org: Any, sandbox: Sandbox, store: Path) -> None:
    sandbox.faults.add(CREATE, drop=True)
    batch = Batch(org.sessions.create, store=store)
    await run(batch, rows(1))
    await batch.forget("row-0")
    assert (await run(batch, rows(1)))["row-0"].state == "settled"


async def test_a_row_with_an_object_is_not_forgotten(org: Any, store: Path) -> None:
    batch = Batch(org.sessions.create, store=store)
    await run(batch, rows(1))
    with pytest.raises(InvalidArgumentError, match="row 'row-0' is settled"):
        await batch.forget("row-0")
    with pytest.raises(InvalidArgumentError, match="no row 'row-9'"):
        await batch.forget("row-9")


async def test_an_object_without_an_id_stops_the_run_and_is_not_lost(sandbox: Sandbox, store: Path) -> None:
    async def create(**members: Any) -> dict[str, Any]:
        return {"name": "one"}

    batch = Batch(create, store=store, id="id", concurrency=1)
    with pytest.raises(InvalidArgumentError, match="no text as its id"):
        await run(batch, rows(3))
    assert [(item.key, item.result) for item in await batch.unknown()] == [("row-0", {"name": "one"})]


async def test_an_id_that_nothing_declares_must_be_named(store: Path) -> None:
    async def create(**members: Any) -> dict[str, Any]:
        return {"name": "one"}

    with pytest.raises(InvalidArgumentError, match="pass Batch\\(..., id=\\)"):
        await run(Batch(create, store=store), rows(1))
    await Batch(create, store=store).forget("row-0")
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


async def test_a_second_run_at_once_is_refused(org: Any, store: Path) -> None:
    batch = Batch(org.sessions.create, store=store)
    async with aclosing(batch.run(rows(3), key=key, arguments=arguments)) as items:
        await anext(items)
        with pytest.raises(ConfigurationError, match="under way"):
            await run(batch, rows(3))


async def test_a_lost_call_that_the_client_may_not_repeat_is_not_repeated_by_the_batch(
    org: Any, sandbox: Sandbox, store: Path
) -> None:
    sandbox.faults.add(CREATE, lose=True, times=None)
    options = RequestOptions(retry=RetryPolicy(attempts=5))
    batch = Batch(partial(org.sessions.create, options=options), store=store)
    await run(batch, rows(3))
    await run(batch, rows(3))
    assert len(titles(sandbox)) == 3


async def test_an_object_is_released_when_it_is_asked_for(org: Any, sandbox: Sandbox, store: Path) -> None:
    batch = Batch(org.sessions.create, store=store, release=org.sessions.archive)
    async for item in batch.run(rows(2), key=key, arguments=arguments):
        if item.key == "row-0":
            assert (await batch.release(item)).state == "released"
    assert [(await org.sessions.get(str(item.id))).is_archived async for item in batch.items()] == [True, False]
    assert (await batch.release("row-0")).state == "released"
    sandbox.journal.expect("organization.sessions.archive", times=1)


async def test_a_release_of_unknown_outcome_is_tried_again(org: Any, sandbox: Sandbox, store: Path) -> None:
    batch = Batch(org.sessions.create, store=store, release=org.sessions.archive)
    await run(batch, rows(1))
    sandbox.faults.add("organization.sessions.archive", lose=True)
    with pytest.raises(Exception, match="may have been carried out"):
        await batch.release("row-0")
    assert [item.state async for item in batch.items()] == ["releasing"]
    sandbox.faults.add("organization.sessions.archive", status=404)
    assert (await batch.release("row-0")).state == "released"


async def test_a_refused_release_leaves_the_row_as_it_was(org: Any, sandbox: Sandbox, store: Path) -> None:
    batch = Batch(org.sessions.create, store=store, release=org.sessions.archive)
    await run(batch, rows(1))
    sandbox.faults.add("organization.sessions.archive", status=404)
    with pytest.raises(NotFoundError):
        await batch.release("row-0")
    assert [item.state async for item in batch.items()] == ["settled"]


async def test_nothing_is_released_that_the_batch_did_not_create(org: Any, sandbox: Sandbox, store: Path) -> None:
    batch = Batch(org.sessions.create, store=store, release=org.sessions.archive)
    sandbox.faults.add(CREATE, status=422)
    await run(batch, rows(1))
    for wrong, told in (("row-0", "is failed"), ("assistant-1", "no row")):
        with pytest.raises(InvalidArgumentError, match=told):
            await batch.release(wrong)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"concurrency": 0}, "concurrency must be"),
        ({"store": 3}, "store must be"),
        ({"find": "title"}, "find must be"),
    ],
)
async def test_a_wrong_setting_is_refused(org: Any, store: Path, settings: Any, told: str) -> None:
    with pytest.raises(InvalidArgumentError, match=told):
        Batch(org.sessions.create, **{"store": store, **settings})
