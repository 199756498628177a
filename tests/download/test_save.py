"""A file is saved only where a regular file is or may be, and whole or not at all."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError

from tests.servers.fault_server import fault_server
from tests.servers.scripts import response

CONTENT = b"content"


async def save(path: Any, **options: Any) -> None:
    """Save the file."""
    async with fault_server(response(CONTENT)) as server, server.client() as platform:
        try:
            await platform.organization().attachments.download("uuid", "name").save(path, **options)
        finally:
            assert platform.rate_limiter.stats().in_flight == 0


def make_socket(path: Path) -> None:
    """Make a socket."""
    with socket.socket(socket.AF_UNIX) as bound:
        os.chdir(path.parent)
        bound.bind(path.name)


NO_FILES: dict[str, Callable[[Path], Any]] = {
    "FIFO": os.mkfifo,
    "directory": os.mkdir,
    "socket": make_socket,
    "link to a file": lambda path: path.symlink_to(__file__),
    "dangling link": lambda path: path.symlink_to(path.with_name("nothing")),
    "link to a device": lambda path: path.symlink_to("/dev/null"),
}


@pytest.mark.parametrize("make", NO_FILES.values(), ids=NO_FILES)
async def test_only_a_regular_file_is_replaced(make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    target = tmp_path / "target"
    make(target)
    before, names = os.lstat(target), set(tmp_path.iterdir())
    async with fault_server(response(CONTENT)) as server, server.client() as platform:
        with pytest.raises(InvalidArgumentError, match="path must be a regular file or a new one, but '.*target' is a"):
            await platform.organization().attachments.download("uuid", "name").save(target)
        assert server.requests == []
    assert os.path.samestat(os.lstat(target), before)
    assert set(tmp_path.iterdir()) == names


@pytest.mark.parametrize("path", ["/dev/null", "", 7, None, ["x"], "a\0b", "half of a pair \ud800"])
async def test_what_is_no_path_of_a_file_is_a_value_error(
    path: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="path must be|null byte|surrogates"):
        await save(path)
    assert list(tmp_path.iterdir()) == []


async def test_a_path_may_be_bytes(tmp_path: Path) -> None:
    await save(os.fsencode(tmp_path / "ä"))
    assert (tmp_path / "ä").read_bytes() == CONTENT
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
async def test_a_new_file_has_the_permissions_that_open_would_give(umask: int, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        await save(tmp_path / "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o666 & ~umask


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o666, 0o400])
async def test_a_file_that_is_replaced_keeps_its_permissions(mode: int, tmp_path: Path) -> None:
    target = tmp_path / "old"
    target.write_bytes(b"old")
    target.chmod(mode)
    await save(target)
    assert target.read_bytes() == CONTENT
    assert stat.S_IMODE(target.stat().st_mode) == mode


async def test_another_name_of_the_same_file_keeps_its_content(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"old")
    os.link(tmp_path / "x", tmp_path / "other")
    await save(tmp_path / "x", resume=True)
    assert ((tmp_path / "x").read_bytes(), (tmp_path / "other").read_bytes()) == (CONTENT, b"old")


async def test_a_missing_directory_is_an_os_error_before_anything_is_sent(tmp_path: Path) -> None:
    async with fault_server(response(CONTENT)) as server, server.client() as platform:
        with pytest.raises(FileNotFoundError):
            await platform.organization().attachments.download("uuid", "name").save(tmp_path / "no" / "x")
        assert server.requests == []


def full(*_: Any) -> None:
    """Fail as a full disk does."""
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("step", ["fsync", "replace"])
async def test_a_full_disk_is_an_os_error_and_leaves_nothing(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x").write_bytes(b"old")
    monkeypatch.setattr(os, step, full)
    with pytest.raises(OSError, match="No space left"):
        await save(tmp_path / "x")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


async def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    fsync, replace = os.fsync, os.replace

    def note_sync(descriptor: int) -> None:
        steps.append("sync")
        fsync(descriptor)

    def note_replace(source: Any, target: Any) -> None:
        steps.append(f"rename of {os.path.getsize(source)} bytes")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_replace)
    await save(tmp_path / "x")
    assert steps == ["sync", f"rename of {len(CONTENT)} bytes"]


async def test_a_file_may_have_the_longest_name(tmp_path: Path) -> None:
    await save(tmp_path / ("x" * 255))
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [CONTENT]


async def test_an_error_of_the_checksum_leaves_nothing(tmp_path: Path) -> None:
    def fail(chunk: bytes) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await save(tmp_path / "x", checksum=fail)
    assert list(tmp_path.iterdir()) == []


async def test_two_downloads_to_one_path_do_not_disturb_each_other(tmp_path: Path) -> None:
    async with fault_server(response(CONTENT)) as server, server.client() as platform:
        download = platform.organization().attachments.download("uuid", "name")
        sizes = await asyncio.gather(*(download.save(tmp_path / "x", resume=True) for _ in range(5)))
    assert sizes == [len(CONTENT)] * 5
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [CONTENT]
