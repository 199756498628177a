"""The pages of the settings, the command line and the legacy paths."""

from __future__ import annotations

import inspect
import re

import click
import pytest
from agent_session_platform import AgentPlatform, RequestOptions, RetryPolicy
from agent_session_platform_cli.exit_codes import KINDS, MEANINGS
from agent_session_platform_cli.group import asp
from agent_session_platform_cli.registry import COMMANDS

from docs.reference.migration import LEGACY, STATED, replaced
from docs.reference.settings import VARIABLES
from tests.repository.sources import COMPANIONS, OVERLAY, modules

READ = re.compile(r"environ(?:\.get\(|\[)\s*\"([A-Z_]+)\"|\b(AGENT_PLATFORM_[A-Z_]*[A-Z])\b")
COMMAND_LINE = "reference/command-line.md"


def code_of_the_packages() -> str:
    """Return the text of all modules that users install."""
    packages = (OVERLAY, *COMPANIONS)
    return "\n".join(path.read_text(encoding="utf-8") for package in packages for path in modules(package))


def variables_in_the_code() -> set[str]:
    """Return the variables of the environment that the code names."""
    return {name for found in READ.findall(code_of_the_packages()) for name in found if name}


def test_every_variable_that_the_code_reads_is_described() -> None:
    described = {name for each in VARIABLES for name in each.names}
    assert variables_in_the_code() - described == set()
    assert {"AGENT_PLATFORM_TOKEN", "NO_COLOR", "SSL_CERT_FILE"} <= variables_in_the_code()


def test_every_described_variable_is_read() -> None:
    code = code_of_the_packages()
    assert [name for each in VARIABLES for name in each.names if name.upper() not in code] == []


def test_every_variable_has_a_meaning(reference: dict[str, str]) -> None:
    for each in VARIABLES:
        assert each.meaning in reference["reference/settings.md"]


@pytest.mark.parametrize("cls", [AgentPlatform, RequestOptions, RetryPolicy])
def test_every_argument_is_described(reference: dict[str, str], cls: type) -> None:
    section = reference["reference/settings.md"].partition(f"\n## {cls.__name__}\n")[2].partition("\n## ")[0]
    for name in inspect.signature(cls).parameters:
        assert re.search(rf"^\| `{name}` \|.*\| \S.* \|$", section, re.MULTILINE), name


def test_a_default_is_that_of_the_code(reference: dict[str, str]) -> None:
    assert "| `deadline` | `float` | `300.0` |" in reference["reference/settings.md"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_heading(reference: dict[str, str], name: str) -> None:
    assert f"\n## asp {name}\n" in reference[COMMAND_LINE]


def walk(command: click.Command, context: click.Context) -> list[tuple[str, click.Option]]:
    """Return the options that are shown, with the paths of their commands; commands of operations are left out."""
    found = [
        (context.command_path, each) for each in command.params if isinstance(each, click.Option) and not each.hidden
    ]
    for name in command.list_commands(context) if isinstance(command, click.Group) else ():
        below = command.get_command(context, name) if "." not in name and isinstance(command, click.Group) else None
        if below is not None:
            found += walk(below, click.Context(below, info_name=name, parent=context))
    return found


def test_every_option_is_described(reference: dict[str, str]) -> None:
    options = walk(asp, click.Context(asp, info_name="asp"))
    assert len(options) > 30
    missing = [
        (path, each.opts) for path, each in options if not any(opt in reference[COMMAND_LINE] for opt in each.opts)
    ]
    assert missing == []


@pytest.mark.parametrize(
    "option", ["--allow-host", "--at-least", "--json", "--store", "--stalled-after", "--chronological"]
)
def test_options_of_every_kind_of_command_are_described(reference: dict[str, str], option: str) -> None:
    assert option in reference[COMMAND_LINE]


@pytest.mark.parametrize("number", MEANINGS)
def test_every_exit_code_has_its_meaning(reference: dict[str, str], number: int) -> None:
    assert f"| `{number}` | {MEANINGS[number][1]} |" in reference[COMMAND_LINE]


def test_every_error_with_an_exit_code_is_linked(reference: dict[str, str]) -> None:
    codes = reference[COMMAND_LINE].partition("\n## Exit codes\n")[2]
    assert [name for name, _ in KINDS if f"[`{name}`](" not in codes] == []


def test_every_legacy_path_is_listed(reference: dict[str, str]) -> None:
    text = reference["reference/legacy-paths.md"]
    paths = [path for extension in (LEGACY, STATED) for path, _ in replaced(extension)]
    assert paths
    assert [path for path in paths if f" {path}`" not in text] == []
