"""`asp profile`, over the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from agent_session_platform_cli.group import asp
from click.testing import CliRunner, Result

FILE = (
    '[profiles.a]\nbase_url = "https://a.example.com"\nproxy = "http://user:s3cret-word@proxy:3128"\n'
    'token_command = ["pass", "show", "platform"]\n[profiles.broken]\nbase_url = "x"\n'
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Write a file of profiles."""
    path = tmp_path / "config.toml"
    path.write_text(FILE)
    path.chmod(0o600)
    return path


def run(path: Path, *arguments: str, **variables: str) -> Result:
    return CliRunner().invoke(asp, ["profile", *arguments], env={"AGENT_PLATFORM_CONFIG": str(path), **variables})


def test_profiles_are_listed_a_broken_one_with_the_reason(path: Path) -> None:
    sound, broken = map(json.loads, run(path, "list").stdout.splitlines())
    assert sound == {
        "name": "a",
        "used": False,
        "base_url": "https://a.example.com",
        "proxy": "http://proxy:3128",
        "token_from": "token_command",
    }
    assert "profile 'broken' cannot be used: base_url must be" in broken["problem"]


def test_the_one_that_is_made_the_default_is_used(path: Path) -> None:
    assert run(path, "use", "a").exit_code == 0
    assert path.read_text() == f'default = "a"\n{FILE}'
    assert json.loads(run(path, "show").stdout)["name"] == "a"


def test_use_list_and_show_agree_that_a_token_of_the_environment_wins_over_the_default(path: Path) -> None:
    used, listed, shown = [
        run(path, *words, AGENT_PLATFORM_TOKEN="x") for words in (("use", "a"), ("list",), ("show",))
    ]
    assert [each.exit_code for each in (used, listed, shown)] == [0, 0, 2]
    assert [json.loads(line)["used"] for line in listed.stdout.splitlines()] == [False, False]
    reason = "AGENT_PLATFORM_TOKEN of the environment wins over the default"
    assert [each.stderr.count(reason) for each in (used, listed, shown)] == [1, 1, 1]


def test_an_unknown_one_is_not_made_the_default(path: Path) -> None:
    result = run(path, "use", "b")
    assert (result.exit_code, "has no profile 'b'" in result.stderr, path.read_text()) == (2, True, FILE)


def test_show_says_how_to_choose_one(path: Path) -> None:
    result = run(path, "show")
    assert (result.exit_code, "name one with --profile or AGENT_PLATFORM_PROFILE" in result.stderr) == (2, True)


def test_the_path_is_printed(path: Path) -> None:
    assert run(path, "path").stdout == f"{path}\n"


def test_without_a_file_the_list_is_empty(tmp_path: Path) -> None:
    result = run(tmp_path / "none.toml", "list")
    assert (result.exit_code, result.stdout) == (0, "")
