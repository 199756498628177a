"""Fixtures of the jobs: paths of files that do not exist yet, and a batch of sessions."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform_jobs import Batch, database


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "run.sqlite"


@pytest.fixture
def batch(org: Any, store: Path) -> Batch:
    return Batch(org.sessions.create, store=store, release=org.sessions.archive)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "list.jsonl"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "list.state"


class InlineExecutor:
    """An executor that does its work at once, so that no virtual time passes, and no file changes during a copy."""

    def __init__(self, *_: Any, **__: Any) -> None: ...

    def submit(self, work: Callable[[], Any]) -> Future[Any]:
        end: Future[Any] = Future()
        try:
            end.set_result(work())
        except Exception as error:
            end.set_exception(error)
        return end

    def shutdown(self, *, wait: bool) -> None: ...


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "ThreadPoolExecutor", InlineExecutor)
