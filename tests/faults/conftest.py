"""Fixtures of the fault tests."""

import pytest


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the random delay on top of Retry-After."""
    monkeypatch.setattr("agent_session_platform.retry.RETRY_AFTER_SECONDS", 0.0)
