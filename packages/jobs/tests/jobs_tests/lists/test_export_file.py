"""The file of an export and its state: what else writes to them, and disks that fail."""

from __future__ import annotations

import asyncio
import errno
import os
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from io import FileIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError, RequestOptions
from agent_session_platform_jobs import export
from agent_session_platform_jobs.lists import export as export_module

from jobs_tests.lists.listing import read, run, sessions
from tests.servers.growing_list import GrowingList


def payloads(platform: AgentPlatform) -> Callable[..., Awaitable[Any]]:
    """Return a function that returns the payload of each page of a list. Its pages are not fetched ahead."""

    async def source(options: RequestOptions | None = None) -> Any:
        return (await platform.organization().audit_logs.list(options=options).first_page()).to_dict()

    return source


def edit(change: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(change(path.read_bytes()))


def replace_by_a_link(path: Path) -> None:
    path.symlink_to(path.rename(path.with_name("elsewhere")))


CHANGED = "was changed by something else.*remove it and the state"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (edit(lambda content: content.replace(b"assistant-3", b"assistant-9")), CHANGED),
        (edit(lambda content: content[:-5]), CHANGED),
        (edit(lambda content: b"x" + content), CHANGED),
        (edit(lambda content: content[20:]), CHANGED),
        (Path.unlink, "is missing, but the state says that"),
        (replace_by_a_link, "is a symbolic link"),
    ],
    ids=["edited", "cut", "longer at its beginning", "shorter at its beginning", "missing", "a link"],
)
async def test_a_changed_file_is_refused_and_left_as_it_is(change: Any, message: str, path: Path, state: Path) -> None:
    listing = GrowingList(sessions(1, 2, 3))
    await run(listing, path, state=state)
    change(path)
    before = path.read_bytes() if path.exists() else None
    with pytest.raises(InvalidArgumentError, match=message):
        await run(listing, path, state=state)
    assert (path.read_bytes() if path.exists() else None) == before


async def test_what_a_file_has_beyond_the_state_is_cut_off(path: Path, state: Path) -> None:
    listing = GrowingList(sessions(1, 2, 3))
    await run(listing, path, state=state)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"half')
    await run(listing, path, state=state)
    assert path.read_bytes() == whole


async def test_a_file_that_no_state_knows_is_refused(path: Path, state: Path) -> None:
    path.write_text("mine\n")
    with pytest.raises(InvalidArgumentError, match="exists, and the state does not know its lines"):
        await run(GrowingList(sessions(1)), path, state=state)
    assert path.read_text() == "mine\n"


async def test_one_export_uses_a_state_until_it_ends_or_is_cancelled(path: Path, state: Path) -> None:
    begun = asyncio.Event()

    async def source() -> Any:
        begun.set()
        await asyncio.Event().wait()

    first = asyncio.create_task(export(source, path, state=state))
    await begun.wait()
    with pytest.raises(BlockingIOError, match="another run uses it"):
        await export(source, path, state=state)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert (await run(GrowingList(sessions(1)), path, state=state)).written == 1


async def test_a_full_disk_leaves_whole_lines(path: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(FileIO):
        written = 0

        def write(self, content: Any) -> int:
            if self.written > 100:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            # An operating system may write only a part of the bytes.
            self.written += (count := super().write(content[:30]))
            return count

    listing = GrowingList(sessions(1, 2, 3, 4))
    with monkeypatch.context() as patch:
        patch.setattr(export_module, "FileIO", Full)
        with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
            await run(listing, path, state=state)
    assert read(path) == sessions(1, 2)
    await run(listing, path, state=state)
    assert read(path) == listing.items


async def test_a_state_that_is_moved_during_the_run_ends_it(path: Path, state: Path) -> None:
    class Moving(GrowingList):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            if self.requested:
                state.rename(state.with_name("moved"))
            return await super().handle_async_request(request)

    items = sessions(1, 2, 3, 4, 5)
    async with Moving(items).client() as platform:
        with pytest.raises(FileNotFoundError, match="was moved, deleted or replaced"):
            await export(payloads(platform), path, state=state)
    assert read(path) == sessions(1, 2)
    state.with_name("moved").rename(state)
    async with GrowingList(items).client() as platform:
        await export(payloads(platform), path, state=state)
    assert read(path) == items


@pytest.mark.parametrize("has_state", [True, False])
async def test_a_change_of_the_directory_changes_no_path(
    has_state: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    monkeypatch.chdir(here)

    async def source() -> list[int]:
        os.chdir(there)
        return [1]

    exported = await export(source, "list.jsonl", state="list.state" if has_state else None)
    assert exported.path == here / "list.jsonl"
    assert {each.name for each in here.iterdir()} == {"list.jsonl", *(["list.state"] if has_state else [])}
    assert not list(there.iterdir())


@pytest.mark.parametrize("has_state", [True, False])
@pytest.mark.parametrize("name", ["x" * 233, "x" * 234, "x" * 255, "ü" * 127])
async def test_a_name_may_be_as_long_as_the_file_system_allows(has_state: bool, name: str, path: Path) -> None:
    path, state = path.with_name(name), path.with_name("state") if has_state else None
    await run(GrowingList(sessions(1, 2, 3)), path, state=state)
    assert len(read(path)) == 3


async def test_a_folder_that_does_not_exist_is_named_with_the_file_of_the_caller(path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        await run(GrowingList(sessions(1)), path.parent / "missing" / "list.jsonl")
    assert caught.value.filename == str(path.parent / "missing" / "list.jsonl")


async def test_a_file_is_not_its_own_state(path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="path and state must be two files"):
        await run(GrowingList(sessions(1)), path, state=path)
    assert not path.exists()


KILLED = """
import asyncio, os, signal, sys
from agent_session_platform_jobs import export

async def source():
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(export(source, sys.argv[1]))
"""


def export_and_die(path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, path], check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
async def test_the_next_export_removes_what_a_killed_one_has_left_and_nothing_else(path: Path) -> None:
    others = {f"{path.name}.part", f"{path.name}.0123.part", f"other.{'0' * 16}.part"}
    for name in others:
        path.with_name(name).touch()
    export_and_die(path)
    [left] = {each.name for each in path.parent.iterdir()} - others
    assert left.startswith(f"{path.name}.")
    await run(GrowingList(sessions(1)), path)
    assert {each.name for each in path.parent.iterdir()} == {path.name, *others}


async def test_two_exports_of_one_file_do_not_disturb_each_other(path: Path) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slow() -> list[str]:
        begun.set()
        await go_on.wait()
        return ["slow"]

    first = asyncio.create_task(export(slow, path))
    await begun.wait()
    await run(GrowingList(sessions(1)), path)
    assert read(path) == sessions(1)
    go_on.set()
    await first
    assert read(path) == ["slow"]
    assert [each.name for each in path.parent.iterdir()] == [path.name]


async def test_the_disk_is_used_in_another_thread(path: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: set[int] = set()
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda descriptor: (threads.add(threading.get_ident()), fsync(descriptor))[1])
    await run(GrowingList(sessions(1, 2, 3)), path, state=state)
    assert len(threads) == 1
    assert threading.get_ident() not in threads
