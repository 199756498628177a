"""`kill -9` at any moment, then run again: nothing twice, and nothing lost."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
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


class Killer:
    """Kills the program when one of its requests has arrived, before or after it is carried out."""

    def __init__(self, sandbox: Sandbox, address: str, store: Path) -> None:
        self._sandbox = sandbox
        self._command = [
            sys.executable,
            "-m",
            "jobs_tests.batch.program",
            address,
            sandbox.token,
            str(store),
            str(ROWS),
        ]
        self._process: subprocess.Popen[str] | None = None
        self._left = 0
        self._when = ""

    def kill_at(self, operations: tuple[str, ...], number: int, when: str) -> None:
        """Plan to kill it at its request of this number."""
        self._left, self._when = number, when
        for operation in operations:
            self._sandbox.handle(operation, lambda call, operation=operation: self._handle(call, operation))

    def run(self) -> str:
        """Run the program to its end, or until it is killed; return what it has printed."""
        self._process = subprocess.Popen(
            self._command, cwd=TESTS, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        printed, errors = self._process.communicate()
        assert self._process.returncode in (0, -9), errors
        return printed

    def _handle(self, call: Call, operation: str) -> Reply:
        self._left -= 1
        if self._left == 0 and self._when == "before":
            self._kill()
            raise RefusedError(500, "nothing was carried out")
        reply = HANDLERS[operation](call)
        if self._left == 0 and self._when == "after":
            self._kill()
        return reply

    def _kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()


@pytest.fixture
def killer(sandbox: Sandbox, address: str, tmp_path: Path) -> Iterator[Killer]:
    killer = Killer(sandbox, address, tmp_path / "run.sqlite")
    yield killer
    if killer._process is not None:
        killer._process.kill()
        killer._process.wait()


def check_all_once(sandbox: Sandbox) -> None:
    assert titles(sandbox) == sorted(row.id for row in rows(ROWS))
    sessions = sandbox.state.collection("sessions", "org-acme").values()
    assert all(session.fields["is_archived"] for session in sessions)


@pytest.mark.parametrize(
    ("operation", "number", "when"),
    [
        (CREATE, 1, "before"),
        (CREATE, 1, "after"),
        (CREATE, 6, "before"),
        (CREATE, 6, "after"),
        (GET, 3, "before"),
        (GET, 3, "after"),
        (ARCHIVE, 2, "before"),
        (ARCHIVE, 2, "after"),
    ],
)
def test_a_killed_batch_goes_on_where_it_was(
    killer: Killer, sandbox: Sandbox, operation: str, number: int, when: str
) -> None:
    killer.kill_at((operation,), number, when)
    assert killer.run() == ""
    assert killer.run().strip() == str({"released": ROWS})
    check_all_once(sandbox)


def test_a_batch_that_is_killed_again_and_again_comes_to_its_end(killer: Killer, sandbox: Sandbox) -> None:
    printed, kills = "", 0
    while not printed:
        killer.kill_at((CREATE, GET, ARCHIVE), 5 + kills % 3, ("before", "after")[kills % 2])
        printed = killer.run()
        kills += not printed
        assert kills < 4 * ROWS
    assert kills > 2
    assert printed.strip() == str({"released": ROWS})
    check_all_once(sandbox)
