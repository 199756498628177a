"""The file of a job: a file of another job, program or version is refused, and stays as it is."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Awaitable, Callable
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


PATHS: dict[str, Callable[[Any], Awaitable[object]]] = {
    "store": lambda path: Batch(print, store=path).unknown(),  # type: ignore[arg-type]
    "path": lambda path: export(one, path),
    "state": lambda path: export(one, "list.jsonl", state=path),
    "state of changes": lambda path: anext(changes(one, state=path)),
}


@pytest.mark.parametrize("argument", PATHS)
@pytest.mark.parametrize("path", ["", "folder/", "nul\0", b"", 5, None])
async def test_a_path_that_names_no_file_is_refused(argument: str, path: Any) -> None:
    if (argument, path) == ("state", None):
        return
    with pytest.raises(InvalidArgumentError, match=f"{argument.split()[0]} must be the path of a file, not "):
        await PATHS[argument](path)


@pytest.mark.parametrize("job", JOBS)
async def test_a_name_that_is_too_long_for_sqlite_is_refused_and_not_created(tmp_path: Path, job: Any) -> None:
    await job(tmp_path / ("x" * 247))
    with pytest.raises((BatchStoreError, OSError), match="name too long"):
        await job(tmp_path / ("y" * 248))
    assert not list(tmp_path.glob("y*"))


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize("is_folder", [False, True])
async def test_a_file_that_cannot_be_written_is_called_read_only(
    tmp_path: Path, job: Any, is_folder: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may write everything, so the answers of the operating system are those of a file system without writing."""
    path = tmp_path / "file"
    if not is_folder:
        await job(path)
    create = os.open

    def refuse(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        if is_folder and flags & os.O_CREAT and os.path.basename(path) == "file":
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
        return create(path, flags, *rest, **named)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        patch.setattr(os, "access", lambda *_, **__: False)
        with pytest.raises((BatchStoreError, OSError)) as caught:
            await job(path)
    assert str(path) in str(caught.value)
    wanted = "its folder is read-only, so no file can be created; allow" if is_folder else "it is read-only; allow"
    assert wanted in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everything")
@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize(("name", "mode"), [("file", 0o400), (".", 0o500)])
async def test_permissions_that_forbid_writing_are_called_read_only(
    tmp_path: Path, job: Any, name: str, mode: int
) -> None:
    await job(tmp_path / "file")
    (tmp_path / name).chmod(mode)
    try:
        with pytest.raises((BatchStoreError, OSError), match="is read-only"):
            await job(tmp_path / "file")
    finally:
        (tmp_path / name).chmod(0o700)


@pytest.mark.parametrize("job", JOBS)
async def test_a_file_of_another_version_is_refused(tmp_path: Path, job: Any) -> None:
    await job(tmp_path / "file")
    with closing(sqlite3.connect(tmp_path / "file")) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises((BatchStoreError, InvalidArgumentError), match="is of version 99, and this release reads"):
        await job(tmp_path / "file")
