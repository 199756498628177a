"""Fixtures: a file of profiles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Return what writes the file of profiles."""

    def write(text: str, mode: int = 0o600) -> Path:
        path = tmp_path / "config.toml"
        path.write_bytes(text.encode())
        path.chmod(mode)
        monkeypatch.setenv("AGENT_PLATFORM_CONFIG", str(path))
        return path

    return write
