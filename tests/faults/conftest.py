"""Fixtures of the fault tests."""

from __future__ import annotations

import pytest


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the random delay on top of Retry-After, and the delay where the server names none."""
    for name in ("retry.RETRY_AFTER_SECONDS", "rate_limit.adaptive_rate.FIRST_CLOSURE_SECONDS"):
        monkeypatch.setattr(f"agent_session_platform.{name}", 0.0)
