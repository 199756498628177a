"""The SQLite file of a batch: private, used by one at a time, and never taken for something else."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform_jobs import Batch, BatchItem, BatchStore, BatchStoreError, IdTakenError
from agent_session_platform_jobs.batch.store import CHUNK, SharedStore, SQLiteStore
from agent_session_platform_sandbox import Sandbox

from jobs_tests.batch.batches import CREATE, rows, run

ITEM = BatchItem(
    key="ä", state="settled", id="1", result={"a": [1, None]}, reason="gone", error="no", attempts=2, digest="d"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.sqlite"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SQLiteStore]:
    store = SQLiteStore(path)
    await store.open()
    yield store
    await store.close()


def test_it_is_a_store() -> None:
    assert isinstance(SQLiteStore("run.sqlite"), BatchStore)


async def test_a_row_comes_back_as_it_was(store: SQLiteStore) -> None:
    await store.write(ITEM)
    assert await store.read("ä") == ITEM


async def test_an_id_belongs_to_one_row(store: SQLiteStore) -> None:
    await store.write(ITEM)
    with pytest.raises(IdTakenError, match="1 is the object of row 'ä'"):
        await store.write(BatchItem(key="b", id="1"))
    assert [item async for item in store.items()] == [ITEM]


async def test_it_belongs_to_what_it_was_bound_to_first(path: Path) -> None:
    bound: list[str] = []
    for each in ("one", "two"):
        store = SQLiteStore(path)
        await store.open()
        bound.append(await store.bind(each))
        await store.close()
    assert bound == ["one", "one"]


async def test_a_store_of_an_earlier_release_is_bound_by_its_next_run(path: Path) -> None:
    store = SQLiteStore(path)
    await store.open()
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE target")
    await store.open()
    assert await store.bind("one") == "one"
    await store.close()


async def test_a_row_that_was_delivered_stays_as_it_is(store: SQLiteStore) -> None:
    await store.write(ITEM)
    await store.deliver("ä")
    read = await store.read("ä")
    assert (read, read and read.delivered) == (ITEM, True)


async def test_each_commit_is_on_the_disk_before_it_returns(store: SQLiteStore) -> None:
    [(synchronous,)] = await store._call(lambda: list(store._opened.execute("PRAGMA synchronous")))
    # FULL: https://sqlite.org/pragma.html#pragma_synchronous
    assert synchronous == 2


@pytest.mark.parametrize("name", [":memory:", "run.sqlite"])
async def test_every_name_is_a_file_of_the_directory_in_which_it_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    store = SQLiteStore(name)
    monkeypatch.chdir(tmp_path.parent)
    for each in ("a", "b"):
        await store.open()
        await store.write(BatchItem(key=each))
        await store.close()
    await store.open()
    assert [item.key async for item in store.items()] == ["a", "b"]
    await store.close()
    assert (tmp_path / name).stat().st_size


async def test_a_close_that_is_cancelled_before_it_begins_closes_the_file(store: SQLiteStore, path: Path) -> None:
    begun, goes_on = threading.Event(), threading.Event()

    def hold() -> None:
        begun.set()
        goes_on.wait(10)

    held = asyncio.ensure_future(store._call(hold))
    await asyncio.to_thread(begun.wait)
    closing = asyncio.create_task(store.close())
    for _ in range(2):
        await asyncio.sleep(0)
        closing.cancel()
    goes_on.set()
    with pytest.raises(asyncio.CancelledError):
        await closing
    await held
    again = SQLiteStore(path)
    await again.open()
    await again.close()


async def test_a_store_that_is_not_open_is_named(path: Path) -> None:
    with pytest.raises(BatchStoreError, match=r"run\.sqlite' is not open; call its open\(\) first"):
        await SQLiteStore(path).read("a")


async def test_a_user_that_is_cancelled_while_it_waits_to_leave_closes_the_store(path: Path) -> None:
    shared = SharedStore(SQLiteStore(path))
    await shared.__aenter__()
    async with shared._lock:
        leaving = asyncio.create_task(shared.__aexit__())
        await asyncio.sleep(0)
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
    await until_it_opens(path)


async def until_it_opens(path: Path) -> None:
    async with asyncio.timeout(10):
        while True:
            store = SQLiteStore(path)
            try:
                await store.open()
                break
            except BatchStoreError:
                await asyncio.sleep(0.01)
    await store.close()


async def test_a_row_is_written_over_and_removed(store: SQLiteStore) -> None:
    await store.write(ITEM)
    await store.write(BatchItem(key="ä"))
    assert await store.read("ä") == BatchItem(key="ä")
    await store.remove("ä")
    assert await store.read("ä") is None


async def test_rows_are_listed_by_state_in_chunks(store: SQLiteStore) -> None:
    for number in range(CHUNK + 2):
        await store.write(BatchItem(key=f"{number:04}", state="failed" if number % 2 else "unknown"))
    failed = [item.key async for item in store.items("failed")]
    assert failed == [f"{number:04}" for number in range(1, CHUNK + 2, 2)]
    assert len([item async for item in store.items()]) == CHUNK + 2


async def test_a_row_is_taken_once_until_the_store_is_opened_again(path: Path) -> None:
    store = SQLiteStore(path)
    taken = []
    for _ in range(2):
        await store.open()
        taken += [await store.take("a"), await store.take("a"), await store.take("b")]
        await store.close()
    assert taken == [True, False, True] * 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
async def test_only_its_owner_may_read_it(store: SQLiteStore, path: Path) -> None:
    await store.write(ITEM)
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}
    assert modes.keys() > {path.name}
    assert set(modes.values()) == {0o600}


async def test_a_second_batch_is_refused_while_it_is_open(store: SQLiteStore, path: Path) -> None:
    with pytest.raises(BatchStoreError, match="another batch uses it"):
        await SQLiteStore(path).open()
    # The refused one has not taken the lock away.
    assert "another batch uses it" in opened_elsewhere(path)


def opened_elsewhere(path: Path) -> str:
    program = (
        "import asyncio, sys\n"
        "from agent_session_platform_jobs.batch.store import SQLiteStore\n"
        "asyncio.run(SQLiteStore(sys.argv[1]).open())\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False)
    return done.stderr


async def test_it_can_be_opened_again_when_it_was_closed(path: Path) -> None:
    for _ in range(2):
        store = SQLiteStore(path)
        await store.open()
        await store.close()
    assert opened_elsewhere(path) == ""


async def test_the_file_of_another_program_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE notes (text TEXT)")
    with pytest.raises(BatchStoreError, match="not a store of a batch"):
        await SQLiteStore(path).open()


async def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_text("key,state\n" * 100)
    with pytest.raises(BatchStoreError, match="not a store of a batch"):
        await SQLiteStore(path).open()
    assert path.read_text().startswith("key,state")


async def test_a_store_of_a_later_version_is_refused(path: Path) -> None:
    store = SQLiteStore(path)
    await store.open()
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(BatchStoreError, match="of version 99, and this release of the SDK reads version 2"):
        await SQLiteStore(path).open()


async def test_a_folder_and_a_link_are_refused(path: Path) -> None:
    with pytest.raises(BatchStoreError, match="a directory"):
        await SQLiteStore(path.parent).open()
    path.symlink_to(path.parent / "elsewhere")
    with pytest.raises(BatchStoreError, match="a symbolic link"):
        await SQLiteStore(path).open()


async def test_a_folder_that_does_not_exist_is_named(path: Path) -> None:
    with pytest.raises(BatchStoreError, match="missing"):
        await SQLiteStore(path.parent / "missing" / "run.sqlite").open()


async def test_a_read_only_store_sends_nothing(org: Any, sandbox: Sandbox, path: Path) -> None:
    class ReadOnly(SQLiteStore):
        def _open(self) -> None:
            super()._open()
            self._opened.execute("PRAGMA query_only = ON")

    with pytest.raises(BatchStoreError, match="read-only"):
        await run(Batch(org.sessions.create, store=ReadOnly(path)), rows(1))
    assert len(sandbox.journal) == 0


async def test_a_full_disk_ends_the_run_and_loses_nothing(org: Any, sandbox: Sandbox, path: Path) -> None:
    class Small(SQLiteStore):
        def _open(self) -> None:
            super()._open()
            self._opened.execute("PRAGMA max_page_count = 8")

    with pytest.raises(BatchStoreError, match="the disk is full"):
        await run(Batch(org.sessions.create, store=Small(path), concurrency=1), rows(200))
    sent = len(sandbox.journal.of(CREATE))
    assert 0 < sent < 200
    batch = Batch(org.sessions.create, store=path)
    states = [item.state async for item in batch.items()]
    # Of at most one row it is not known how its request ended.
    assert states.count("settled") >= sent - 1
    assert states.count("sending") == sent - states.count("settled")


async def test_it_keeps_no_arguments(org: Any, path: Path) -> None:
    secret = "a-secret-of-the-caller"
    batch = Batch(org.sessions.create, store=path)
    _ = [
        item
        async for item in batch.run(
            [1], key=int, arguments=lambda _: {"session_secrets": [{"name": "n", "value": secret}]}
        )
    ]
    for file in path.parent.iterdir():
        assert secret.encode() not in file.read_bytes()


def test_the_store_of_a_killed_process_opens(path: Path) -> None:
    program = (
        "import asyncio, os, signal, sys\n"
        "from agent_session_platform_jobs import BatchItem\n"
        "from agent_session_platform_jobs.batch.store import SQLiteStore\n"
        "async def main():\n"
        "    store = SQLiteStore(sys.argv[1])\n"
        "    await store.open()\n"
        "    await store.write(BatchItem(key='a', state='sending'))\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=False)

    async def read() -> BatchItem | None:
        store = SQLiteStore(path)
        await store.open()
        found = await store.read("a")
        await store.close()
        return found

    assert asyncio.run(read()) == BatchItem(key="a", state="sending")
