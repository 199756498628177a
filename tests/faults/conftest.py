"""Fixtures of the fault tests."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the random delay on top of Retry-After."""
    monkeypatch.setattr("agent_session_platform.retry.MIN_JITTER_SECONDS", 0.0)
