"""The file of an export and its state: what else writes to them, and disks that fail."""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
import threading
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError
from agent_session_platform_jobs import export
from agent_session_platform_jobs.lists import export as export_module
from agent_session_platform_jobs.lists.export import ExportFile

from jobs_tests.lists.listing import Listing, sessions


async def run(listing: Listing, path: Path, state: Path | None) -> Any:
    async with listing.client() as platform:
        return await export(platform.organization().sessions.list, path, state=state)


def edit(content: bytes) -> bytes:
    return content.replace(b"assistant-3", b"assistant-9")


@pytest.mark.parametrize(
    "change",
    [edit, lambda content: content[:-5], lambda content: b"x" + content, lambda content: content[20:]],
    ids=["edited", "cut", "longer at its beginning", "shorter at its beginning"],
)
async def test_a_file_that_was_changed_is_refused(change: Callable[[bytes], bytes], path: Path, state: Path) -> None:
    listing = Listing(sessions(1, 2, 3))
    await run(listing, path, state)
    changed = change(path.read_bytes())
    path.write_bytes(changed)
    with pytest.raises(InvalidArgumentError, match="was changed by something else.*remove it and the state"):
        await run(listing, path, state)
    assert path.read_bytes() == changed


async def test_what_a_file_has_beyond_the_state_is_cut_off(path: Path, state: Path) -> None:
    listing = Listing(sessions(1, 2, 3))
    await run(listing, path, state)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"half')
    await run(listing, path, state)
    assert path.read_bytes() == whole


async def test_a_file_that_is_missing_is_refused(path: Path, state: Path) -> None:
    listing = Listing(sessions(1))
    await run(listing, path, state)
    size = path.stat().st_size
    path.unlink()
    with pytest.raises(InvalidArgumentError, match=f"is missing, but the state says that {size} bytes"):
        await run(listing, path, state)
    assert not path.exists()


async def test_a_file_that_no_state_knows_is_refused(path: Path, state: Path) -> None:
    path.write_text("mine\n")
    with pytest.raises(InvalidArgumentError, match="exists, and the state does not know its lines"):
        await run(Listing(sessions(1)), path, state)
    assert path.read_text() == "mine\n"


async def test_a_symbolic_link_is_refused(path: Path, state: Path, tmp_path: Path) -> None:
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InvalidArgumentError, match="is a symbolic link"):
        await run(Listing(sessions(1)), path, state)
    assert not (tmp_path / "elsewhere").exists()


async def test_two_exports_with_one_state_are_refused(path: Path, state: Path) -> None:
    held = asyncio.Event()
    release = asyncio.Event()

    async def source() -> Any:
        held.set()
        await release.wait()
        return [1]

    first = asyncio.create_task(export(source, path, state=state))
    await held.wait()
    with pytest.raises(BlockingIOError, match="another run uses it"):
        await export(source, path, state=state)
    release.set()
    assert (await first).written == 1


@pytest.mark.parametrize("has_state", [True, False])
async def test_a_full_disk_leaves_whole_lines(
    has_state: bool, path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(FileIO):
        written = 0

        def write(self, content: Any) -> int:
            if self.written > 100:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            # A system may write a part only.
            self.written += (count := super().write(content[:30]))
            return count

    listing = Listing(sessions(1, 2, 3, 4))
    monkeypatch.setattr(export_module, "FileIO", Full)
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        await run(listing, path, state if has_state else None)
    monkeypatch.undo()
    assert path.exists() is has_state
    if has_state:
        assert path.read_text().count("\n") == 2
        assert path.read_bytes().endswith(b"\n")
    await run(listing, path, state if has_state else None)
    assert path.read_text().count("\n") == 4


@pytest.mark.parametrize("deleted", [False, True])
async def test_a_state_that_cannot_be_written_leaves_the_lines_before(
    path: Path, state: Path, monkeypatch: pytest.MonkeyPatch, deleted: bool
) -> None:
    take, pages = ExportFile.take, 0

    def failing(self: ExportFile, *arguments: Any) -> None:
        nonlocal pages
        pages += 1
        take(self, *arguments)
        if pages == 2 and deleted:
            state.rename(state.with_name("moved"))
        elif pages == 2:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error

    listing = Listing(sessions(1, 2, 3, 4, 5))
    monkeypatch.setattr(ExportFile, "take", failing)
    with pytest.raises(OSError, match="was moved, deleted or replaced" if deleted else "the disk is full") as raised:
        await run(listing, path, state)
    assert raised.value.errno == (errno.ENOENT if deleted else errno.ENOSPC)
    assert path.read_text().count("\n") == 2
    if deleted:
        state.with_name("moved").rename(state)
    await run(listing, path, state)
    assert path.read_text().count("\n") == 5


async def test_the_disk_is_never_used_in_the_thread_of_the_event_loop(
    path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: set[int] = set()
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda descriptor: (threads.add(threading.get_ident()), fsync(descriptor))[1])
    await run(Listing(sessions(1, 2, 3)), path, state)
    assert len(threads) == 1
    assert threading.get_ident() not in threads


async def test_a_cancelled_export_frees_the_state(path: Path, state: Path) -> None:
    begun = asyncio.Event()

    async def source() -> Any:
        begun.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(export(source, path, state=state))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await run(Listing(sessions(1)), path, state)).written == 1
