"""A file is saved only where a regular file is or may be, and whole or not at all."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError
from agent_session_platform.download.part_file import PartFile

from tests.servers.fault_server import fault_server
from tests.servers.scripts import response

CONTENT = b"content"


async def save(path: Any, **options: Any) -> int:
    """Save the file; return how many requests were sent."""
    async with fault_server(response(CONTENT)) as server, server.client() as platform:
        try:
            await platform.organization().attachments.download("uuid", "name").save(path, **options)
        finally:
            sent = len(server.requests)
            assert platform.rate_limiter.stats().in_flight == 0
    return sent


def make_fifo(path: Path) -> None:
    """Make a FIFO."""
    os.mkfifo(path)


def make_directory(path: Path) -> None:
    """Make a directory."""
    path.mkdir()


def make_socket(path: Path) -> None:
    """Make a socket."""
    with socket.socket(socket.AF_UNIX) as bound:
        os.chdir(path.parent)
        bound.bind(path.name)


def link_to_file(path: Path) -> None:
    """Make a link to a regular file."""
    path.with_name("other").write_bytes(b"other")
    path.symlink_to(path.with_name("other"))


def dangling_link(path: Path) -> None:
    """Make a link to nothing."""
    path.symlink_to(path.with_name("nothing"))


def link_to_device(path: Path) -> None:
    """Make a link to a device."""
    path.symlink_to("/dev/null")


MAKERS = [make_fifo, make_directory, make_socket, link_to_file, dangling_link, link_to_device]


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("make", MAKERS)
async def test_only_a_regular_file_is_replaced(
    make: Any, resume: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    target = tmp_path / "target"
    make(target)
    before, names = os.lstat(target), set(tmp_path.iterdir())
    async with fault_server(response(CONTENT)) as server, server.client() as platform:
        with pytest.raises(InvalidArgumentError, match="path must be a regular file or a new one, but"):
            await platform.organization().attachments.download("uuid", "name").save(target, resume=resume)
        assert server.requests == []
    assert os.path.samestat(os.lstat(target), before)
    assert set(tmp_path.iterdir()) == names


async def test_a_device_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="is a device or a socket"):
        await save("/dev/null")


@pytest.mark.parametrize("path", ["", 7, None, "a\0b", "half \ud800\udc00 of a pair"[:6] + "\ud800", ["x"]])
async def test_what_is_no_path_is_refused(path: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidArgumentError, match="path must be"):
        await save(path)
    assert list(tmp_path.iterdir()) == []


async def test_a_path_may_be_bytes_and_its_name_long(tmp_path: Path) -> None:
    target = os.fsencode(tmp_path / ("ä" * 127))
    assert await save(target) == 1
    assert Path(os.fsdecode(target)).read_bytes() == CONTENT
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
async def test_a_new_file_has_the_permissions_that_open_would_give(umask: int, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        await save(tmp_path / "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o666 & ~umask


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o666, 0o400])
async def test_a_file_that_is_replaced_keeps_its_permissions(mode: int, resume: bool, tmp_path: Path) -> None:
    target = tmp_path / "old"
    target.write_bytes(b"old")
    target.chmod(mode)
    await save(target, resume=resume)
    assert target.read_bytes() == CONTENT
    assert stat.S_IMODE(target.stat().st_mode) == mode


async def test_a_missing_directory_is_an_os_error_before_anything_is_sent(tmp_path: Path) -> None:
    async with fault_server(response(CONTENT)) as server, server.client() as platform:
        with pytest.raises(FileNotFoundError):
            await platform.organization().attachments.download("uuid", "name").save(tmp_path / "no" / "x")
        assert server.requests == []


def full(*_: Any) -> None:
    """Fail as a full disk does."""
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("step", ["write", "flush", "finish"])
async def test_a_full_disk_is_an_os_error_and_leaves_nothing(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x").write_bytes(b"old")
    monkeypatch.setattr(PartFile, step, full)
    with pytest.raises(OSError, match="No space left"):
        await save(tmp_path / "x")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


@pytest.mark.parametrize("resume", [False, True])
async def test_a_file_is_on_the_disk_before_it_has_its_name_and_the_name_afterwards(
    resume: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    fsync, replace = os.fsync, os.replace

    def note_sync(descriptor: int) -> None:
        steps.append("directory" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        fsync(descriptor)

    def note_replace(source: Any, target: Any) -> None:
        steps.append("rename")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_replace)
    await save(tmp_path / "x", resume=resume)
    assert steps == ["file", "rename", "directory"]


async def test_a_cancelled_save_lets_the_step_on_the_disk_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It uses the file that is closed then."""
    begun, goes_on, ended = threading.Event(), threading.Event(), threading.Event()

    def slow(part: PartFile) -> None:
        begun.set()
        goes_on.wait(10)
        part.write(b"")
        ended.set()

    monkeypatch.setattr(PartFile, "flush", slow)
    task = asyncio.ensure_future(save(tmp_path / "x"))
    await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    done, _ = await asyncio.wait((task,), timeout=0.05)
    assert not done
    goes_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()
    assert list(tmp_path.iterdir()) == []


async def test_an_error_of_the_checksum_leaves_nothing(tmp_path: Path) -> None:
    def fail(chunk: bytes) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await save(tmp_path / "x", checksum=fail)
    assert list(tmp_path.iterdir()) == []


async def test_what_comes_into_the_way_of_a_download_is_not_replaced(tmp_path: Path) -> None:
    def get_in_the_way(chunk: bytes) -> None:
        (tmp_path / "x").mkdir()

    with pytest.raises(InvalidArgumentError, match="is a directory"):
        await save(tmp_path / "x", checksum=get_in_the_way)
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


@pytest.mark.parametrize("make", MAKERS)
async def test_a_part_is_a_regular_file(make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever may write to the directory could put a link there."""
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "x.part")
    with pytest.raises(InvalidArgumentError, match="the part of path must be a regular file"):
        await save(tmp_path / "x", resume=True)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("make", [make_fifo, link_to_file, make_socket])
async def test_a_state_is_never_written_through_a_link(
    make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "x.part.json")
    with pytest.raises(InvalidArgumentError, match="the state of the part must be a regular file"):
        await save(tmp_path / "x", resume=True)
    assert not (tmp_path / "x.part").exists()
