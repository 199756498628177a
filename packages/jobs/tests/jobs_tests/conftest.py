"""Fixtures of the jobs: paths of files that do not exist yet."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "run.sqlite"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "list.jsonl"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "list.state"
