"""A process that is killed at any moment loses nothing, and the next run writes nothing twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from agent_session_platform_jobs import changes, export

from jobs_tests.lists.listing import Listing, messages, sessions

ITEMS = [*sessions(1, 2, 3), *messages("a", "a"), *sessions(4, 5)]

# Runs an export that kills itself: the place, the number of the call there, and the arguments of the export.
PROGRAM = """
import asyncio, os, signal, sys
from functools import partial
from agent_session_platform_jobs import changes, export
from agent_session_platform_jobs.lists.export import LineFile
from agent_session_platform_jobs.lists.state_file import StateFile
from jobs_tests.lists.listing import Listing
from jobs_tests.lists.test_crashes import ITEMS

place, number, path, state = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
calls = 0

def due():
    global calls
    calls += 1
    return calls == number

def die():
    os.kill(os.getpid(), signal.SIGKILL)

append, commit = LineFile.append, StateFile.commit

def crashing_append(self, lines):
    now = due()
    if now and place == "before the lines":
        die()
    if now and place == "in the lines":
        content = b"".join(lines)
        self._file.write(content[: len(content) // 2 + 3])
        die()
    append(self, lines)
    if now and place == "after the lines":
        die()

def crashing_commit(self):
    now = due()
    if now and place == "before the commit":
        die()
    commit(self)
    if now and place == "after the commit":
        die()

if place.endswith("lines"):
    LineFile.append = crashing_append
else:
    StateFile.commit = crashing_commit

async def main():
    async with Listing(ITEMS).client() as platform:
        if path:
            await export(platform.organization().sessions.list, path, state=state)
            return
        async for change in changes(platform.organization().sessions.list, state=state):
            print(change.key, flush=True)

asyncio.run(main())
"""


def run_and_die(place: str, number: int, path: Path | str, state: Path) -> str:
    command = [sys.executable, "-c", PROGRAM, place, str(number), str(path), str(state)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    return ended.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize(
    "place", ["before the lines", "in the lines", "after the lines", "before the commit", "after the commit"]
)
async def test_an_export_that_is_killed_is_continued(place: str, number: int, tmp_path: Path) -> None:
    path, state = tmp_path / "list.jsonl", tmp_path / "list.state"
    # The first three commits are of the tables, the empty file and the first page.
    run_and_die(place, number + 2 if place.endswith("commit") else number, path, state)
    async with Listing(ITEMS).client() as platform:
        exported = await export(platform.organization().sessions.list, path, state=state)
    assert [json.loads(line) for line in path.read_text().splitlines()] == ITEMS
    assert exported.lines == len(ITEMS)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("number", [1, 2])
async def test_an_export_that_is_killed_at_its_start_is_continued(number: int, tmp_path: Path) -> None:
    path, state = tmp_path / "list.jsonl", tmp_path / "list.state"
    run_and_die("before the commit", number, path, state)
    async with Listing(ITEMS).client() as platform:
        await export(partial(platform.organization().sessions.list), path, state=state)
    assert [json.loads(line) for line in path.read_text().splitlines()] == ITEMS


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("place", ["before the commit", "after the commit"])
async def test_no_change_is_lost_when_the_process_is_killed(place: str, tmp_path: Path) -> None:
    state = tmp_path / "list.state"
    # The first two commits are of the tables and the scan, the next ones of a page each.
    delivered = run_and_die(place, 4, "", state).split()
    async with Listing(ITEMS).client() as platform:
        again = [str(each.key) async for each in changes(platform.organization().sessions.list, state=state)]
    keys = [str(each.get("session_id")) for each in ITEMS]
    assert len(delivered) == 4
    assert (again, delivered + again)[place == "after the commit"] == keys[(2, 0)[place == "after the commit"] :]
