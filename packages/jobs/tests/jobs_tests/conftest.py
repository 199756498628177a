"""Fixtures of the jobs: paths of files that do not exist yet, and a batch of sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from agent_session_platform_jobs import Batch


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
