"""`asp mcp`: its arguments, and what it needs."""

from __future__ import annotations

import sys

import pytest
from agent_session_platform_cli.group import asp
from click.testing import CliRunner


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith("agent_session_platform_cli.mcp")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("mcp", "mcp.server", "mcp.types"):
        monkeypatch.setitem(sys.modules, name, None)
    result = CliRunner().invoke(asp, ["mcp"])
    assert result.exit_code == 1
    assert "asp mcp needs the library mcp (" in result.stderr
    assert result.stderr.endswith("): pip install 'mcp>=2.3,<3'\n")


def test_a_mistyped_write_is_refused() -> None:
    result = CliRunner().invoke(asp, ["mcp", "--allow", "organization.session.create"])
    assert result.exit_code == 2
    assert "did you mean 'organization.sessions.create'" in result.stderr


def test_a_missing_setting_is_reported_before_anything_is_served() -> None:
    result = CliRunner().invoke(asp, ["mcp"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "AGENT_PLATFORM_BASE_URL" in result.stderr
