"""Fixtures of the jobs."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return the path of a store that does not exist yet."""
    return tmp_path / "run.sqlite"
