"""The entry point: quick, and useful without the extras."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

import pytest
from agent_session_platform import __version__
from agent_session_platform_cli.registry import COMMANDS, THIN

from cli_tests.conftest import Asp


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)


def test_the_version_is_printed() -> None:
    assert run("-m", "agent_session_platform_cli", "--version").stdout == f"asp {__version__}\n"


@pytest.mark.parametrize(("command", "companion"), [("sandbox", "sandbox"), ("observations", "observe")])
def test_without_its_companion_a_command_says_how_to_install_it(command: str, companion: str) -> None:
    hidden = f"sys.modules['agent_session_platform_{companion}'] = None"
    done = run("-c", f"import sys; {hidden}; from agent_session_platform_cli.main import main; main()", command)
    assert done.returncode == 1
    assert done.stderr.startswith(f"asp {command} needs agent-session-platform-{companion} (")
    assert done.stderr.endswith(
        f"in a checkout of the SDK run `pip install . ./packages/{companion}`, "
        "or pass its wheel file and that of the SDK to one `pip install`\n"
    )


def test_what_parses_its_arguments_itself_takes_global_options_before_its_name(offline: Asp, root: object) -> None:
    result = offline("--no-color", "permissions", f"{root}/examples/service.py")
    assert (result.exit_code, result.stdout.startswith("Operations:\n")) == (0, True)


def test_the_version_imports_nothing_of_the_sdk_and_no_click() -> None:
    start = "import sys; sys.argv = ['asp', '--version']; from agent_session_platform_cli.main import main; main()"
    loaded = run("-c", f"{start}; print(*sys.modules)").stdout.split()
    assert not {"click", "attrs", "httpx", "agent_session_platform.platform", "agent_session_platform_api"} & {*loaded}


def test_the_version_takes_at_most_one_and_a_half_times_the_import_of_click() -> None:
    """Pairs of processes, one after the other: a busy machine slows down both."""

    def seconds(*arguments: str) -> float:
        begin = time.perf_counter()
        assert run(*arguments).returncode == 0
        return time.perf_counter() - begin

    ratios = [
        seconds("-m", "agent_session_platform_cli", "--version") / seconds("-c", "import click") for _ in range(5)
    ]
    assert statistics.median(ratios) < 1.5


def test_help_lists_every_command_and_fits_a_screen(offline: Asp) -> None:
    text = offline("--help").stdout
    assert [name for name in COMMANDS if f"\n  {name} " not in text] == []
    assert len(text.splitlines()) <= 40


@pytest.mark.parametrize("command", sorted({*COMMANDS} - THIN))
def test_the_help_of_a_command_fits_a_screen_and_has_examples(offline: Asp, command: str) -> None:
    lines = offline(command, "--help").stdout.splitlines()
    assert len(lines) <= 40
    assert any(line.lstrip().startswith(("asp ", "eval ")) for line in lines[5:])
