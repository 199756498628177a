"""Which profile is used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from agent_session_platform import ConfigurationError
from agent_session_platform_cli.profiles import chosen_profile, connection_of

Write = Callable[..., Path]
TWO = (
    'default = "a"\n[profiles.a]\nbase_url = "https://a.example.com"\norganization = "org-a"\n'
    '[profiles.b]\nbase_url = "https://b.example.com"\n'
)


def name_of(given: str | None) -> str | None:
    found = chosen_profile(given)
    return found.name if found is not None else None


def test_the_default_is_used(config: Write) -> None:
    config(TWO)
    assert name_of(None) == "a"


def test_the_variable_wins_over_the_default(config: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    config(TWO)
    monkeypatch.setenv("AGENT_PLATFORM_PROFILE", "b")
    assert name_of(None) == "b"


def test_the_option_wins_over_the_variable(config: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    config(TWO)
    monkeypatch.setenv("AGENT_PLATFORM_PROFILE", "b")
    assert name_of("a") == "a"


@pytest.mark.parametrize("variable", ["BASE_URL", "TOKEN", "TOKEN_FILE"])
def test_the_default_is_never_mixed_with_a_server_or_credential_of_the_environment(
    config: Write, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    config(TWO)
    monkeypatch.setenv(f"AGENT_PLATFORM_{variable}", "x")
    assert name_of(None) is None
    assert name_of("a") == "a"


def test_the_default_gives_way_to_the_organization_of_the_environment(
    config: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    config(TWO)
    monkeypatch.setenv("AGENT_PLATFORM_ORG_ID", "org-b")
    assert ("organization" in connection_of(None), connection_of("a")["organization"]) == (False, "org-a")


def test_an_unknown_profile_is_told_with_the_nearest(config: Write) -> None:
    path = config(TWO.replace("profiles.b", "profiles.staging"))
    with pytest.raises(ConfigurationError, match="has no profile 'stagin'; did you mean 'staging'") as caught:
        connection_of("stagin")
    assert str(path) in str(caught.value)


def test_a_credential_instead_of_a_name_is_not_shown(config: Write) -> None:
    config(TWO)
    with pytest.raises(ConfigurationError, match="which looks like a credential") as caught:
        connection_of("svc_secret")
    assert "svc_secret" not in str(caught.value)


def test_a_profile_without_a_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_PLATFORM_CONFIG", str(tmp_path / "none.toml"))
    assert connection_of(None) == {}
    with pytest.raises(ConfigurationError, match=r"none.toml cannot be read: it does not exist; write a table"):
        connection_of("a")
