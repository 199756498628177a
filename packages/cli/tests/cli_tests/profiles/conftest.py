"""Fixtures: a file of profiles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from agent_session_platform_cli.connect import read_setup
from agent_session_platform_cli.settings import Settings

Write: TypeAlias = Callable[..., Path]
SECRET = "svc_never_show_this_0123456789"


def arguments_of(profile: str | None) -> dict[str, Any]:
    """Return the arguments of a client with a profile."""
    return {**read_setup(Settings(profile=profile)).arguments}


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Return what writes the file of profiles."""

    def write(text: str, mode: int = 0o600) -> Path:
        path = tmp_path / "config.toml"
        path.write_bytes(text.encode())
        path.chmod(mode)
        monkeypatch.setenv("AGENT_PLATFORM_CONFIG", str(path))
        return path

    return write
