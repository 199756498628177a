"""A batch: every row once, each in its state, and the errors that stop it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from agent_session_platform import AuthenticationError, ConfigurationError, InvalidArgumentError, Outcome, operations
from agent_session_platform_jobs import Batch, States, any_of
from agent_session_platform_sandbox import Sandbox

from jobs_tests.batch.batches import CREATE, Row, arguments, key, rows, run, titles, waiter


async def test_every_row_is_created_once_and_then_comes_from_the_store(org: Any, sandbox: Sandbox, store: Path) -> None:
    first = await run(Batch(org.sessions.create, store=store), rows(50))
    assert {item.state for item in first.values()} == {"settled"}
    assert titles(sandbox) == sorted(first)
    assert [item.id for item in first.values()] == [item.result["session_id"] for item in first.values() if item.result]
    before = sandbox.journal.last
    assert await run(Batch(org.sessions.create, store=store), rows(50)) == first
    assert sandbox.journal.last == before


async def test_a_row_that_no_run_has_delivered_is_not_left_out(batch: Batch) -> None:
    seen: set[str] = set()
    for wanted in (3, 3, 12):
        async with aclosing(batch.run(rows(12), key=key, arguments=arguments, include_earlier=False)) as items:
            count = 0
            async for item in items:
                seen.add(item.key)
                count += 1
                if count == wanted:
                    break
    assert len(seen) == 12
    assert await run(batch, rows(12), include_earlier=False) == {}


async def test_a_row_that_fails_again_is_delivered_again(batch: Batch, sandbox: Sandbox) -> None:
    sandbox.faults.add(CREATE, status=422, times=2)
    await run(batch, rows(1))
    async with aclosing(batch.run(rows(1), key=key, arguments=arguments, retry_failed=True)) as items:
        await anext(items)
    assert list(await run(batch, rows(1), include_earlier=False)) == ["row-0"]


async def test_a_row_that_was_settled_without_a_wait_is_waited_for_later(org: Any, store: Path) -> None:
    await run(Batch(org.sessions.create, store=store), rows(1))
    batch = Batch(org.sessions.create, store=store, wait=waiter(org))
    items = await run(batch, rows(1), until={"status": "running"})
    assert (items["row-0"].state, items["row-0"].reason) == ("settled", "matched")


@pytest.mark.parametrize(
    "until", [States(done={"status": "running"}), any_of({"status": "ready"}, {"status": "running"})]
)
async def test_a_row_waits_for_states_and_for_one_of_several_conditions(batch: Batch, until: Any) -> None:
    items = await run(batch, rows(1), until=until)
    assert (items["row-0"].state, items["row-0"].reason) == ("settled", "matched")


async def test_a_row_waits_for_the_states_that_the_contract_names(
    batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = cast("dict[str, Any]", operations["organization.sessions.get"].states)
    monkeypatch.setitem(states, "done", {"status": ["running"]})
    items = await run(batch, rows(1), until="states")
    assert items["row-0"].reason == "matched"


async def test_the_wait_of_the_resource_is_used(org: Any, store: Path) -> None:
    class Things:
        async def create(self, **members: Any) -> dict[str, Any]:
            return {"id": members["title"]}

        async def wait(self, id: str, **options: Any) -> Outcome[Any]:
            return Outcome(reason="unexpected", last={"id": id, **options}, elapsed=0.0, polls=1)

    batch = Batch(partial(Things().create, more=1), store=store, id="id")
    conditions = {"until": {"a": "u"}, "unexpected": {"a": "x"}}
    items = await run(batch, rows(1), **conditions, wait_timeout=5, every=2)
    assert items["row-0"].result == {"id": "row-0", **conditions, "timeout": 5, "every": 2}
    assert items["row-0"].reason == "unexpected"


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


async def test_a_key_that_comes_twice_is_refused_and_not_sent_again(batch: Batch, sandbox: Sandbox) -> None:
    with pytest.raises(InvalidArgumentError, match="two rows have the key 'row-0'"):
        await run(batch, [*rows(2), *rows(1)])
    assert titles(sandbox) == ["row-0", "row-1"]


async def test_other_arguments_for_a_row_that_was_sent_are_refused(org: Any, sandbox: Sandbox, store: Path) -> None:
    await run(Batch(org.sessions.create, store=store), [Row("a", "one")])
    with pytest.raises(InvalidArgumentError, match="row 'a' differ"):
        await run(Batch(org.sessions.create, store=store), [Row("a", "two")])
    await run(Batch(org.sessions.create, store=store), [Row("a", "two")], allow_changed=True)
    sandbox.journal.expect(CREATE, times=1)


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


async def test_a_second_run_at_once_is_refused(batch: Batch) -> None:
    async with aclosing(batch.run(rows(3), key=key, arguments=arguments)) as items:
        await anext(items)
        with pytest.raises(ConfigurationError, match="under way"):
            await run(batch, rows(3))


async def test_a_wait_that_ran_out_of_time_is_waited_for_again(batch: Batch, sandbox: Sandbox) -> None:
    for until, timeout, expected in (("done", 0.05, ("created", "deadline")), ("running", 60, ("settled", "matched"))):
        items = await run(batch, rows(1), until={"status": until}, every=0.01, wait_timeout=timeout)
        assert (items["row-0"].state, items["row-0"].reason) == expected
    sandbox.journal.expect(CREATE, times=1)


async def test_rows_may_be_an_async_iterable_and_keys_whole_numbers(org: Any, store: Path) -> None:
    async def source() -> AsyncIterator[int]:
        for number in range(3):
            yield number

    items = await run(Batch(org.sessions.create, store=store), source(), key=int, arguments=lambda _: {})
    assert sorted(items) == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        *(({"key": lambda _, key=key: key}, "key must return") for key in ("", None, True, 1.5, "k\ud83d")),
        ({"arguments": lambda _: {"optons": "x"}}, "row '1': .* takes no argument 'optons'; did you mean"),
        ({"arguments": lambda _: {"title": {1: "a", "b": 2}}}, "the arguments of row '1' cannot be written as JSON"),
        ({"arguments": lambda _: {"title": {("a",): 1}}}, "the arguments of row '1' cannot be written as JSON"),
        ({"until": "states"}, "until='states' needs the states of your deployment"),
        ({"until": "done"}, "until must be a mapping of fields"),
        ({"unexpected": {"status": "x"}}, "unexpected ends a wait"),
        ({"patience": 0}, "patience must be a positive number of seconds, not 0"),
    ],
)
async def test_a_wrong_argument_is_refused_at_once(batch: Batch, sandbox: Sandbox, wrong: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        await run(batch, [1], **{"key": int, "arguments": lambda _: {}, **wrong})
    assert [item async for item in batch.items()] == []
    sandbox.journal.expect(CREATE, times=0)


def test_a_concurrency_of_nothing_is_refused(store: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="concurrency must be"):
        Batch(print, store=store, concurrency=0)


def test_until_is_refused_where_nothing_waits(store: Path) -> None:
    with pytest.raises(InvalidArgumentError, match=r"pass Batch\(..., wait=\)"):
        Batch(print, store=store).run([], key=key, arguments=arguments, until={"a": "b"})
