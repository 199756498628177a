"""The file of a job: a file of another job, program or version is refused, and stays as it is."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError
from agent_session_platform_jobs import Batch, BatchStoreError, changes, export


async def one() -> list[int]:
    return [1]


async def a_batch(path: Path) -> None:
    await Batch(print, store=path).unknown()  # type: ignore[arg-type]


async def an_export(path: Path) -> None:
    await export(one, path.with_name("list.jsonl"), state=path)


async def some_changes(path: Path) -> None:
    _ = [change async for change in changes(one, state=path)]


async def another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE facts (name TEXT)")


async def no_database(path: Path) -> None:
    path.write_text("key,state\n" * 100)


async def a_link(path: Path) -> None:
    path.symlink_to(path.parent / "elsewhere")


async def a_folder(path: Path) -> None:
    path.mkdir()


JOBS = {a_batch: "the store of a batch", an_export: "the state of an export", some_changes: "the state of changes"}
OTHERS = {
    **dict.fromkeys((*JOBS, another_program), "is not {}; name another file"),
    no_database: "is damaged or is not {} ",
    a_link: "is a symbolic link",
    a_folder: "is a directory",
}


@pytest.mark.parametrize("make", OTHERS)
@pytest.mark.parametrize("job", JOBS)
async def test_a_file_of_another_kind_is_refused_and_left_as_it_is(tmp_path: Path, job: Any, make: Any) -> None:
    if job is make:
        return
    path = tmp_path / "file"
    await make(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises((BatchStoreError, InvalidArgumentError), match=OTHERS[make].format(JOBS[job])):
        await job(path)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("job", JOBS)
async def test_a_file_of_another_version_is_refused(tmp_path: Path, job: Any) -> None:
    await job(tmp_path / "file")
    with closing(sqlite3.connect(tmp_path / "file")) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises((BatchStoreError, InvalidArgumentError), match="is of version 99, and this release reads"):
        await job(tmp_path / "file")
