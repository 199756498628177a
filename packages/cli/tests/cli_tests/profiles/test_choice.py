"""Which profile is used."""

from __future__ import annotations

from pathlib import Path

import pytest
from agent_session_platform import ConfigurationError
from agent_session_platform_cli.profiles import chosen_profile

from cli_tests.profiles.conftest import Write, arguments_of

TWO = (
    'default = "a"\n[profiles.a]\nbase_url = "https://a.example.com"\norganization = "org-a"\n'
    '[profiles.b]\nbase_url = "https://b.example.com"\n'
)


@pytest.mark.parametrize(
    ("environment", "option", "used"),
    [
        ({}, None, "a"),
        ({"PROFILE": "b"}, None, "b"),
        ({"PROFILE": "b"}, "a", "a"),
        # The default is never mixed with a server or credential of the environment.
        *(({name: "x"}, None, None) for name in ("BASE_URL", "TOKEN", "TOKEN_FILE")),
        ({"TOKEN": "x"}, "a", "a"),
    ],
)
def test_the_option_wins_over_the_variable_and_that_over_the_default(
    config: Write, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], option: str | None, used: str | None
) -> None:
    config(TWO)
    for name, value in environment.items():
        monkeypatch.setenv(f"AGENT_PLATFORM_{name}", value)
    assert getattr(chosen_profile(option), "name", None) == used


def test_the_default_gives_way_to_the_organization_of_the_environment(
    config: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    config(TWO)
    monkeypatch.setenv("AGENT_PLATFORM_ORG_ID", "org-b")
    assert [arguments_of(name)["organization"] for name in (None, "a")] == ["org-b", "org-a"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("stagin", "has no profile 'stagin'; did you mean 'staging'"),
        ("svc_secret", "has no profile of that name, which looks like a credential"),
    ],
)
def test_an_unknown_profile_is_told(config: Write, name: str, message: str) -> None:
    path = config(TWO.replace("profiles.b", "profiles.staging"))
    with pytest.raises(ConfigurationError) as caught:
        chosen_profile(name)
    assert f"{path} {message}" in str(caught.value)
    assert "svc_secret" not in str(caught.value)


def test_a_profile_without_a_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_PLATFORM_CONFIG", str(tmp_path / "none.toml"))
    assert arguments_of(None) == {}
    with pytest.raises(ConfigurationError, match=r"none.toml cannot be read: No such file or directory; write a table"):
        chosen_profile("a")
