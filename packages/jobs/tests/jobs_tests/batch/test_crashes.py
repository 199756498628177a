"""`kill -9` at any moment, then run again: nothing twice, and nothing lost."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.handlers import Call, Reply
from agent_session_platform_sandbox.problems import RefusedError
from agent_session_platform_sandbox.resources import HANDLERS

from jobs_tests.batch.batches import rows, titles

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")

# `-m` finds the program below the current folder.
TESTS = Path(__file__).parents[2]
ROWS = 8
CREATE, GET, ARCHIVE = (f"{verb}_organization_session" for verb in ("create", "get", "archive"))

Program = Callable[..., str]


@pytest.fixture
def program(sandbox: Sandbox, address: str, store: Path) -> Program:
    module = (sys.executable, "-m", "jobs_tests.batch.program")
    command = (*module, address, sandbox.token, str(store), str(ROWS))

    def run(*operations: str, number: int = 0, when: str = "") -> str:
        """Run the program, and kill it before or after its request of this number; return what it has printed."""
        left = number

        def handle(operation: str, call: Call) -> Reply:
            nonlocal left
            left -= 1
            if left == 0 and when == "before":
                kill()
                raise RefusedError(500, "nothing was carried out")
            reply = HANDLERS[operation](call)
            if left == 0:
                kill()
            return reply

        def kill() -> None:
            process.kill()
            process.wait()

        for operation in operations:
            sandbox.handle(operation, partial(handle, operation))
        with subprocess.Popen(command, cwd=TESTS, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            printed, errors = process.communicate()
        assert process.returncode in (0, -9), errors
        return printed

    return run


def check_all_once(sandbox: Sandbox, printed: str) -> None:
    assert printed.strip() == str({"released": ROWS})
    assert titles(sandbox) == sorted(row.id for row in rows(ROWS))
    sessions = sandbox.state.collection("sessions", "org-acme").values()
    assert all(session.fields["is_archived"] for session in sessions)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("operation", "number"), [(CREATE, 1), (CREATE, 6), (GET, 3), (ARCHIVE, 2)])
def test_a_killed_batch_goes_on_where_it_was(
    program: Program, sandbox: Sandbox, operation: str, number: int, when: str
) -> None:
    assert program(operation, number=number, when=when) == ""
    check_all_once(sandbox, program())


def test_a_batch_that_is_killed_again_and_again_comes_to_its_end(program: Program, sandbox: Sandbox) -> None:
    printed, kills = "", 0
    while not printed:
        printed = program(CREATE, GET, ARCHIVE, number=5 + kills % 3, when=("before", "after")[kills % 2])
        kills += not printed
        assert kills < 4 * ROWS
    assert kills > 2
    check_all_once(sandbox, printed)
