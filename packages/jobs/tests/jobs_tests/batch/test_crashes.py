"""After a process is killed at any moment, another run of its file creates nothing twice, and loses nothing.

A killed process leaves the file as it is at that moment, so these tests continue with a copy of the file. The
tests of `asp batch` kill a real process.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import AuthenticationError
from agent_session_platform_jobs import NOT_SENT, Batch
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.handlers import Call, Reply
from agent_session_platform_sandbox.problems import RefusedError
from agent_session_platform_sandbox.resources import HANDLERS

from jobs_tests.batch.batches import arguments, finder, key, rows, titles, waiter

pytestmark = pytest.mark.usefixtures("no_threads")

ROWS = 8
DEAD = RefusedError(401, "the process is dead, and nothing is carried out")
CREATE, GET, ARCHIVE = (f"{verb}_organization_session" for verb in ("create", "get", "archive"))

Program = Callable[..., Awaitable[list[str]]]


async def work(org: Any, store: Path) -> list[str]:
    """Create, wait for and release a session for each row, and return their states."""
    # The sandbox lists a session as soon as it is created.
    find = finder(org, NOT_SENT)
    batch = Batch(
        org.sessions.create, store=store, concurrency=4, wait=waiter(org), find=find, release=org.sessions.archive
    )
    items = batch.run(rows(ROWS), key=key, arguments=arguments, until={"status": "running"})
    return [(await batch.release(item)).state async for item in items]


@pytest.fixture
def program(sandbox: Sandbox, org: Any, store: Path) -> Program:
    folders = [store.parent / "0"]
    folders[0].mkdir()

    async def run(*operations: str, number: float = math.inf, when: str = "") -> list[str]:
        """Work until before or after a request is carried out; return the states, or nothing if it was killed."""
        left, running, killed = number, folders[-1], store.parent / str(len(folders))

        def handle(operation: str, call: Call) -> Reply:
            nonlocal left
            if killed.exists():
                raise DEAD
            if operation in operations:
                left -= 1
            if left == 0 and when == "before":
                shutil.copytree(running, killed)
                raise DEAD
            reply = HANDLERS[operation](call)
            if left == 0:
                shutil.copytree(running, killed)
            return reply

        for operation in (CREATE, GET, ARCHIVE):
            sandbox.handle(operation, partial(handle, operation))
        try:
            return await work(org, running / store.name)
        except AuthenticationError:
            folders.append(killed)
            return []

    return run


def check_all_once(sandbox: Sandbox, states: list[str]) -> None:
    assert states == ["released"] * ROWS
    assert titles(sandbox) == sorted(row.id for row in rows(ROWS))
    sessions = sandbox.state.collection("sessions", "org-acme").values()
    assert all(session.fields["is_archived"] for session in sessions)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("operation", "number"), [(CREATE, 1), (CREATE, 6), (GET, 3), (ARCHIVE, 2)])
async def test_a_killed_batch_goes_on(program: Any, sandbox: Sandbox, operation: str, number: int, when: str) -> None:
    assert await program(operation, number=number, when=when) == []
    check_all_once(sandbox, await program())


async def test_a_batch_that_is_killed_again_and_again_comes_to_its_end(program: Program, sandbox: Sandbox) -> None:
    states, kills = list[str](), 0
    while not states:
        states = await program(CREATE, GET, ARCHIVE, number=5 + kills % 3, when=("before", "after")[kills % 2])
        kills += not states
        assert kills < 4 * ROWS
    assert kills > 2
    check_all_once(sandbox, states)
