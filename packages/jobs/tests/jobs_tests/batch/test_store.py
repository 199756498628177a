"""The store of a batch has one server, one organization and one method. One run at a time uses its SQLite file."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing, closing
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError
from agent_session_platform_jobs import Batch, BatchItem, BatchStoreError, IdTakenError
from agent_session_platform_jobs.batch.store import SQLiteStore
from agent_session_platform_jobs.database import CHUNK
from agent_session_platform_sandbox import Sandbox

from jobs_tests.batch.batches import CREATE, arguments, key, rows, run

ITEM = BatchItem(
    key="ä", state="settled", id="1", result={"a": [1, None]}, reason="gone", error="no", attempts=2, digest="d"
)
READER = """
import asyncio, sys
from agent_session_platform_jobs import Batch
asyncio.run(Batch(print, store=sys.argv[1]).unknown())
"""
TARGET = "organization.sessions.create(org_id='org-acme')"


@pytest.fixture
async def opened(store: Path) -> AsyncIterator[SQLiteStore]:
    opened = SQLiteStore(store)
    await opened.open()
    yield opened
    await opened.close()


async def test_a_row_comes_back_as_it_was_and_an_id_belongs_to_one_row(opened: SQLiteStore) -> None:
    await opened.write(ITEM)
    assert await opened.read("ä") == ITEM
    with pytest.raises(IdTakenError, match="1 is the object of row 'ä'"):
        await opened.write(BatchItem(key="b", id="1"))
    assert [item async for item in opened.items()] == [ITEM]
    await opened.deliver("ä")
    assert [item.delivered async for item in opened.items()] == [True]
    await opened.write(BatchItem(key="ä"))
    assert await opened.read("ä") == BatchItem(key="ä")
    await opened.remove("ä")
    assert await opened.read("ä") is None


async def test_what_is_written_together_fails_alone(opened: SQLiteStore) -> None:
    written = [opened.write(BatchItem(key=str(number), id="1" if number in (3, 7) else None)) for number in range(20)]
    ends = await asyncio.gather(*written, return_exceptions=True)
    assert [index for index, end in enumerate(ends) if isinstance(end, IdTakenError)] == [7]
    assert len([item async for item in opened.items()]) == 19


async def test_rows_are_listed_by_state_in_chunks(opened: SQLiteStore) -> None:
    for number in range(CHUNK + 2):
        await opened.write(BatchItem(key=f"{number:04}", state="failed" if number % 2 else "unknown"))
    failed = [item.key async for item in opened.items("failed")]
    assert failed == [f"{number:04}" for number in range(1, CHUNK + 2, 2)]
    assert len([item async for item in opened.items()]) == CHUNK + 2


async def test_a_store_that_was_made_before_objects_could_be_taken_back_is_used(org: Any, store: Path) -> None:
    first = await run(Batch(org.sessions.create, store=store), rows(2))
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("ALTER TABLE rows DROP COLUMN assigned")
    assert await run(Batch(org.sessions.create, store=store), rows(2)) == first


async def test_the_target_of_a_store_is_told(org: Any, sandbox: Sandbox, store: Path) -> None:
    assert await Batch(print, store=store).target() is None  # type: ignore[arg-type]
    await run(Batch(org.sessions.create, store=store), rows(1))
    assert await Batch(print, store=store).target() == f"{TARGET} at {sandbox.base_url}"  # type: ignore[arg-type]


class Name(str, Enum):  # noqa: UP042  # the text of a StrEnum is its value already
    ROW = "row-0"


async def test_a_key_that_is_a_member_of_an_enum_is_its_value(org: Any, store: Path) -> None:
    batch = Batch(org.sessions.create, store=store)
    [item] = [each async for each in batch.run([1], key=lambda _: Name.ROW, arguments=lambda _: {"title": "x"})]
    assert (item.key, type(item.key)) == ("row-0", str)
    assert [each.key async for each in batch.items()] == ["row-0"]


@pytest.mark.parametrize("name", [":memory:", "run.sqlite"])
async def test_every_name_is_a_file_of_the_directory_in_which_it_was_named(
    org: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    batch = Batch(org.sessions.create, store=name)
    monkeypatch.chdir(tmp_path.parent)
    first = await run(batch, rows(2))
    assert {item.key: item async for item in batch.items()} == first
    assert (tmp_path / name).stat().st_size


async def test_one_batch_uses_a_store_and_only_its_owner_reads_it(batch: Batch, org: Any, store: Path) -> None:
    def elsewhere() -> str:
        """Read the store in another process, and return its error."""
        return subprocess.run([sys.executable, "-c", READER, store], capture_output=True, text=True).stderr

    async with aclosing(batch.run(rows(2), key=key, arguments=arguments)) as items:
        await anext(items)
        with pytest.raises(BatchStoreError, match="another run uses it"):
            await Batch(org.sessions.create, store=store).unknown()
        # The refused run has not removed the lock.
        assert "another run uses it" in elsewhere()
        modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in store.parent.iterdir()}
        assert modes.keys() > {store.name}
        assert sys.platform == "win32" or set(modes.values()) == {0o600}
    assert elsewhere() == ""


async def test_a_folder_that_does_not_exist_is_named(store: Path) -> None:
    with pytest.raises(BatchStoreError, match=r"missing/run\.sqlite': No such file"):
        await Batch(print, store=store.parent / "missing" / "run.sqlite").unknown()


@pytest.mark.parametrize(
    ("pragma", "message", "least"), [("query_only = ON", "read-only", 0), ("max_page_count = 9", "the disk is full", 1)]
)
async def test_a_disk_that_fails_ends_the_run_and_loses_nothing(
    org: Any, sandbox: Sandbox, store: Path, pragma: str, message: str, least: int
) -> None:
    class Failing(SQLiteStore):
        async def open(self) -> None:
            await super().open()
            # Set the pragma outside of a transaction.
            await self.database.run(lambda: self.database.execute(f"PRAGMA {pragma}"))

    with pytest.raises(BatchStoreError, match=message):
        await run(Batch(org.sessions.create, store=Failing(store), concurrency=1), rows(200))
    sent = len(sandbox.journal.of(CREATE))
    assert least <= sent < 200 * least + 1
    states = [item.state async for item in Batch(org.sessions.create, store=store).items()]
    # For at most one row, it is unknown how its request ended.
    assert states.count("settled") >= sent - 1
    assert states.count("sending") == sent - states.count("settled")


async def test_a_store_keeps_no_arguments(org: Any, store: Path) -> None:
    secret = "a-secret-of-the-caller"
    given = {"session_secrets": [{"name": "n", "value": secret}]}
    await run(Batch(org.sessions.create, store=store), rows(1), arguments=lambda _: given)
    for file in store.parent.iterdir():
        assert secret.encode() not in file.read_bytes()


async def test_a_store_of_another_target_is_refused(platform: Any, org: Any, sandbox: Sandbox, store: Path) -> None:
    first = await run(Batch(org.sessions.create, store=store), rows(1))
    wanted = f"belongs to {TARGET} at {sandbox.base_url}, and this batch creates with {TARGET} at https://other.test"
    async with sandbox.client(base_url="https://other.test", transport=sandbox.transport()) as other:
        with pytest.raises(InvalidArgumentError, match=re.escape(wanted)):
            await run(Batch(other.organization("org-acme").sessions.create, store=store), rows(1))
    with pytest.raises(InvalidArgumentError, match=re.escape("create(org_id='org-globex') at ")):
        await Batch(platform.organization("org-globex").sessions.create, store=store).unknown()
    assert await run(Batch(org.sessions.create, store=store), rows(1)) == first

    async def create(**arguments: Any) -> Any:
        return await org.sessions.create(**arguments)

    # A function of the caller does not tell in which organization it creates objects.
    assert await run(Batch(create, store=store, id="session_id"), rows(1)) == first
