"""The client of a command and the file of observations that the environment names."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from cli_tests.conftest import Asp

READ = ("call", "organization.sessions.list", "--limit", "1")


def test_what_a_command_receives_is_observed(asp: Asp, tmp_path: Path) -> None:
    observed = tmp_path / "observed.json"
    assert asp(*READ, AGENT_PLATFORM_OBSERVE=str(observed)).exit_code == 0
    assert json.loads(observed.read_text(encoding="utf-8"))["operations"]


def test_nothing_is_observed_without_a_file(asp: Asp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "agent_session_platform_observe", None)
    assert asp(*READ, AGENT_PLATFORM_OBSERVE="").exit_code == 0


def test_without_the_companion_it_says_how_to_install_it(asp: Asp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "agent_session_platform_observe", None)
    result = asp(*READ, AGENT_PLATFORM_OBSERVE="observed.json")
    assert result.exit_code == 2
    assert "AGENT_PLATFORM_OBSERVE needs agent-session-platform-observe (" in result.stderr
    assert "run `pip install . ./packages/observe`" in result.stderr
