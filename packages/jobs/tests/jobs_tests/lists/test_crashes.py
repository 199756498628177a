"""A process that is killed at any moment loses nothing, and the next run writes nothing twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from agent_session_platform_jobs import changes, export

from jobs_tests.lists.listing import Listing, messages, sessions

ITEMS = [*sessions(1, 2, 3), *messages("a", "a"), *sessions(4, 5)]

# Runs an export or changes that kill themselves: the place, the number of the call there, and the files.
PROGRAM = """
import asyncio, os, signal, sys
from agent_session_platform_jobs import changes, export
from jobs_tests.lists.listing import Listing
from jobs_tests.lists.test_crashes import ITEMS

place, number, path, state = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
calls = 0
fsync = os.fsync

def die_at(where):
    global calls
    calls += where == place
    if where == place and calls == number:
        os.kill(os.getpid(), signal.SIGKILL)

def crashing(descriptor):
    if place == "in the lines" and calls == number - 1:
        os.ftruncate(descriptor, os.fstat(descriptor).st_size - 20)
    die_at("in the lines")
    die_at("before the lines are on the disk")
    fsync(descriptor)
    die_at("before the commit")

class Dying(Listing):
    async def handle_async_request(self, request):
        die_at("before the next page")
        return await super().handle_async_request(request)

os.fsync = crashing

async def main():
    async with Dying(ITEMS).client() as platform:
        if path:
            await export(platform.organization().sessions.list, path, state=state)
            return
        async for change in changes(platform.organization().sessions.list, state=state):
            print(change.key, flush=True)
            die_at("in the loop")

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
    "place", ["in the lines", "before the lines are on the disk", "before the commit", "before the next page"]
)
async def test_an_export_that_is_killed_is_continued(place: str, number: int, tmp_path: Path) -> None:
    path, state = tmp_path / "list.jsonl", tmp_path / "list.state"
    run_and_die(place, number, path, state)
    async with Listing(ITEMS).client() as platform:
        exported = await export(platform.organization().sessions.list, path, state=state)
    assert [json.loads(line) for line in path.read_text().splitlines()] == ITEMS
    assert exported.lines == len(ITEMS)
    assert exported.resumed is not None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize(("number", "known"), [(4, 2), (5, 4)])
async def test_no_change_is_lost_when_the_process_is_killed(number: int, known: int, tmp_path: Path) -> None:
    state = tmp_path / "list.state"
    assert len(run_and_die("in the loop", number, "", state).split()) == number
    async with Listing(ITEMS).client() as platform:
        again = [str(each.key) async for each in changes(platform.organization().sessions.list, state=state)]
    assert again == [str(each.get("session_id")) for each in ITEMS][known:]
