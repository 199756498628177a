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


TWO_WHEELS = "run `pip install . ./packages/{}` in a checkout of the SDK, or one `pip install` with both wheels"


@pytest.mark.parametrize(
    ("command", "module", "remedy"),
    [
        ("sandbox", "agent_session_platform_sandbox", TWO_WHEELS.format("sandbox")),
        ("observations report x", "agent_session_platform_observe", TWO_WHEELS.format("observe")),
        ("mcp", "mcp", "pip install 'mcp>=2.3,<3'"),
    ],
)
def test_without_what_it_needs_a_command_says_how_to_install_it(command: str, module: str, remedy: str) -> None:
    hidden = f"import sys; sys.modules['{module}'] = None"
    done = run("-c", f"{hidden}; from agent_session_platform_cli.__main__ import main; main()", *command.split())
    assert (done.returncode, f"asp {command.split()[0]} needs the package " in done.stderr) == (2, True)
    assert done.stderr.endswith(f"): {remedy}\n")


@pytest.mark.parametrize(("command", "module"), [("mcp", "mcp"), ("observations", "agent_session_platform_observe")])
def test_the_help_of_a_command_needs_no_extra(command: str, module: str) -> None:
    hidden = f"import sys; sys.modules['{module}'] = None"
    done = run("-c", f"{hidden}; from agent_session_platform_cli.__main__ import main; main()", command, "--help")
    assert (done.returncode, done.stderr, f"asp {command}" in done.stdout) == (0, "", True)


def test_ctrl_c_while_it_is_imported_shows_no_traceback() -> None:
    finder = "lambda name, *_: signal.default_int_handler(signal.SIGINT, None) if name == 'click' else None"
    before = f"import signal, sys; sys.meta_path.insert(0, type('Finder', (), {{'find_spec': {finder}}}))"
    done = run("-c", f"{before}; import agent_session_platform_cli.__main__")
    assert (done.returncode, done.stderr) == (130, "")


def test_help_lists_every_command_and_fits_a_screen(offline: Asp) -> None:
    text = offline("--help").stdout
    assert [name for name in COMMANDS if f"\n  {name} " not in text] == []
    assert len(text.splitlines()) <= 40


@pytest.mark.parametrize("command", sorted({*COMMANDS} - {"sandbox"}))
def test_the_help_of_a_command_fits_a_screen_and_has_examples(offline: Asp, command: str) -> None:
    lines = offline(command, "--help").stdout.splitlines()
    assert len(lines) <= 40
    assert any(line.lstrip().startswith(("asp ", "eval ")) for line in lines[5:])
