"""The line that tells how far a batch is: on a terminal only."""

from __future__ import annotations

import io
import os

import pytest
from agent_session_platform_jobs.batch.run import ProgressBar

pty = pytest.importorskip("pty", reason="only where there are pseudo-terminals")


class Clock:
    """A clock that stands still until it is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def written(stream: io.TextIOBase, enabled: bool | None = None) -> None:
    clock = Clock()
    bar = ProgressBar(stream, enabled, clock)  # type: ignore[arg-type]
    for state in ("settled", "settled", "failed"):
        bar.count(state)
    clock.now = 2.0
    bar.show(4, 10)
    bar.show(0, 10, last=True)


def test_a_terminal_gets_one_line_that_is_written_over() -> None:
    primary, secondary = pty.openpty()
    shown = b""
    with os.fdopen(secondary, "w") as terminal:
        written(terminal)
        while not shown.endswith(b"\n"):
            shown += os.read(primary, 4096)
    os.close(primary)
    lines = [line.strip() for line in shown.decode().removesuffix("\r\n").split("\r")]
    assert lines == ["", *(f"2 settled, 1 failed | 1.5/s | {number} of at most 10 in flight" for number in (4, 0))]


def test_nothing_is_written_where_there_is_no_terminal() -> None:
    stream = io.StringIO()
    written(stream)
    assert stream.getvalue() == ""


def test_it_can_be_switched_on_where_there_is_no_terminal() -> None:
    stream = io.StringIO()
    written(stream, enabled=True)
    assert "2 settled" in stream.getvalue()


def test_it_can_be_switched_off_on_a_terminal() -> None:
    primary, secondary = pty.openpty()
    with os.fdopen(secondary, "w") as terminal:
        written(terminal, enabled=False)
        terminal.write("end")
        terminal.flush()
        assert os.read(primary, 4096) == b"end"
    os.close(primary)


def test_lines_that_follow_at_once_are_left_out() -> None:
    stream, clock = io.StringIO(), Clock()
    bar = ProgressBar(stream, True, clock)
    clock.now = 1.0
    for _ in range(1000):
        bar.show(1, 1)
    assert stream.getvalue().count("\r") == 1


def test_it_writes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    ProgressBar(None, True).show(0, 1, last=True)
    assert capsys.readouterr().err.startswith("\r0 rows")
