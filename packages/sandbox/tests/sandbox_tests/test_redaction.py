"""Redaction of names, credentials and tokens."""

from __future__ import annotations

from agent_session_platform_sandbox.redaction import is_secret, redact_secrets, redact_tokens

SECRET = ["value", "api_key", "apiKey", "clientSecret", "X-Auth-Token", "TOTP", "session_secrets"]
HARMLESS = ["secret_id", "token_count", "keyboard", "tokenizer", "prompt", "values_of"]


def test_a_member_is_secret_by_its_name() -> None:
    assert [name for name in SECRET + HARMLESS if is_secret(name)] == SECRET


def test_the_longer_of_two_credentials_is_hidden_completely() -> None:
    assert redact_tokens(["svc_long", "svc_long_er"], "svc_long_er") == "[hidden]"


def test_a_short_credential_does_not_corrupt_words() -> None:
    assert redact_tokens(["tok"], ["token", "tok", "a tok."]) == ["token", "[hidden]", "a [hidden]."]


def test_a_prefix_alone_is_not_a_credential() -> None:
    assert redact_secrets("credentials begin with svc_ or apk_") == "credentials begin with svc_ or apk_"
