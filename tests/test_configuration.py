"""Settings come from arguments or the environment, and the error of a bad one names it."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from agent_session_platform import (
    AgentPlatform,
    ConfigurationError,
    InvalidArgumentError,
    InvalidOrganizationError,
    LocalRateLimiter,
    RetryPolicy,
)
from agent_session_platform.configuration import Configuration, check_organization
from agent_session_platform.network import check_base_url

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
    assert settings.credentials.fixed is not None
    assert (settings.base_url, settings.credentials.fixed.header, settings.organization) == (
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


@pytest.mark.parametrize("value", ["", "acme", "org-", "org-a/b", "org-a b", "..", "org-a\n", 7])
def test_a_malformed_organization_is_refused(value: object) -> None:
    with pytest.raises(InvalidOrganizationError, match="organization must be"):
        check_organization(value)


class Number:
    """A number of another library: it has the methods of one, but is none of Python's."""

    def __float__(self) -> float:
        return 5.0

    def __index__(self) -> int:
        return 5

    def __gt__(self, other: object) -> bool:
        return True


NO_NUMBERS = [None, True, "5", Decimal(5), Fraction(5), Number(), math.nan, -math.inf, 0, -1, [], object()]
REFUSED: dict[str, list[Any]] = {
    "timeout": [*NO_NUMBERS, math.inf],
    "max_connections": [*NO_NUMBERS, math.inf, 1.5],
    "max_body": [*NO_NUMBERS, math.inf, 1.5],
    "preflight": [None, "no", 0, 1, []],
    "allow_http": [None, "no", 0, 1, []],
    "retry": [None, 3, True, {}, RetryPolicy],
    "organization": [5, b"org-acme", ["org-acme"], ""],
    "rate_limiter": [5, "redis://localhost", LocalRateLimiter],
    "transport": [5, "AIOHTTP", "", True, object()],
    "http_client": [5, "httpx", True, object()],
}


@pytest.mark.parametrize(
    ("setting", "value"), [(setting, value) for setting, values in REFUSED.items() for value in values]
)
def test_a_setting_of_another_kind_is_refused_when_the_client_is_made(setting: str, value: Any) -> None:
    with pytest.raises((ConfigurationError, InvalidArgumentError), match=setting):
        AgentPlatform(URL, TOKEN, **{setting: value})


@pytest.mark.parametrize("field", ["attempts", "deadline", "backoff_base", "backoff_cap", "max_retry_after"])
@pytest.mark.parametrize("value", [None, True, "5", Decimal(5), Number(), math.nan, -math.inf, -1])
def test_a_setting_of_a_policy_of_another_kind_is_refused(field: str, value: Any) -> None:
    with pytest.raises(InvalidArgumentError, match=field):
        RetryPolicy(**{field: value})


@pytest.mark.parametrize("value", [425, "425", None, [[425]], {200}, {"425"}])
def test_statuses_of_a_policy_are_statuses_of_errors(value: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="statuses must be HTTP statuses from 400 to 599, not"):
        RetryPolicy(statuses=value)


@pytest.mark.parametrize("value", [5, "print", True, object()])
def test_what_cannot_be_called_is_no_callback(value: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="on_retry"):
        RetryPolicy(on_retry=value)
