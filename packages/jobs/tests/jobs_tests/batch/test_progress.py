"""The line on stderr that tells how far a batch is: on a terminal only, unless the caller says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from agent_session_platform_jobs import Batch

from jobs_tests.batch.batches import rows, run


@pytest.mark.parametrize(
    ("progress", "is_terminal", "is_shown"),
    [(None, True, True), (None, False, False), (True, False, True), (False, True, False)],
)
async def test_progress_is_shown_on_a_terminal_or_if_it_is_asked_for(
    org: Any,
    store: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    progress: bool | None,
    is_terminal: bool,
    is_shown: bool,
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: is_terminal)
    await run(Batch(org.sessions.create, store=store, progress=progress), rows(200))
    lines = capsys.readouterr().err.split("\r")
    assert len(lines) < 100
    if is_shown:
        assert lines[-1].startswith("200 settled | ")
        assert lines[-1].rstrip(" \n").endswith("/s | 0 of at most 20 in flight")
    else:
        assert lines == [""]
