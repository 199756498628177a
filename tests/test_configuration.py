"""Settings come from arguments or the environment, and the error of a bad one names it."""

from __future__ import annotations

import pytest
from agent_session_platform import AgentPlatform, ConfigurationError, InvalidArgumentError, InvalidOrganizationError
from agent_session_platform.configuration import Configuration, check_base_url, check_organization

URL = "https://platform.example.com"
TOKEN = "svc_0123456789"


def read(base_url: str | None = None, token: str | None = None) -> Configuration:
    """The settings of a client that is made without any others."""
    return AgentPlatform(base_url, token)._configuration


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_PLATFORM_BASE_URL", f"{URL}/")
    monkeypatch.setenv("AGENT_PLATFORM_TOKEN", TOKEN)
    monkeypatch.setenv("AGENT_PLATFORM_ORG_ID", "org-acme")
    settings = read()
    assert (settings.base_url, settings.credential.header, settings.organization) == (
        URL,
        f"Bearer {TOKEN}",
        "org-acme",
    )


def test_an_argument_overrides_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_PLATFORM_BASE_URL", "https://other.example.com")
    assert read(URL, TOKEN).base_url == URL


@pytest.mark.parametrize(
    ("base_url", "token", "message"),
    [
        (None, TOKEN, r"no base_url: pass AgentPlatform\(base_url=...\) or set AGENT_PLATFORM_BASE_URL"),
        (URL, None, r"no token: pass AgentPlatform\(token=...\) or set AGENT_PLATFORM_TOKEN"),
        (URL, "", "token is empty"),
        (URL, f"{TOKEN}\n", "token begins or ends with white space or a line break"),
        (URL, f"Bearer {TOKEN}", "token must be given without the word Bearer"),
        (URL, "svc_ä", "token has characters that no credential has"),
        (URL, "svc_a b", "token has characters that no credential has"),
    ],
)
def test_a_missing_or_malformed_setting_is_refused(base_url: str | None, token: str | None, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        AgentPlatform(base_url, token)


@pytest.mark.parametrize("token", [f"{TOKEN}\n", f"Bearer {TOKEN}", f"{TOKEN} {TOKEN}"])
def test_the_message_about_a_malformed_token_shows_none_of_it(token: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        AgentPlatform(URL, token)
    assert "0123456789" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("", "base_url must be an http or https address"),
        ("platform.example.com", "base_url must be an http or https address; it should look like"),
        ("ftp://platform.example.com", "base_url must be an http or https address"),
        ("https://", "base_url must be an http or https address"),
        (" https://platform.example.com", "base_url must have no spaces"),
        ("https://platform.example.com\n", "base_url must have no spaces or line breaks"),
        ("https://platform.example.com:port", "base_url is malformed"),
        ("https://platform.example.com?x=1", "base_url must have no query"),
        ("https://platform.example.com?", "base_url must have no query"),
        ("https://platform.example.com#", "base_url must have no query"),
        ("https://:@platform.example.com", "base_url must not contain credentials"),
        ("https://platform.example.com/v3", "base_url must not end in the version"),
        ("https://me:secret@platform.example.com", "base_url must not contain credentials"),
    ],
)
def test_a_malformed_base_url_is_refused(value: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as caught:
        check_base_url(value)
    assert "secret" not in str(caught.value)


def test_a_base_url_may_have_a_path() -> None:
    assert check_base_url("http://127.0.0.1:8000/api/") == "http://127.0.0.1:8000/api"


@pytest.mark.parametrize("value", ["", "acme", "org-", "org-a/b", "org-a b", "..", "org-a\n", 7])
def test_a_malformed_organization_is_refused(value: object) -> None:
    with pytest.raises(InvalidOrganizationError, match="organization must be"):
        check_organization(value)


def test_a_malformed_organization_is_a_configuration_error_and_an_invalid_argument() -> None:
    assert issubclass(InvalidOrganizationError, ConfigurationError)
    assert issubclass(InvalidOrganizationError, InvalidArgumentError)
