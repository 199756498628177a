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
    Outcome,
)
from agent_session_platform_jobs import Batch
from agent_session_platform_sandbox import Sandbox

from jobs_tests.batch.batches import CREATE, Row, arguments, key, rows, run, titles, waiter

pytestmark = pytest.mark.asyncio


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


async def test_a_row_that_no_run_has_delivered_is_not_left_out(org: Any, store: Path) -> None:
    seen: set[str] = set()
    for wanted in (3, 3, 12):
        batch = Batch(org.sessions.create, store=store)
        async with aclosing(batch.run(rows(12), key=key, arguments=arguments, include_earlier=False)) as items:
            count = 0
            async for item in items:
                seen.add(item.key)
                count += 1
                if count == wanted:
                    break
    assert len(seen) == 12
    assert await run(Batch(org.sessions.create, store=store), rows(12), include_earlier=False) == {}


async def test_a_row_that_fails_again_is_delivered_again(org: Any, sandbox: Sandbox, store: Path) -> None:
    sandbox.faults.add(CREATE, status=422, times=2)
    batch = Batch(org.sessions.create, store=store)
    await run(batch, rows(1))
    async with aclosing(batch.run(rows(1), key=key, arguments=arguments, retry_failed=True)) as items:
        await anext(items)
    assert list(await run(batch, rows(1), include_earlier=False)) == ["row-0"]


async def test_a_row_that_was_settled_without_a_wait_is_waited_for_later(org: Any, store: Path) -> None:
    await run(Batch(org.sessions.create, store=store), rows(1))
    batch = Batch(org.sessions.create, store=store, wait=waiter(org))
    items = await run(batch, rows(1), until={"status": "running"})
    assert (items["row-0"].state, items["row-0"].reason) == ("settled", "matched")


async def test_rows_are_waited_for(org: Any, store: Path) -> None:
    batch = Batch(org.sessions.create, store=store, wait=waiter(org))
    items = await run(batch, rows(3), until={"status": "running"})
    assert {(item.state, item.reason) for item in items.values()} == {("settled", "matched")}


async def test_sessions_are_waited_for_as_they_declare(org: Any, store: Path) -> None:
    items = await run(Batch(org.sessions.create, store=store), rows(3), until={"status": "running"}, every=0.01)
    assert {(item.state, item.reason) for item in items.values()} == {("settled", "matched")}


async def test_a_deadline_of_sessions_leaves_them_created(org: Any, store: Path) -> None:
    batch = Batch(org.sessions.create, store=store)
    items = await run(batch, rows(1), until={"status": "done"}, every=0.01, wait_timeout=0.05)
    assert (items["row-0"].state, items["row-0"].reason) == ("created", "deadline")


async def test_the_wait_of_the_resource_is_used(org: Any, store: Path) -> None:
    class Things:
        async def create(self, **members: Any) -> dict[str, Any]:
            return {"id": members["title"]}

        async def wait(self, id: str, *, until: Any, unexpected: Any, timeout: float, every: float) -> Outcome[Any]:
            last = {"id": id, "until": until, "unexpected": unexpected, "timeout": timeout, "every": every}
            return Outcome(reason="unexpected", last=last, elapsed=0.0, polls=1)

    batch = Batch(partial(Things().create, more=1), store=store, id="id")
    items = await run(batch, rows(1), until={"a": "u"}, unexpected={"a": "x"}, wait_timeout=5, every=2)
    assert items["row-0"].result == {
        "id": "row-0",
        "until": {"a": "u"},
        "unexpected": {"a": "x"},
        "timeout": 5,
        "every": 2,
    }
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


async def test_a_wrong_until_is_refused_before_anything_is_created(org: Any, store: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="until must be values by field"):
        Batch(org.sessions.create, store=store).run([], key=key, arguments=arguments, until="done")  # type: ignore[arg-type]
    assert not store.exists()


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
        return {"id": members["title"]}

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


@pytest.mark.parametrize("wrong", ["", None, True, 1.5, "k\ud83d"])
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
    with pytest.raises(
        InvalidArgumentError, match="row '1': organization.sessions.create takes no argument 'optons'; did"
    ):
        _ = [item async for item in batch.run([1], key=int, arguments=lambda _: {"optons": "x"})]
    assert [item.state async for item in batch.items()] == []


@pytest.mark.parametrize("wrong", [{1: "a", "b": 2}, {("a",): 1}])
async def test_arguments_that_have_no_order_are_refused_with_their_key(store: Path, wrong: Any) -> None:
    async def create(**members: Any) -> Any: ...

    batch = Batch(create, store=store)
    with pytest.raises(InvalidArgumentError, match="the arguments of row '1' cannot be written as JSON"):
        _ = [item async for item in batch.run([1], key=int, arguments=lambda _: {"x": wrong})]


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
        if members["title"] == "row-1":
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


async def test_a_second_run_at_once_is_refused(org: Any, store: Path) -> None:
    batch = Batch(org.sessions.create, store=store)
    async with aclosing(batch.run(rows(3), key=key, arguments=arguments)) as items:
        await anext(items)
        with pytest.raises(ConfigurationError, match="under way"):
            await run(batch, rows(3))


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
