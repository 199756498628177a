"""A process that is killed at any moment loses nothing, and the next run writes nothing twice."""

from __future__ import annotations

import os
import shutil
from contextlib import aclosing
from pathlib import Path

import pytest
from agent_session_platform_jobs import changes, export

from jobs_tests.lists.listing import messages, read, sessions
from tests.servers.growing_list import GrowingList

ITEMS = [*sessions(1, 2, 3), *messages("a", "a"), *sessions(4, 5)]


async def export_to(folder: Path, listing: GrowingList) -> int:
    """Export a list whose pages are not fetched ahead, and return how many lines its file has."""
    async with listing.client() as platform:
        source, state = platform.organization().audit_logs.list, folder / "list.state"
        return (await export(source, folder / "list.jsonl", state=state, key="session_id")).lines


async def test_an_export_that_is_killed_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is killed leaves the files as they are at that moment: a copy of them is continued."""
    running, fsync, copies = tmp_path / "running", os.fsync, list[Path]()

    def copy() -> None:
        copies.append(tmp_path / str(len(copies)))
        shutil.copytree(running, copies[-1])

    def copying(descriptor: int) -> None:
        copy()
        # Copy the file as if its last lines were written only in part.
        os.truncate(copies[-1] / "list.jsonl", os.fstat(descriptor).st_size - 20)
        copy()
        fsync(descriptor)
        copy()

    running.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", copying)
        await export_to(running, GrowingList(ITEMS))
    assert len(copies) == 4 * 3
    for killed in copies:
        assert await export_to(killed, GrowingList(ITEMS)) == len(ITEMS)
        assert read(killed / "list.jsonl") == ITEMS


@pytest.mark.parametrize(("number", "known"), [(4, 2), (5, 4)])
async def test_no_change_is_lost_when_the_process_is_killed(number: int, known: int, tmp_path: Path) -> None:
    running, killed = tmp_path / "running", tmp_path / "killed"
    running.mkdir()
    async with GrowingList(ITEMS).client() as platform:
        source = platform.organization().sessions.list
        async with aclosing(changes(source, state=running / "list.state")) as found:
            for _ in range(number):
                await anext(found)
            shutil.copytree(running, killed)
        again = [change.after async for change in changes(source, state=killed / "list.state")]
    assert again == ITEMS[known:]
