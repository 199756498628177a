"""The entry point: quick, and useful without the extras."""

from __future__ import annotations

import subprocess
import sys

import pytest
from agent_session_platform import __version__
from agent_session_platform_cli.group import COMMANDS

from cli_tests.conftest import Asp


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)


def test_the_version_is_printed() -> None:
    assert run("-m", "agent_session_platform_cli", "--version").stdout == f"asp {__version__}\n"


@pytest.mark.parametrize(("command", "companion"), [("sandbox", "sandbox"), ("observations", "observe")])
def test_without_its_companion_a_command_says_how_to_install_it(command: str, companion: str) -> None:
    hidden = f"import sys; sys.modules['agent_session_platform_{companion}'] = None"
    done = run("-c", f"{hidden}; from agent_session_platform_cli.__main__ import main; main()", command)
    assert (done.returncode, f"asp {command} needs the package {companion} (" in done.stderr) == (1, True)
    assert (
        f"): run `pip install . ./packages/{companion}` in a checkout of the SDK, or one `pip install`" in done.stderr
    )


def test_help_lists_every_command_and_fits_a_screen(offline: Asp) -> None:
    text = offline("--help").stdout
    assert [name for name in COMMANDS if f"\n  {name} " not in text] == []
    assert len(text.splitlines()) <= 40


@pytest.mark.parametrize("command", sorted({*COMMANDS} - {"sandbox"}))
def test_the_help_of_a_command_fits_a_screen_and_has_examples(offline: Asp, command: str) -> None:
    lines = offline(command, "--help").stdout.splitlines()
    assert len(lines) <= 40
    assert any(line.lstrip().startswith(("asp ", "eval ")) for line in lines[5:])


def test_without_the_extra_mcp_says_what_to_install(offline: Asp, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith("agent_session_platform_cli.mcp")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("mcp", "mcp.server", "mcp.types"):
        monkeypatch.setitem(sys.modules, name, None)
    result = offline("mcp")
    assert result.exit_code == 1
    assert "asp mcp needs the library mcp (" in result.stderr
    assert result.stderr.endswith("): pip install 'mcp>=2.3,<3'\n")
